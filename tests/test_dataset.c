/*
 * test_dataset.c - descriptors of named inputs, and the frames they stand for
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/inputs/dataset.h"

#include <dirent.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[512]; /* a folder of this run's own */

static enum bench_status parse(const char *text, struct dataset *dataset)
{
    memset(dataset, 0x5A, sizeof *dataset);
    bench_failure_clear();
    return dataset_parse(text, strlen(text), "some/where/made-up.ini", dataset);
}

static void expect_refused(const char *text, const char *words)
{
    static const struct dataset empty;
    struct dataset dataset;

    if (parse(text, &dataset) != BENCH_EINPUT)
        fail_msg("not refused: %s", text);
    if (strstr(bench_failure(), words) == NULL ||
        strstr(bench_failure(), "made-up.ini") == NULL)
        fail_msg("expected '%s' in: %s", words, bench_failure());
    assert_int_equal(dataset.n_folders, 0);
    assert_string_equal(dataset.name, empty.name);
    assert_string_equal(dataset.folder[0], "");
}

static void descriptor_of_files(void **state)
{
    (void)state;
    struct dataset d;

    assert_int_equal(parse("; a comment\n"
                           "kind = files\n"
                           "folder = a/b, c , d e\n"
                           "pattern = *_10.png, x/*.pgm\n"
                           "frames = 25\nscale = 256\noffset = 1\ninvalid = zero-max\n"
                           "fx = 721.5\nfy = 722\ncx = 609.25\ncy = -1\n"
                           "baseline_m = 0.54\nheight_m = 1.65\npitch_rad = -0.01\n"
                           "fetch = kitti2015\n"
                           "source = somewhere, by somebody\n",
                           &d),
                     BENCH_OK);
    assert_string_equal(d.name, "made-up");
    assert_int_equal(d.kind, DATASET_FILES);
    assert_int_equal(d.n_folders, 3);
    assert_string_equal(d.folder[0], "a/b");
    assert_string_equal(d.folder[1], "c");
    assert_string_equal(d.folder[2], "d e");
    assert_int_equal(d.n_patterns, 2);
    assert_string_equal(d.pattern[1], "x/*.pgm");
    assert_int_equal(d.n_frames, 25);
    assert_true(d.coding.scale == 256.0 && d.coding.offset == 1.0);
    assert_int_equal(d.coding.zero_is_invalid, 1);
    assert_int_equal(d.coding.max_is_invalid, 1);
    assert_true(d.camera.fx_px == 721.5 && d.camera.fy_px == 722.0 && d.camera.cx_px == 609.25);
    assert_true(d.camera.cy_px == -1.0 && d.camera.baseline_m == 0.54);
    assert_true(d.camera.height_m == 1.65 && d.camera.pitch_rad == -0.01);
    assert_string_equal(d.fetch, "kitti2015");
    assert_string_equal(d.source, "somewhere, by somebody");

    /* what is not said */
    assert_int_equal(parse("folder = f\npattern = *\nkind = files\n", &d), BENCH_OK);
    assert_true(d.coding.scale == 1.0 && d.coding.offset == 0.0);
    assert_int_equal(d.coding.zero_is_invalid, 0);
    assert_int_equal(d.n_frames, 0);
    assert_true(d.camera.fx_px == 0.0);
    assert_true(d.depth_max_m == 0.0);
    assert_int_equal(parse("kind = files\nfolder = f\npattern = *\ndepth_m = 1000\nfx = 2\n"
                           "baseline_m = 0.5\n",
                           &d),
                     BENCH_OK);
    assert_true(d.depth_max_m == 1000.0);
}

static void descriptor_of_scenes(void **state)
{
    (void)state;
    struct dataset d;

    assert_int_equal(parse("kind = scene\nwidth = 64\nheight = 48\n"
                           "seed = 18446744073709551615\nlevel = hard\nsteep = 1\nframes = 3\n",
                           &d),
                     BENCH_OK);
    assert_int_equal(d.kind, DATASET_SCENE);
    assert_int_equal(d.scene.width, 64);
    assert_int_equal(d.scene.height, 48);
    assert_true(d.scene.seed == UINT64_MAX);
    assert_int_equal(d.scene.level, SCENE_HARD);
    assert_int_equal(d.scene.steep, 1);
    assert_int_equal(d.n_frames, 3);
    assert_int_equal(parse("kind = scene\n", &d), BENCH_OK);
    assert_int_equal(d.n_frames, 1);
    assert_int_equal(d.scene.width, 1242);
    assert_int_equal(d.scene.level, SCENE_NORMAL);
    assert_int_equal(parse("kind = noise\nseed = 7\n", &d), BENCH_OK);
    assert_true(d.scene.seed == 7);
}

