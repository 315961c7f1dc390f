/* test_dataset.c - descriptors of named inputs, and the frames they stand for */
#include "harness/inputs/dataset.h"
#include "tests/files.h"
#include "tests/inputs.h"

#include <locale.h>
#include <math.h>

#define FILES_IN(folder, pattern) "kind = files\nfolder = " folder "\npattern = " pattern "\n"
#define FILES                     FILES_IN("f", "*")

static enum bench_status parse(const char *text, struct dataset *dataset)
{
    memset(dataset, 0x5A, sizeof *dataset);
    bench_failure_clear();
    return dataset_parse(text, strlen(text), "some/where/made-up.ini", dataset);
}

/* The members of a descriptor at their defaults. */
#define USUAL       .name = "made-up", .truth_scale = 1, .most_px = 127
#define USUAL_SCENE .scene = {1242, 375, 1, SCENE_NORMAL, 0}
#define USUAL_FILES USUAL, USUAL_SCENE, .folder = {"f"}, .pattern = {"*"}

TEST(descriptors)
{
    static const struct {
        const char *text;
        struct dataset expected;
    } cases[] = {
        {"; a comment\nkind = files\nfolder = a/b, c , d e\npattern = *_10.png, x/*.pgm\n"
         "frames = 25\nscale = 256\noffset = 1\ninvalid = zero-max\n"
         "fx = 721.5\nfy = 722\ncx = 609.25\ncy = -1\nbaseline_m = 0.54\nheight_m = 1.65\n"
         "pitch_rad = -0.01\nfetch = kitti2015\nsource = somewhere, by somebody\n",
         {USUAL, USUAL_SCENE, .folder = {"a/b", "c", "d e"}, .pattern = {"*_10.png", "x/*.pgm"},
          .n_frames = 25, .coding = {256, 1, 1, 1},
          .camera = {721.5, 722, 609.25, -1, 0.54, 1.65, -0.01}, .fetch = "kitti2015",
          .source = "somewhere, by somebody"}},
        {"folder = f\npattern = *\nkind = files\n", {USUAL_FILES, .coding.scale = 1}},
        {FILES "depth_m = 1000\nfx = 2\nbaseline_m = 0.5\n",
         {USUAL_FILES, .coding = {.scale = 1, .max_m = 1000},
          .camera = {.fx_px = 2, .baseline_m = 0.5}}},
        {FILES_IN("a,b,c,d,e,f,g,a..b/...", "a,b,c,x?[0-9]"),
         {USUAL, USUAL_SCENE, .folder = {"a", "b", "c", "d", "e", "f", "g", "a..b/..."},
          .pattern = {"a", "b", "c", "x?[0-9]"}, .coding.scale = 1}},
        {"kind = scene\nwidth = 64\nheight = 48\nseed = 18446744073709551615\nlevel = hard\n"
         "steep = 1\nframes = 3\n",
         {USUAL, .kind = DATASET_SCENE, .n_frames = 3, .coding.scale = 1,
          .scene = {64, 48, UINT64_MAX, SCENE_HARD, 1}}},
        {"kind = scene\n",
         {USUAL, USUAL_SCENE, .kind = DATASET_SCENE, .n_frames = 1, .coding.scale = 1}},
        {"kind = noise\nseed = 7\n",
         {USUAL, .kind = DATASET_NOISE, .n_frames = 1, .coding.scale = 1,
          .scene = {1242, 375, 7, SCENE_NORMAL, 0}}},
        {"kind = noise\nmost = 0\n",
         {.name = "made-up",
          .truth_scale = 1,
          USUAL_SCENE,
          .kind = DATASET_NOISE,
          .n_frames = 1,
          .coding.scale = 1}},
        {FILES_IN("f", "*/*_10.png") "truth_pattern = */t/*.png\ntruth_folder = a, b/c\n"
                                     "truth_scale = 256\nconfidence_pattern = */*_c.png\n"
                                     "probability_pattern = */*.npy\nprobability_folder = p\n"
                                     "labels_pattern = */*_l.png\nlabels_coding = label-ids\n",
         {USUAL_SCENE, .name = "made-up", .folder = {"f"}, .pattern = {"*/*_10.png"},
          .coding.scale = 1, .truth_scale = 256, .most_px = 127,
          .companion = {[DATASET_TRUTH] = {{"a", "b/c"}, "*/t/*.png"},
                        [DATASET_CONFIDENCE].pattern = "*/*_c.png",
                        [DATASET_PROBABILITY] = {{"p"}, "*/*.npy"},
                        [DATASET_LABELS].pattern = "*/*_l.png"},
          .labels_coding = SEMANTIC_LABEL_IDS}},
        {FILES "coding = cityscapes\n",
         {USUAL_FILES, .coding = {.scale = 256, .offset = 1, .zero_is_invalid = 1},
          .coding_name = "cityscapes"}},
        {FILES "labels_pattern = *\ninvalid = max\n",
         {USUAL_FILES, .coding = {.scale = 1, .max_is_invalid = 1},
          .companion[DATASET_LABELS].pattern = "*"}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dataset d;

        if (parse(cases[i].text, &d) != BENCH_OK)
            fail_msg("%s", bench_failure());
        assert_memory_equal(&d, &cases[i].expected, sizeof d);
    }
}

static void refuse(const char *text, size_t n, const char *words)
{
    static const struct dataset empty;
    struct dataset dataset;

    if (parse(text, &dataset) != BENCH_EINPUT)
        fail_msg("not refused: %s", text);
    assert_says("some/where/made-up.ini", words);
    assert_memory_equal(&dataset, &empty, sizeof dataset);
}

TEST(damaged_files)
{
    each_damaged("dataset", refuse);
}

TEST(descriptor_names)
{
    static const struct {
        const char *path, *name; /* NULL: refused */
    } cases[] = {{"plain", "plain"},
                 {"x/.ini", ".ini"},
                 {"x/", NULL},
                 {"a2345678901234567890123456789012.ini", NULL},
                 {"a234567890123456789012345678901.ini", "a234567890123456789012345678901"}};
    struct dataset d;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(dataset_parse("kind = noise\n", 13, cases[i].path, &d),
                         cases[i].name ? BENCH_OK : BENCH_EINPUT);
        assert_string_equal(d.name, cases[i].name ? cases[i].name : "");
    }
    assert_int_equal(dataset_read("no/such/thing.ini", &d), BENCH_EIO);
}

