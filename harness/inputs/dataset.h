/*
 * dataset.h - named inputs: experiments/inputs/NAME.ini says which files, what values mean
 *
 *     kind     = files            ; or pairs, scene, noise; by default files
 *     folder   = kitti2015/sgm    ; below the data folder; a list of alternatives (at most 8)
 *     pattern  = *_10.png         ; a shell pattern, '/' goes into subfolders; a list of
 *                                 ; alternatives (at most 4)
 *     frames   = 25               ; how many, the first by name; 0: all that are there
 *     scale    = 1                ; disparity_px = (value - offset) / scale
 *     offset   = 0
 *     invalid  = zero             ; none | zero | max | zero-max
 *     coding   = kitti            ; instead of these three: a name of value_codings (coding.h)
 *     threshold = 80              ; levels up to this are background, for the mesh of [SOM];
 *                                 ; 0: not known; any kind
 *     depth_m  = 1000             ; instead of all four: the files are RGB PNGs with depth in
 *                                 ; 24 bits, depth_m * (R + 256 G + 65536 B) / (2^24 - 1);
 *                                 ; disparity_px = fx * baseline_m / depth, both must be
 *                                 ; given; depth 0 is invalid
 *     fx fy cx cy baseline_m height_m pitch_rad ; the camera, where known
 *     truth_pattern confidence_pattern probability_pattern labels_pattern ; companions, below
 *     truth_folder confidence_folder probability_folder labels_folder
 *     truth_scale = 256           ; disparity_px = value / truth_scale, 0 is none; default 1
 *     labels_coding = train-ids   ; train-ids (default) | label-ids, see semantic.h
 *     fetch    = kitti2015        ; what `scripts/fetch_data` calls it, where it can get it
 *     source   = KITTI 2015, ...  ; shown by `depthbench list`; any kind
 *     seed                        ; kind = scene, noise
 *     level steep width height frames ; kind = scene; frame i has the seed seed + i
 *     views    = 1                ; kind = scene: with what two cameras see (views.h)
 *     include  = cones.ini        ; a descriptor beside it: its keys count, but for those given
 *
 * A frame of kind pairs is two views without a map, perhaps with the truth:
 *
 *     left     = image_0/A*.png ; in place of pattern
 *     right    = image_1/A*.png ; a companion, below, which each frame has
 *     right_folder truth_folder truth_pattern truth_scale
 *
 * Folders are tried in order, in each the patterns in order; the first that finds a file wins.
 * Files are sorted by the bytes of their names, so that a frame's number depends on no locale.
 *
 * A companion is a file that goes with each frame and says more about it:
 *
 *     truth        an image of disparities: plane->truth
 *     confidence   an image of 8 bits, 255 sure: plane->confidence
 *     probability  a NumPy file of class probabilities (npy.h): plane->probability
 *     labels       an image of classes (semantic.h): plane->truth_class
 *     right        a view (views.h): plane->view[1]
 *
 * Its pattern has as many '*' as each of the frames' patterns, which may then have no other
 * wildcard; each stands in turn for what the frame's did (the shortest, from the left, where
 * there is a choice).  So with
 *
 *     pattern             = *_disparity.png
 *     probability_folder  = scores
 *     probability_pattern = fcn_*.npy
 *
 * the frame aachen_000019_disparity.png has the probabilities scores/fcn_aachen_000019.npy.
 * Folders are alternatives below the data folder, the first that is there counts; where the key
 * is not given, it is the frames' own.  Where none is there, the companion is not known and the
 * member stays NULL; where one is, each frame must have its file, of the frame's size.
 *
 * The data folder is --data, else $DEPTHBENCH_DATA, else "data".
 */
#ifndef INPUTS_DATASET_H
#define INPUTS_DATASET_H

#include "harness/inputs/image.h"
#include "harness/inputs/plane.h"
#include "harness/inputs/scene.h"
#include "harness/inputs/semantic.h"

#define DATASET_MAX_FOLDERS  8
#define DATASET_MAX_PATTERNS 4

enum dataset_kind { DATASET_FILES, DATASET_PAIRS, DATASET_SCENE, DATASET_NOISE };

enum dataset_companion {
    DATASET_TRUTH,
    DATASET_CONFIDENCE,
    DATASET_PROBABILITY,
    DATASET_LABELS,
    DATASET_RIGHT,
    DATASET_N_COMPANIONS
};

/* Lists of alternatives end with an empty one, or are full. */
typedef char dataset_folders[DATASET_MAX_FOLDERS][256];

/* The place of a frame's companion. */
struct companion {
    dataset_folders folder; /* none: the frames' folder */
    char pattern[64];       /* "": there is no such companion */
};

struct dataset {
    char name[32];
    enum dataset_kind kind;
    dataset_folders folder;
    char pattern[DATASET_MAX_PATTERNS][64];
    int n_frames; /* as the descriptor says; 0: all */
    /* without fx_px and baseline_m; a max_m above 0: the files hold depth in 24 bits */
    struct disparity_coding coding;
    char coding_name[16]; /* of the key `coding`; "": it is not given */
    int threshold;
    struct camera camera;
    struct companion companion[DATASET_N_COMPANIONS];
    double truth_scale;
    enum semantic_coding labels_coding;
    struct scene_options scene; /* kind scene; kind noise: its seed */
    int has_views;              /* kind scene */
    int most_px;                /* kind noise */
    char fetch[32];             /* "" where the files cannot be fetched */
    char source[256];
};

/* Read and check a descriptor.  BENCH_EINPUT names file and line; an unknown key names the
 * nearest one.  On failure 'dataset' is zeroed. */
enum bench_status dataset_read(const char *path, struct dataset *dataset);

/* The same from memory ('path' gives the name and begins the messages). */
enum bench_status dataset_parse(const char *text, size_t n_bytes, const char *path,
                                struct dataset *dataset);

/*
 * Counts the frames of a data set.  'data_folder' NULL: "data".  BENCH_ESKIP when no file is
 * there (a missing data set is no failure), with a sentence that says where they were sought.
 * BENCH_EINPUT when some are there but fewer than 'frames', else BENCH_EIO, BENCH_ENOMEM.
 */
enum bench_status dataset_count(const struct dataset *dataset, const char *data_folder,
                                int *n_frames);

/*
 * Load the frames first .. first + n - 1 of these (kind noise: one frame of noise_width x
 * noise_height; the sizes of the other kinds come from the files or the descriptor; sizes may
 * differ between frames).  A frame is the same whatever is loaded beside it.  On success
 * *planes is an array of n >= 1 owned by the caller: planes_free(); else NULL.  As
 * dataset_count; BENCH_EINPUT also where a frame has not its companion.
 */
enum bench_status dataset_load(const struct dataset *dataset, const char *data_folder,
                               int noise_width, int noise_height, int first, int n,
                               struct plane **planes);

/*
 * Tells data sets apart without reading a frame: XXH64 of the descriptor, and of the names and
 * sizes of the first n frames' files and companions.  As dataset_load.
 */
enum bench_status dataset_hash(const struct dataset *dataset, const char *data_folder, int n,
                               uint64_t *hash);

/* Says what dataset_load would say of the files, without reading them.  *n_files: how many are
 * there; 0 for a kind that is made. */
enum bench_status dataset_find(const struct dataset *dataset, const char *data_folder,
                               size_t *n_files);

void planes_free(struct plane *planes, int n_planes);

#endif