#define FILES "kind = files\nfolder = f\npattern = *\n"

static void descriptor_with_faults(void **state)
{
    (void)state;
    struct dataset d;

    expect_refused("", "'kind' is missing");
    expect_refused("kind = file\n", ":1: kind = file: expected files, scene or noise");
    expect_refused("kind = files\npattern = *\n", "needs the key 'folder'");
    expect_refused("kind = files\nfolder = f\n", "needs the key 'pattern'");
    expect_refused(FILES "fodler = g\n", "made-up.ini:4: unknown key 'fodler'; did you mean "
                                         "'folder'?");
    expect_refused(FILES "scael = 1\n", "did you mean 'scale'?");
    expect_refused(FILES "seed = 1\n", "'seed' means nothing for kind = files");
    expect_refused("kind = scene\nfolder = f\n", "'folder' means nothing for kind = scene");
    expect_refused("kind = noise\nlevel = easy\n", "means nothing for kind = noise");
    expect_refused("kind = noise\nwidth = 5\n", "means nothing for kind = noise");
    expect_refused(FILES "[more]\nscale = 1\n", ":5: a descriptor of an input has no sections");
    expect_refused(FILES "scale = 0\n", "expected a number");
    expect_refused(FILES "scale = -1\n", "expected a number");
    expect_refused(FILES "scale = nan\n", "expected a number");
    expect_refused(FILES "scale = 1,5\n", "expected a number");
    expect_refused(FILES "scale = 2px\n", "expected a number");
    expect_refused(FILES "frames = 2.5\n", "whole number");
    expect_refused(FILES "frames = -1\n", "whole number");
    expect_refused(FILES "frames = 99999999999\n", "whole number");
    expect_refused(FILES "invalid = both\n", "expected none, zero, max or zero-max");
    expect_refused("kind = scene\nlevel = severe\n", "expected easy, normal or hard");
    expect_refused("kind = scene\nwidth = 0\n", "whole number");
    expect_refused("kind = scene\nwidth = 32769\n", "whole number");
    expect_refused("kind = scene\nframes = 0\n", "at least one frame");
    expect_refused("kind = scene\nseed = -1\n", "whole number");
    expect_refused("kind = scene\nseed = 18446744073709551616\n", "whole number");
    expect_refused("kind = scene\nsteep = 2\n", "whole number");
    expect_refused(FILES "scale = 1\nscale = 2\n", "scale"); /* twice */

    /* depth: all that it needs, and nothing that means something else */
    expect_refused(FILES "depth_m = 0\nfx = 1\nbaseline_m = 1\n", "expected a number");
    expect_refused(FILES "depth_m = inf\nfx = 1\nbaseline_m = 1\n", "expected a number");
    expect_refused(FILES "depth_m = 1000\nfx = 800\n", ":4: depth_m = 1000: disparity from "
                                                       "depth needs the key 'baseline_m'");
    expect_refused(FILES "depth_m = 1000\nbaseline_m = 1\n", "needs the key 'fx'");
    expect_refused(FILES "depth_m = 1000\nbaseline_m = 1\nfx = 0\n", "needs the key 'fx'");
    expect_refused(FILES "scale = 1\ndepth_m = 1000\nfx = 1\nbaseline_m = 1\n",
                   ":4: scale = 1: means nothing beside 'depth_m'");
    expect_refused(FILES "depth_m = 1000\nfx = 1\nbaseline_m = 1\noffset = 0\n",
                   ":7: offset = 0: means nothing beside 'depth_m'");
    expect_refused(FILES "depth_m = 1000\nfx = 1\nbaseline_m = 1\ninvalid = max\n",
                   "means nothing beside 'depth_m'");
    expect_refused("kind = scene\ndepth_m = 1000\n", "means nothing for kind = scene");

    /* nothing outside the data folder */
    expect_refused("kind = files\nfolder = ../f\npattern = *\n", "below the data folder");
    expect_refused("kind = files\nfolder = a/../f\npattern = *\n", "below the data folder");
    expect_refused("kind = files\nfolder = a/..\npattern = *\n", "below the data folder");
    expect_refused("kind = files\nfolder = /etc\npattern = *\n", "below the data folder");
    expect_refused("kind = files\nfolder = a//b\npattern = *\n", "below the data folder");
    expect_refused("kind = files\nfolder = .\npattern = *\n", "below the data folder");
    expect_refused("kind = files\nfolder = f\npattern = ../*\n", "below the data folder");
    expect_refused("kind = files\nfolder = f\npattern = /*\n", "below the data folder");
    assert_int_equal(parse("kind = files\nfolder = a..b/...\npattern = *\n", &d), BENCH_OK);

    /* lists */
    expect_refused("kind = files\nfolder = a,,b\npattern = *\n", "empty one");
    expect_refused("kind = files\nfolder = a, \npattern = *\n", "empty one");
    expect_refused("kind = files\nfolder = a,b,c,d,e,f,g,h,i\npattern = *\n", "too many");
    expect_refused("kind = files\nfolder = a\npattern = a,b,c,d,e\n", "too many");
    expect_refused("kind = files\nfolder = a\npattern = "
                   "0123456789012345678901234567890123456789012345678901234567890123\n",
                   "too long");
    assert_int_equal(parse("kind = files\nfolder = a,b,c,d,e,f,g,h\npattern = a,b,c,d\n", &d),
                     BENCH_OK);
    assert_string_equal(d.folder[7], "h");
    assert_string_equal(d.pattern[3], "d");
}