/* ---- frames ---- */

static char root[1024]; /* a folder of this run's own */
static struct plane *planes;
static int n_planes; /* that were loaded last */

/* A path below it, in a folder that is there. */
static const char *below(const char *name)
{
    static char path[2048];
    const int n_folder = (int)(strrchr(name, '/') - name);

    snprintf(path, sizeof path, "%s/%.*s", root, n_folder, name);
    assert_int_equal(text_make_folder(path), BENCH_OK);
    snprintf(path, sizeof path, "%s/%s", root, name);
    return path;
}

/* A PGM of width x 1 whose pixels all have the value. */
static void make_file(const char *name, int width, int value)
{
    uint8_t values[8];

    memset(values, value, sizeof values);
    write_pgm(below(name), width, 1, values);
}

/* An input counts with the keys of what it includes, and replaces them. */
TEST(descriptors_that_include)
{
    static const struct {
        const char *name, *text;
        enum bench_status status;
        const char *words; /* of a failure */
    } files[] = {
        {"by/first.ini", "kind = scene\nwidth = 64\nheight = 48\nlevel = hard\n", BENCH_OK, ""},
        {"by/second.ini", "include = first.ini\nheight = 40\nseed = 7\n", BENCH_OK, ""},
        {"by/third.ini", "height = 32\ninclude = second.ini\n", BENCH_OK, ""},
        {"by/wrong.ini", "seed = 1\ninclude = first.ini\nfx = 2\n", BENCH_EINPUT,
         "by/wrong.ini:3: the key 'fx' means nothing for kind = scene"},
        {"by/unknown.ini", "scale = x\n", BENCH_EINPUT, "by/unknown.ini:1: scale = x"},
        {"by/its.ini", "frames = 1\ninclude = unknown.ini\n", BENCH_EINPUT,
         "by/its.ini:2: scale = x"},
        {"by/none.ini", "include = nothing.ini\n", BENCH_EIO, "by/nothing.ini"},
        {"by/itself.ini", "include = itself.ini\n", BENCH_EINPUT,
         "by/itself.ini:1: include = itself.ini: descriptors include one another more than 4"},
    };
    struct dataset d;

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        write_bytes(below(files[i].name), files[i].text, strlen(files[i].text));
        bench_failure_clear();
        assert_int_equal(dataset_read(below(files[i].name), &d), files[i].status);
        if (files[i].status != BENCH_OK)
            assert_non_null(strstr(bench_failure(), files[i].words));
    }
    assert_int_equal(dataset_read(below("by/third.ini"), &d), BENCH_OK);
    assert_memory_equal(&d.scene, (&(struct scene_options){64, 32, 7, SCENE_HARD, 0}),
                        sizeof d.scene);
}