static void descriptor_of_companions(void **state)
{
    (void)state;
    struct dataset d;

    assert_int_equal(parse("kind = files\nfolder = f\npattern = */*_10.png, */*.pgm\n"
                           "truth_pattern = */t/*.png\ntruth_folder = a, b/c\n"
                           "truth_scale = 256\nconfidence_pattern = */*_c.png\n"
                           "probability_pattern = */*.npy\nprobability_folder = p\n"
                           "labels_pattern = */*_l.png\nlabels_coding = label-ids\n",
                           &d),
                     BENCH_OK);
    assert_string_equal(d.companion[DATASET_TRUTH].pattern, "*/t/*.png");
    assert_int_equal(d.companion[DATASET_TRUTH].n_folders, 2);
    assert_string_equal(d.companion[DATASET_TRUTH].folder[1], "b/c");
    assert_true(d.truth_scale == 256.0);
    assert_string_equal(d.companion[DATASET_CONFIDENCE].pattern, "*/*_c.png");
    assert_int_equal(d.companion[DATASET_CONFIDENCE].n_folders, 0);
    assert_string_equal(d.companion[DATASET_PROBABILITY].folder[0], "p");
    assert_string_equal(d.companion[DATASET_LABELS].pattern, "*/*_l.png");
    assert_int_equal(d.labels_coding, SEMANTIC_LABEL_IDS);

    assert_int_equal(parse(FILES "labels_pattern = *\n", &d), BENCH_OK);
    assert_int_equal(d.labels_coding, SEMANTIC_TRAIN_IDS);
    assert_true(d.truth_scale == 1.0);
    assert_string_equal(d.companion[DATASET_TRUTH].pattern, "");

    /* one star each, and no other wildcard */
    expect_refused(FILES "truth_pattern = */*\n",
                   ":4: truth_pattern = */*: expected as many '*' as in each alternative");
    expect_refused(FILES "truth_pattern = t.png\n", "expected as many '*'");
    expect_refused("kind = files\nfolder = f\npattern = *.png, x.png\ntruth_pattern = *\n",
                   "expected as many '*'");
    expect_refused("kind = files\nfolder = f\npattern = ?*\ntruth_pattern = *\n",
                   "no other wildcard");
    expect_refused("kind = files\nfolder = f\npattern = *[0-9]\nlabels_pattern = *\n",
                   "no other wildcard");
    expect_refused(FILES "truth_pattern = ?\n", "no other wildcard");
    expect_refused("kind = files\nfolder = f\npattern = *********\n"
                   "truth_pattern = *********\n",
                   "at most 8");
    assert_int_equal(parse("kind = files\nfolder = f\npattern = x?[0-9]\n", &d), BENCH_OK);

    expect_refused(FILES "truth_folder = a\n",
                   ":4: truth_folder = a: means nothing without 'truth_pattern'");
    expect_refused(FILES "truth_scale = 2\n", "means nothing without 'truth_pattern'");
    expect_refused(FILES "labels_coding = train-ids\n", "without 'labels_pattern'");
    expect_refused(FILES "truth_pattern = *\ntruth_scale = 0\n", "expected a number");
    expect_refused(FILES "labels_pattern = *\nlabels_coding = ids\n",
                   "expected train-ids or label-ids");
    expect_refused(FILES "truth_pattern = *, *\n", "too many");
    expect_refused(FILES "truth_pattern = ../*\n", "below the data folder");
    expect_refused(FILES "truth_pattern = *\ntruth_folder = /a\n", "below the data folder");
    expect_refused("kind = scene\ntruth_pattern = *\n", "means nothing for kind = scene");
    expect_refused(FILES "thruth_pattern = *\n", "did you mean 'truth_pattern'?");
    expect_refused(FILES "something_else = *\n", ":4: unknown key 'something_else'");
}

static void descriptor_names(void **state)
{
    (void)state;
    struct dataset d;
    const char *text = "kind = noise\n";

    assert_int_equal(dataset_parse(text, strlen(text), "plain", &d), BENCH_OK);
    assert_string_equal(d.name, "plain");
    assert_int_equal(dataset_parse(text, strlen(text), "x/.ini", &d), BENCH_OK);
    assert_int_equal(dataset_parse(text, strlen(text), "x/", &d), BENCH_EINPUT);
    assert_int_equal(
        dataset_parse(text, strlen(text), "a2345678901234567890123456789012.ini", &d),
        BENCH_EINPUT);
    assert_int_equal(
        dataset_parse(text, strlen(text), "a234567890123456789012345678901.ini", &d), BENCH_OK);
    assert_int_equal(dataset_read("no/such/thing.ini", &d), BENCH_EIO);
}

/* Every descriptor of the program is in order, and says where its data are from. */
static void descriptors_that_ship(void **state)
{
    (void)state;
    DIR *folder = opendir("experiments/inputs");
    const struct dirent *entry;
    int n = 0;

    assert_non_null(folder);
    while ((entry = readdir(folder)) != NULL) {
        const char *dot = strrchr(entry->d_name, '.');
        char path[512];
        struct dataset d;

        if (dot == NULL || strcmp(dot, ".ini") != 0)
            continue;
        snprintf(path, sizeof path, "experiments/inputs/%s", entry->d_name);
        if (dataset_read(path, &d) != BENCH_OK)
            fail_msg("%s", bench_failure());
        assert_true(d.source[0] != '\0');
        n++;
    }
    closedir(folder);
    assert_true(n >= 5);
}

/* ---- frames ---- */

static void make_folder(const char *below)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/%s", root, below);
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        fail_msg("%s: %s", path, strerror(errno));
}

/* A PGM of width x 1 whose pixels all have the value. */
static void make_file(const char *below, int width, int value)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/%s", root, below);

    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    fprintf(file, "P5 %d 1 255\n", width);
    for (int u = 0; u < width; u++)
        fputc(value, file);
    assert_int_equal(fclose(file), 0);
}

static enum bench_status load(const char *text, struct plane **planes, int *n)
{
    struct dataset dataset;

    if (parse(text, &dataset) != BENCH_OK)
        fail_msg("%s", bench_failure());
    *planes = (struct plane *)&dataset; /* must be overwritten */
    *n = 77;
    return dataset_load(&dataset, root, 6, 4, planes, n);
}

static void expect_not_loaded(const char *text, enum bench_status status, const char *words)
{
    struct plane *planes;
    int n;

    assert_int_equal(load(text, &planes, &n), status);
    assert_null(planes);
    assert_int_equal(n, 0);
    if (strstr(bench_failure(), words) == NULL)
        fail_msg("expected '%s' in: %s", words, bench_failure());
}