static enum bench_status load(const char *text)
{
    struct dataset dataset;
    enum bench_status status;

    if (parse(text, &dataset) != BENCH_OK)
        fail_msg("%s", bench_failure());
    planes_free(planes, n_planes);
    planes = NULL;
    n_planes = 0;
    TRY(dataset_count(&dataset, root, &n_planes));
    planes = (struct plane *)&dataset; /* must be overwritten */
    status = dataset_load(&dataset, root, 6, 4, 0, n_planes, &planes);
    n_planes = planes ? n_planes : 0;
    return status;
}

/* A frame that is loaded alone, or with its neighbour, is the one that comes with all. */
static void expect_ranges(const char *text)
{
    struct dataset dataset;

    assert_int_equal(load(text), BENCH_OK);
    assert_int_equal(parse(text, &dataset), BENCH_OK);
    for (int first = 0; first < n_planes; first++)
        for (int n = 1; n <= 2 && first + n <= n_planes; n++) {
            struct plane *range;

            assert_int_equal(dataset_load(&dataset, root, 6, 4, first, n, &range), BENCH_OK);
            for (int i = 0; i < n; i++) {
                const struct plane *const one = &range[i], *const all = &planes[first + i];

                assert_string_equal(one->name, all->name);
                assert_int_equal(one->width, all->width);
                assert_int_equal(one->height, all->height);
                assert_int_equal(one->threshold, all->threshold);
                assert_memory_equal(one->disparity, all->disparity,
                                    sizeof *all->disparity * (size_t)all->width *
                                        (size_t)all->height);
            }
            planes_free(range, n);
        }
}

/* The names of the frames, with a blank behind each. */
static void expect_loaded(const char *text, const char *names)
{
    char found[256] = "";

    if (load(text) != BENCH_OK)
        fail_msg("%s: %s", text, bench_failure());
    for (int i = 0; i < n_planes; i++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s ", planes[i].name);
    assert_string_equal(found, names);
}

static void expect_not_loaded(const char *text, enum bench_status status, const char *words)
{
    assert_int_equal(load(text), status);
    assert_null(planes);
    assert_int_equal(n_planes, 0);
    assert_says("", words);
}

TEST(frames_of_files)
{
    static const struct {
        const char *name;
        int width, value;
    } files[] = {
        {"set/sub_10.png/x", 1, 1}, /* a folder is no frame */
        {"set/b_10.png", 3, 2},
        {"set/B_10.png", 4, 1},
        {"set/a_10.png", 1, 7},
        {"set/\xC3\xA4_10.png", 2, 3}, /* behind all ASCII by bytes */
        {"set/.hidden_10.png", 2, 9},
        {"set/a_11.png", 2, 9},
        {"tree/val/zurich/0_disparity.pgm", 1, 1},
        {"tree/val/aachen[1]/9_disparity.pgm", 1, 2}, /* not a pattern here */
        {"tree/val/loose_disparity.pgm", 1, 3},
        {"second/x.pgm", 1, 1},
        {"second/y.pgm", 1, 2},
        {"third/w.pgm", 1, 3},
        {"bad/1.pgm", 2, 1},
        {"bad/2.pgm", 2, 1},
    };
    static const struct {
        const char *text, *names; /* NULL: refused */
        enum bench_status status;
        const char *words;
    } cases[] = {
        {FILES_IN("set", "*_10.png") "frames = 2\n", "B_10 a_10 ", BENCH_OK, ""},
        {FILES_IN("set", "*_10.png") "frames = 5\n", NULL, BENCH_EINPUT, "expected 5 files"},
        {FILES_IN("tree/val", "*/*_disparity.pgm"), "aachen[1]/9_disparity zurich/0_disparity ",
         BENCH_OK, ""},
        {FILES_IN("tree/val/aachen[1]", "9*"), "9_disparity ", BENCH_OK, ""},
        {FILES_IN("tree/val/zurich", ".*/loose*"), NULL, BENCH_ESKIP, "no files"},
        {FILES_IN("missing, empty, second, third", "w.pgm, y.pgm, x.pgm"), "y ", BENCH_OK, ""},
        {FILES_IN("missing, empty", "*.png, *.pgm") "fetch = teddy\n", NULL, BENCH_ESKIP,
         "input made-up: no files *.png or *.pgm in "},
        {FILES_IN("bad", "*"), NULL, BENCH_EINPUT, "bad/2.pgm"},
        {FILES_IN("third", "*") "coding = px\n", "w ", BENCH_OK, ""},
        {FILES_IN("third", "*") "coding = kitti\n", NULL, BENCH_EINPUT, "has 16 bits, found"},
        {FILES_IN("third", "*") "scale = 0.001\n", NULL, BENCH_EINPUT, "w.pgm: most values"},
    };

    (void)below("empty/x");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        make_file(files[i].name, files[i].width, files[i].value);
    assert_int_equal(truncate(below("bad/2.pgm"), 12), 0);
    (void)setlocale(LC_ALL, "C.UTF-8");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (cases[i].names)
            expect_loaded(cases[i].text, cases[i].names);
        else
            expect_not_loaded(cases[i].text, cases[i].status, cases[i].words);
        if (strstr(cases[i].text, "teddy")) {
            assert_says("", "missing or ");
            assert_says("", root);
            assert_says("", "scripts/fetch_data teddy");
        }
    }
    expect_loaded(FILES_IN("set", "*_10.png") "scale = 2\nfx = 3\ninvalid = zero\n",
                  "B_10 a_10 b_10 \xC3\xA4_10 ");
    assert_true(planes[0].width == 4 && planes[1].width == 1);
    assert_int_equal(planes[1].disparity[0], 7 * 128);
    assert_true(planes[1].camera.fx_px == 3.0);
    assert_null(planes[1].truth);
}

/* Laid out as SYNTHIA-SF; fx * baseline = 512: 512 m are 1 px, 4 m 128 px, 1 m 512 px. */
TEST(frames_of_depth)
{
    static const char descriptor[] =
        FILES_IN("SF", "SEQ*/DepthLeft/*.png") "depth_m = 1024\nfx = 1024\nbaseline_m = 0.5\n";
    /* nothing; 1024 m, the sky; a half, a 256th and a 1024th of it, which is too near */
    static const uint8_t rgb[5 * 3] = {0, 0, 0, 255, 255, 255, 0, 0, 128, 0, 0, 1, 0, 64, 0};
    static const uint16_t expected[5] = {DISPARITY_INVALID, 128, 256, 32768, DISPARITY_MAX};

    make_file("SF/SEQ1/DepthRight/0000000.png", 1, 1); /* not asked for */
    assert_int_equal(image_write_rgb(below("SF/SEQ1/DepthLeft/0000000.png"), rgb, 5, 1),
                     BENCH_OK);
    expect_loaded(descriptor, "SEQ1/DepthLeft/0000000 ");
    assert_memory_equal(planes[0].disparity, expected, sizeof expected);
    assert_true(planes[0].values.n_clamped == 1 && planes[0].camera.baseline_m == 0.5);

    /* the colours are no disparity, and grey is no depth */
    expect_not_loaded(FILES_IN("SF", "SEQ*/DepthLeft/*.png"), BENCH_EINPUT, "3 channels");
    make_file("SF/SEQ1/DepthLeft/0000000.png", 5, 1);
    expect_not_loaded(descriptor, BENCH_EINPUT, "expected one with 24 bits of depth");
}

/* A NumPy file of one row of pixels: class 1 has the values, class 0 the rest. */
static void make_npy(const char *name, const float *value, int width)
{
    char shape[32];
    float p[16];

    for (int i = 0; i < 2 * width; i++)
        p[i] = i < width ? 1 - value[i] : value[i - width];
    snprintf(shape, sizeof shape, "(2, 1, %d)", width);
    begin_array("<f4", shape, p, 2 * (size_t)width);
    write_bytes(below(name), made.at, made.n);
}