static void frames_by_name(void **state)
{
    (void)state;
    struct plane *planes;
    int n;

    make_folder("set");
    make_folder("set/sub_10.png"); /* a folder is no frame */
    make_file("set/b_10.png", 3, 2);
    make_file("set/B_10.png", 4, 1);
    make_file("set/a_10.png", 1, 7);
    make_file("set/\xC3\xA4_10.png", 2, 3); /* behind all ASCII by bytes */
    make_file("set/.hidden_10.png", 2, 9);
    make_file("set/a_11.png", 2, 9);
    (void)setlocale(LC_ALL, "C.UTF-8");
    assert_int_equal(load("kind = files\nfolder = set\npattern = *_10.png\nscale = 2\nfx = 3\n"
                          "invalid = zero\n",
                          &planes, &n),
                     BENCH_OK);
    assert_int_equal(n, 4);
    assert_string_equal(planes[0].name, "B_10");
    assert_string_equal(planes[1].name, "a_10");
    assert_string_equal(planes[2].name, "b_10");
    assert_int_equal(planes[0].width, 4);
    assert_int_equal(planes[1].width, 1);
    assert_int_equal(planes[1].disparity[0], 7 * 128);
    assert_true(planes[1].camera.fx_px == 3.0);
    assert_null(planes[1].truth);
    planes_free(planes, n);

    assert_int_equal(
        load("kind = files\nfolder = set\npattern = *_10.png\nframes = 2\n", &planes, &n),
        BENCH_OK);
    assert_int_equal(n, 2);
    assert_string_equal(planes[1].name, "a_10");
    planes_free(planes, n);
    expect_not_loaded("kind = files\nfolder = set\npattern = *_10.png\nframes = 5\n",
                      BENCH_EINPUT, "expected 5 files");
}

static void frames_in_subfolders(void **state)
{
    (void)state;
    struct plane *planes;
    int n;

    make_folder("tree");
    make_folder("tree/val");
    make_folder("tree/val/zurich");
    make_folder("tree/val/aachen[1]"); /* not a pattern here */
    make_file("tree/val/zurich/0_disparity.pgm", 1, 1);
    make_file("tree/val/aachen[1]/9_disparity.pgm", 1, 2);
    make_file("tree/val/loose_disparity.pgm", 1, 3);
    assert_int_equal(
        load("kind = files\nfolder = tree/val\npattern = */*_disparity.pgm\n", &planes, &n),
        BENCH_OK);
    assert_int_equal(n, 2);
    assert_string_equal(planes[0].name, "aachen[1]/9_disparity");
    assert_string_equal(planes[1].name, "zurich/0_disparity");
    planes_free(planes, n);
    assert_int_equal(
        load("kind = files\nfolder = tree/val/aachen[1]\npattern = 9*\n", &planes, &n),
        BENCH_OK);
    assert_int_equal(n, 1);
    planes_free(planes, n);
}

static void frames_from_alternatives(void **state)
{
    (void)state;
    struct plane *planes;
    int n;

    make_folder("empty");
    make_folder("second");
    make_folder("third");
    make_file("second/x.pgm", 1, 1);
    make_file("second/y.pgm", 1, 2);
    make_file("third/w.pgm", 1, 3);
    assert_int_equal(load("kind = files\nfolder = missing, empty, second, third\n"
                          "pattern = w.pgm, y.pgm, x.pgm\n",
                          &planes, &n),
                     BENCH_OK);
    assert_int_equal(n, 1);
    assert_string_equal(planes[0].name, "y");
    planes_free(planes, n);
    expect_not_loaded("kind = files\nfolder = missing, empty\npattern = *.png, *.pgm\n"
                      "fetch = teddy\n",
                      BENCH_ESKIP, "missing or ");
    assert_non_null(strstr(bench_failure(), root));
    assert_non_null(strstr(bench_failure(), "*.png or *.pgm"));
    assert_non_null(strstr(bench_failure(), "scripts/fetch_data teddy"));
    assert_non_null(strstr(bench_failure(), "input made-up: "));
}