/* Disparity, truth, confidence and label of frame a_10, with companions of "a". */
static void make_with_companions(char name, const int value[4])
{
    static const char *const place[4][2] = {{"pair/disp/", "_10.pgm"},
                                            {"pair/truth/", "_t.pgm"},
                                            {"pair/disp/conf-", ".pgm"},
                                            {"pair/labels/", "_10.pgm"}};
    char path[64];

    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s%c%s", place[i][0], name, place[i][1]);
        make_file(path, 3, value[i]);
    }
    snprintf(path, sizeof path, "pair/truth/%c.npy", name);
    make_npy(path, (const float[]){0, 1, 0.25f}, 3);
}

TEST(frames_with_companions)
{
    static const char descriptor[] =
        "kind = files\nfolder = pair/disp\npattern = *_10.pgm\ntruth_pattern = *_t.pgm\n"
        "truth_folder = none, pair/truth, pair/disp\ntruth_scale = 2\n"
        "confidence_pattern = conf-*.pgm\n"
        "probability_pattern = *.npy\nprobability_folder = pair/truth\n"
        "labels_pattern = *_10.pgm\nlabels_folder = pair/labels\nlabels_coding = label-ids\n";
    static const uint16_t probability[6] = {65535, 0, 49151, 0, 65535, 16384};
    /* a third frame gets ever more files, each wrong at first: missing, another size or kind */
    static const struct {
        const char *file;
        int width, value; /* -1: a NumPy file */
        const char *words;
    } steps[] = {
        {"pair/disp/c_10.pgm", 3, 52, "the frame c_10.pgm has no truth: expected a file "},
        {"pair/truth/c_t.pgm", 2, 1, "c_t.pgm: 2 x 1 pixels, expected 3 x 1"},
        {"pair/truth/c_t.pgm", 3, 1, NULL},
        {"pair/disp/conf-c.pgm", 4, 1, "conf-c.pgm: 4 x 1 pixels, expected 3 x 1"},
        {"pair/disp/conf-c.pgm", 3, 1, NULL},
        {"pair/truth/c.npy", 3, 1, "c.npy: no .npy file"},
        {"pair/truth/c.npy", 4, -1, "c.npy: shape (2, 1, 4), expected"},
        {"pair/truth/c.npy", 3, -1, "c_10.pgm has no labels"},
        {"pair/labels/c_10.pgm", 3, 34, "has the label 34"},
        {"pair/labels/c_10.pgm", 3, 33, NULL},
    };

    make_with_companions('a', (const int[]){50, 101, 200, 11});
    make_with_companions('b', (const int[]){51, 0, 201, 4});
    expect_loaded(descriptor, "a_10 b_10 ");
    for (int i = 0; i < 2; i++) {
        const struct plane *p = &planes[i];

        for (int u = 0; u < 3; u++)
            assert_true(p->disparity[u] == 256 * (50 + i) && p->confidence[u] == 200 + i &&
                        p->truth[u] == (i == 0 ? 101 * 128 : DISPARITY_INVALID) &&
                        p->truth_class[u] == (i == 0 ? 2 : 255));
        assert_true(p->n_classes == 2 && p->values.n_clamped == 0);
        assert_memory_equal(p->probability, probability, sizeof probability);
    }

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (steps[i].value < 0)
            make_npy(steps[i].file, (const float[]){1, 1, 1, 1}, steps[i].width);
        else
            make_file(steps[i].file, steps[i].width, steps[i].value);
        if (steps[i].words)
            expect_not_loaded(descriptor, BENCH_EINPUT, steps[i].words);
        if (i == 0)
            assert_says("", "pair/truth/c_t.pgm");
    }
    expect_loaded(descriptor, "a_10 b_10 c_10 ");
    assert_int_equal(planes[2].truth_class[2], 18);

    /* the frames that are asked for need theirs, no others */
    expect_not_loaded(FILES_IN("pair/disp", "*_10.pgm") "frames = 1\ntruth_pattern = a_*.pgm\n",
                      BENCH_EINPUT, "expected a file ");
    expect_loaded(FILES_IN("pair/disp", "*_10.pgm") "frames = 1\ntruth_pattern = *_10.pgm\n",
                  "a_10 ");
    assert_int_equal(planes[0].truth[0], planes[0].disparity[0]);
}

/* A view of 8-bit grey or of colours. */
static void make_view(const char *name, char kind, int width, const char *samples)
{
    char text[64];

    snprintf(text, sizeof text, "P%c %d 1 255\n%s", kind, width, samples);
    write_bytes(below(name), text, strlen(text));
}