/* Laid out as SYNTHIA-SF; fx * baseline = 512: 512 m are 1 px, 4 m 128 px, 1 m 512 px. */
static void frames_of_depth(void **state)
{
    (void)state;
    static const char descriptor[] = "kind = files\nfolder = SF\n"
                                     "pattern = SEQ*/DepthLeft/*.png\n"
                                     "depth_m = 1024\nfx = 1024\nbaseline_m = 0.5\n";
    /* nothing; 1024 m, the sky; a half, a 256th and a 1024th of it, which is too near */
    const uint8_t rgb[5 * 3] = {0, 0, 0, 255, 255, 255, 0, 0, 128, 0, 0, 1, 0, 64, 0};
    const uint16_t expected[5] = {DISPARITY_INVALID, 128, 256, 32768, DISPARITY_MAX};
    char path[1024];
    struct plane *planes;
    int n;

    make_folder("SF");
    make_folder("SF/SEQ1");
    make_folder("SF/SEQ1/DepthLeft");
    make_folder("SF/SEQ1/DepthRight");
    make_file("SF/SEQ1/DepthRight/0000000.png", 1, 1); /* not asked for */
    snprintf(path, sizeof path, "%s/SF/SEQ1/DepthLeft/0000000.png", root);
    assert_int_equal(image_write_rgb(path, rgb, 5, 1), BENCH_OK);
    assert_int_equal(load(descriptor, &planes, &n), BENCH_OK);
    assert_int_equal(n, 1);
    assert_string_equal(planes[0].name, "SEQ1/DepthLeft/0000000");
    assert_int_equal(planes[0].width, 5);
    assert_memory_equal(planes[0].disparity, expected, sizeof expected);
    assert_int_equal(planes[0].n_clamped, 1);
    assert_true(planes[0].camera.baseline_m == 0.5);
    planes_free(planes, n);

    /* the colours are no disparity, and grey is no depth */
    expect_not_loaded("kind = files\nfolder = SF\npattern = SEQ*/DepthLeft/*.png\n",
                      BENCH_EINPUT, "3 channels, expected 1");
    assert_int_equal(image_write_u16(path, expected, 5, 1), BENCH_OK);
    expect_not_loaded(descriptor, BENCH_EINPUT, "grey, expected 24 bits of depth");
}

/* A NumPy file of one row of pixels and two classes: class 1 has the values, class 0 the rest. */
static void make_npy(const char *below, const float *value, int width)
{
    char path[1024], header[128];
    int n;

    snprintf(path, sizeof path, "%s/%s", root, below);
    n = snprintf(header, sizeof header,
                 "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1, %d), }\n", width);

    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    fprintf(file, "\x93NUMPY\x01%c%c%c%s", 0, n, 0, header);
    for (int k = 0; k < 2; k++)
        for (int u = 0; u < width; u++) {
            const float p = k == 1 ? value[u] : 1 - value[u];

            /* as this machine has it, which the tests of npy.h look at */
            assert_int_equal(fwrite(&p, sizeof p, 1, file), 1);
        }
    assert_int_equal(fclose(file), 0);
}

static void frames_with_companions(void **state)
{
    (void)state;
    static const char descriptor[] =
        "kind = files\nfolder = pair/disp\npattern = *_10.pgm\nscale = 1\n"
        "truth_pattern = *_t.pgm\ntruth_folder = none, pair/truth, pair/disp\n"
        "truth_scale = 2\nconfidence_pattern = conf-*.pgm\n"
        "probability_pattern = *.npy\nprobability_folder = pair/truth\n"
        "labels_pattern = *_10.pgm\nlabels_folder = pair/labels\nlabels_coding = label-ids\n";
    struct plane *planes;
    int n;

    make_folder("pair");
    make_folder("pair/disp");
    make_folder("pair/truth");
    make_folder("pair/labels");
    for (int i = 0; i < 2; i++) {
        char name[64];
        const float p[3] = {0, 1, 0.25f};

        /* the frame a_10 has the companions of "a" */
        snprintf(name, sizeof name, "pair/disp/%c_10.pgm", 'a' + i);
        make_file(name, 3, 50 + i);
        snprintf(name, sizeof name, "pair/truth/%c_t.pgm", 'a' + i);
        make_file(name, 3, i == 0 ? 101 : 0);
        snprintf(name, sizeof name, "pair/disp/conf-%c.pgm", 'a' + i);
        make_file(name, 3, 200 + i);
        snprintf(name, sizeof name, "pair/truth/%c.npy", 'a' + i);
        make_npy(name, p, 3);
        snprintf(name, sizeof name, "pair/labels/%c_10.pgm", 'a' + i);
        make_file(name, 3, i == 0 ? 11 : 4);
    }
    if (load(descriptor, &planes, &n) != BENCH_OK)
        fail_msg("%s", bench_failure());
    assert_int_equal(n, 2);
    for (int i = 0; i < 2; i++)
        for (int u = 0; u < 3; u++) {
            static const uint16_t probability[6] = {65535, 0, 49151, 0, 65535, 16384};

            assert_int_equal(planes[i].disparity[u], 256 * (50 + i));
            assert_int_equal(planes[i].truth[u], i == 0 ? 101 * 128 : DISPARITY_INVALID);
            assert_int_equal(planes[i].confidence[u], 200 + i);
            assert_int_equal(planes[i].truth_class[u], i == 0 ? 2 : 255);
            assert_int_equal(planes[i].n_classes, 2);
            assert_memory_equal(planes[i].probability, probability, sizeof probability);
        }
    assert_int_equal(planes[0].n_clamped, 0);
    planes_free(planes, n);

    /* one that is missing, of another size, of another kind */
    make_file("pair/disp/c_10.pgm", 3, 52);
    expect_not_loaded(descriptor, BENCH_EINPUT,
                      "the frame c_10.pgm has no truth: expected a "
                      "file ");
    assert_non_null(strstr(bench_failure(), "pair/truth/c_t.pgm"));
    make_file("pair/truth/c_t.pgm", 2, 1);
    expect_not_loaded(descriptor, BENCH_EINPUT, "c_t.pgm: 2 x 1 pixels, expected 3 x 1");
    make_file("pair/truth/c_t.pgm", 3, 1);
    make_file("pair/disp/conf-c.pgm", 4, 1);
    expect_not_loaded(descriptor, BENCH_EINPUT, "conf-c.pgm: 4 x 1 pixels, expected 3 x 1");
    make_file("pair/disp/conf-c.pgm", 3, 1);
    make_file("pair/truth/c.npy", 3, 1);
    expect_not_loaded(descriptor, BENCH_EINPUT, "c.npy: no .npy file");
    make_npy("pair/truth/c.npy", (const float[]){1, 1, 1, 1}, 4);
    expect_not_loaded(descriptor, BENCH_EINPUT, "c.npy: shape (2, 1, 4), expected");
    make_npy("pair/truth/c.npy", (const float[]){1, 1, 1}, 3);
    expect_not_loaded(descriptor, BENCH_EINPUT, "c_10.pgm has no labels");
    make_file("pair/labels/c_10.pgm", 3, 34);
    expect_not_loaded(descriptor, BENCH_EINPUT, "has the label 34");
    make_file("pair/labels/c_10.pgm", 3, 33);
    assert_int_equal(load(descriptor, &planes, &n), BENCH_OK);
    assert_int_equal(planes[2].truth_class[2], 18);
    planes_free(planes, n);

    /* the frames that are asked for need theirs, no others */
    assert_int_equal(load("kind = files\nfolder = pair/disp\npattern = *_10.pgm\nframes = 1\n"
                          "truth_pattern = a_*.pgm\n",
                          &planes, &n),
                     BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "expected a file "));
    assert_int_equal(load("kind = files\nfolder = pair/disp\npattern = *_10.pgm\nframes = 1\n"
                          "truth_pattern = *_10.pgm\n",
                          &planes, &n),
                     BENCH_OK);
    assert_int_equal(planes[0].truth[0], planes[0].disparity[0]);
    planes_free(planes, n);
}

static void companions_that_are_not_known(void **state)
{
    (void)state;
    struct plane *planes;
    int n;

    make_folder("alone");
    make_file("alone/a.pgm", 2, 7);
    make_file("alone/file", 2, 7);
    assert_int_equal(load("kind = files\nfolder = alone\npattern = *.pgm\n"
                          "truth_pattern = *.pgm\ntruth_folder = none, alone/none\n"
                          "confidence_pattern = *.pgm\nconfidence_folder = alone/file\n"
                          "probability_pattern = *.npy\nprobability_folder = none\n"
                          "labels_pattern = *.pgm\nlabels_folder = none\n",
                          &planes, &n),
                     BENCH_OK);
    assert_int_equal(planes[0].disparity[1], 7 * 256);
    assert_null(planes[0].truth);
    assert_null(planes[0].confidence);
    assert_null(planes[0].probability);
    assert_int_equal(planes[0].n_classes, 0);
    assert_null(planes[0].truth_class);
    planes_free(planes, n);
}