TEST(pairs_of_views)
{
    static const char pairs[] = "kind = pairs\nfolder = two\nleft = l/*.ppm\nright = r/*.ppm\n"
                                "truth_folder = two/t\ntruth_pattern = *.pgm\n"
                                "truth_scale = 2\n";

    make_view("two/l/a.ppm", '6', 2, "abc000");
    expect_not_loaded(pairs, BENCH_EINPUT, "l/a.ppm has no right: expected a file ");
    make_view("two/r/a.ppm", '6', 1, "xyz");
    expect_not_loaded(pairs, BENCH_EINPUT,
                      "r/a.ppm: a view of 1 x 1 pixels, the other one has 2 x 1");
    make_view("two/r/a.ppm", '5', 2, "ab");
    expect_not_loaded(pairs, BENCH_EINPUT, "neither a PNG of 8 bits");
    make_view("two/r/a.ppm", '6', 2, "000zzz");
    expect_loaded(pairs, "l/a ");
    assert_null(planes[0].disparity);
    assert_null(planes[0].truth); /* no folder, no truth */
    /* (9797 97 + 19234 98 + 3737 99) / 32768 = 97.8 */
    assert_memory_equal(planes[0].view[0], "a0", 2);
    assert_memory_equal(planes[0].view[1], "0z", 2);
    make_file("two/t/a.pgm", 2, 9);
    expect_loaded(pairs, "l/a ");
    assert_int_equal(planes[0].truth[1], 9 * 128);
    expect_loaded("kind = scene\nwidth = 20\nheight = 4\nviews = 1\nframes = 2\n",
                  "scene-1 scene-2 ");
    for (int i = 0; i < 2; i++)
        assert_true(planes[i].view[0] && planes[i].view[1] && planes[i].disparity);
    assert_memory_not_equal(planes[0].view[0], planes[1].view[0], 20);
    expect_loaded("kind = scene\nwidth = 20\nheight = 4\n", "scene-1 ");
    assert_null(planes[0].view[0]);
}

TEST(companions_that_are_not_known)
{
    make_file("alone/a.pgm", 2, 7);
    make_file("alone/file", 2, 7);
    expect_loaded(
        FILES_IN("alone",
                 "*.pgm") "truth_pattern = *.pgm\ntruth_folder = none, alone/none\n"
                          "confidence_pattern = *.pgm\nconfidence_folder = alone/file\n"
                          "probability_pattern = *.npy\nprobability_folder = none\n"
                          "labels_pattern = *.pgm\nlabels_folder = none\n",
        "a ");
    assert_int_equal(planes[0].disparity[1], 7 * 256);
    assert_true(!planes[0].truth && !planes[0].confidence && !planes[0].probability &&
                !planes[0].truth_class);
    assert_int_equal(planes[0].n_classes, 0);
}

/* Each of several stars stands for the shortest text. */
TEST(companions_with_stars)
{
    static const struct {
        const char *frame, *pattern, *companion_pattern, *companion;
    } cases[] = {
        {"1_2_3_d.pgm", "*_d.pgm", "t*.pgm", "t1_2_3.pgm"},
        {"1_2_3_d.pgm", "*_*.pgm", "*+*", "1+2_3_d"}, /* the shortest, from the left */
        {"1_2_3_d.pgm", "*_*_*_d.pgm", "*-*-*", "1-2-3"},
        {"1_2_3_d.pgm", "1*", "*", "_2_3_d.pgm"},
        {"1_2_3_d.pgm", "**_d.pgm", "*+*", "+1_2_3"},
        {"1_2_3_d.pgm", "1_2_3_d.pgm", "other", "other"},
        {"aa.aa.pgm", "*a.pgm", "*", "aa.a"},
        {"x/x_d.pgm", "*/*_d.pgm", "*/*_t", "x/x_t"},
        {"x/x_d.pgm", "x/*_*.pgm", "*/*", "x/d"},
        {"x/yx/x.pgm", "*/*x/*.pgm", "*-*-*", "x-y-x"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[128], text[512];

        snprintf(name, sizeof name, "stars%zu/%s", i, cases[i].frame);
        make_file(name, 1, 1);
        snprintf(name, sizeof name, "stars%zu/t/%s", i, cases[i].companion);
        make_file(name, 1, 9);
        snprintf(text, sizeof text,
                 "kind = files\nfolder = stars%zu\npattern = %s\ntruth_folder = stars%zu/t\n"
                 "truth_pattern = %s\n",
                 i, cases[i].pattern, i, cases[i].companion_pattern);
        if (load(text) != BENCH_OK)
            fail_msg("%s: %s", text, bench_failure());
        assert_int_equal(n_planes, 1);
        assert_int_equal(planes[0].truth[0], 9 * 256);
    }

    /* no star leads out of the folder */
    make_file("out/a..", 1, 1);
    make_file("out/x", 1, 1);
    (void)below("out/t/x");
    expect_not_loaded(FILES_IN("out", "a*") "truth_folder = out/t\ntruth_pattern = */x\n",
                      BENCH_EINPUT, "the frame a.. has no truth");
}

TEST(frames_made_here)
{
    assert_int_equal(load("kind = noise\nseed = 5\n"), BENCH_OK);
    assert_int_equal(n_planes, 1);
    assert_true(planes[0].width == 6 && planes[0].height == 4);
    expect_loaded("kind = scene\nwidth = 64\nheight = 40\nseed = 11\nframes = 2\n",
                  "scene-11 scene-12 ");
    assert_int_equal(planes[1].width, 64);
    assert_memory_not_equal(planes[0].disparity, planes[1].disparity, 64 * 40 * 2);
}

TEST(ranges_of_frames)
{
    struct dataset dataset;
    struct plane *range;

    for (int i = 0; i < 5; i++) {
        char name[32];

        snprintf(name, sizeof name, "many/%d.pgm", i);
        make_file(name, 1 + i, 10 + i);
    }
    expect_ranges(FILES_IN("many", "*.pgm") "threshold = 9\n");
    expect_ranges("kind = scene\nwidth = 64\nheight = 40\nseed = 11\nframes = 5\n");
    assert_int_equal(parse(FILES_IN("many", "*.pgm"), &dataset), BENCH_OK);
    assert_int_equal(dataset_load(&dataset, root, 6, 4, 4, 2, &range), BENCH_EINPUT);
    assert_null(range);
}

static uint64_t hash_of(const char *text, int n)
{
    struct dataset dataset;
    uint64_t hash;

    assert_int_equal(parse(text, &dataset), BENCH_OK);
    if (dataset_hash(&dataset, root, n, &hash) != BENCH_OK)
        fail_msg("%s", bench_failure());
    return hash;
}

/* Names and sizes of the first frames and of their companions, and the descriptor. */
TEST(what_tells_data_sets_apart)
{
    static const char text[] = FILES_IN("hashed", "*.pgm") "truth_pattern = *.pgm\n"
                                                           "truth_folder = hashed/t\n";
    static const struct {
        const char *file[2];
        int width;
        bool is_seen;
    } steps[] = {
        {{"hashed/a.pgm", "hashed/b.pgm"}, 2, true},
        {{"hashed/c.pgm"}, 2, false}, /* two frames are asked for */
        {{"hashed/a.pgm"}, 3, true},
        {{"hashed/aa.pgm"}, 2, true}, /* by its name */
        {{"hashed/t/a.pgm", "hashed/t/aa.pgm"}, 2, true},
        {{"hashed/t/aa.pgm"}, 3, true},
        {{"hashed/t/b.pgm"}, 3, false},
    };
    uint64_t hash = 0;

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const uint64_t before = hash;

        for (int k = 0; k < 2 && steps[i].file[k]; k++)
            make_file(steps[i].file[k], steps[i].width, 7);
        hash = hash_of(text, 2);
        assert_int_equal(hash != before, steps[i].is_seen);
    }
    assert_int_not_equal(hash, hash_of(text, 3));
    assert_int_not_equal(hash_of("kind = scene\nseed = 11\nframes = 5\n", 5),
                         hash_of("kind = scene\nseed = 12\nframes = 5\n", 5));
}

static int enter(void **state)
{
    snprintf(root, sizeof root, "%s", scratch("dataset"));
    return text_make_folder(root) != BENCH_OK;
}

static int leave(void **state)
{
    planes_free(planes, n_planes);
    planes_free(NULL, 0);
    support_remove(root);
    return 0;
}

int main(void)
{
    return run_all_tests(enter, leave);
}