/* What each of several stars stands for. */
static void companions_with_stars(void **state)
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

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char folder[32], below[64], name[128], text[512];
        struct plane *planes;
        int n;

        snprintf(folder, sizeof folder, "stars%zu", i);
        make_folder(folder);
        snprintf(below, sizeof below, "%s/t", folder);
        make_folder(below);
        for (int k = 0; k < 2; k++) { /* the folders below, wherever they are needed */
            snprintf(name, sizeof name, "%s/x", k == 0 ? folder : below);
            make_folder(name);
        }
        snprintf(name, sizeof name, "%s/x/yx", folder);
        make_folder(name);
        snprintf(name, sizeof name, "%s/%s", folder, cases[i].frame);
        make_file(name, 1, 1);
        snprintf(name, sizeof name, "%s/%s", below, cases[i].companion);
        make_file(name, 1, 9);
        snprintf(text, sizeof text,
                 "kind = files\nfolder = %s\npattern = %s\ntruth_folder = %s\n"
                 "truth_pattern = %s\n",
                 folder, cases[i].pattern, below, cases[i].companion_pattern);
        if (load(text, &planes, &n) != BENCH_OK)
            fail_msg("%s %s: %s", cases[i].frame, cases[i].pattern, bench_failure());
        assert_int_equal(n, 1);
        assert_int_equal(planes[0].truth[0], 9 * 256);
        planes_free(planes, n);
    }

    /* no star leads out of the folder */
    make_folder("out");
    make_folder("out/t");
    make_file("out/a..", 1, 1);
    make_file("out/x", 1, 1);
    expect_not_loaded("kind = files\nfolder = out\npattern = a*\ntruth_folder = out/t\n"
                      "truth_pattern = */x\n",
                      BENCH_EINPUT, "the frame a.. has no truth");
}

static void frames_that_are_broken(void **state)
{
    (void)state;
    char path[1024];

    make_folder("bad");
    make_file("bad/1.pgm", 2, 1);
    make_file("bad/2.pgm", 2, 1);
    snprintf(path, sizeof path, "%s/bad/2.pgm", root);
    assert_int_equal(truncate(path, 12), 0);
    expect_not_loaded("kind = files\nfolder = bad\npattern = *\n", BENCH_EINPUT, "bad/2.pgm");
}

static void frames_made_here(void **state)
{
    (void)state;
    struct plane *planes;
    int n;

    assert_int_equal(load("kind = noise\nseed = 5\n", &planes, &n), BENCH_OK);
    assert_int_equal(n, 1);
    assert_int_equal(planes[0].width, 6);
    assert_int_equal(planes[0].height, 4);
    planes_free(planes, n);

    assert_int_equal(
        load("kind = scene\nwidth = 64\nheight = 40\nseed = 11\nframes = 2\n", &planes, &n),
        BENCH_OK);
    assert_int_equal(n, 2);
    assert_string_equal(planes[0].name, "scene-11");
    assert_string_equal(planes[1].name, "scene-12");
    assert_int_equal(planes[1].width, 64);
    assert_memory_not_equal(planes[0].disparity, planes[1].disparity, 64 * 40 * 2);
    planes_free(planes, n);
    planes_free(NULL, 0);
}

static int enter(void **state)
{
    const char *folder = getenv("TEST_TMP");

    (void)state;
    (void)mkdir("build", 0777);
    if (folder == NULL || folder[0] == '\0')
        folder = "build/test-tmp";
    (void)mkdir(folder, 0777);
    snprintf(root, sizeof root, "%s/dataset.XXXXXX", folder);
    return mkdtemp(root) == NULL;
}

static void remove_tree(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char below[2048];
        struct stat facts;

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        if (lstat(below, &facts) == 0 && S_ISDIR(facts.st_mode))
            remove_tree(below);
        else
            (void)unlink(below);
    }
    if (folder != NULL)
        closedir(folder);
    (void)rmdir(path);
}

static int leave(void **state)
{
    (void)state;
    remove_tree(root);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptor_of_files),
        cmocka_unit_test(descriptor_of_scenes),
        cmocka_unit_test(descriptor_with_faults),
        cmocka_unit_test(descriptor_names),
        cmocka_unit_test(descriptor_of_companions),
        cmocka_unit_test(frames_with_companions),
        cmocka_unit_test(companions_that_are_not_known),
        cmocka_unit_test(companions_with_stars),
        cmocka_unit_test(descriptors_that_ship),
        cmocka_unit_test(frames_by_name),
        cmocka_unit_test(frames_in_subfolders),
        cmocka_unit_test(frames_from_alternatives),
        cmocka_unit_test(frames_of_depth),
        cmocka_unit_test(frames_that_are_broken),
        cmocka_unit_test(frames_made_here),
    };

    return cmocka_run_group_tests(tests, enter, leave);
}
