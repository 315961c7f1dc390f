/*
 * dataset.h - named inputs: experiments/inputs/NAME.ini says which files, and what their values mean
 *
 *     kind     = files            ; files | scene | noise
 *     folder   = kitti2015/sgm    ; below the data folder; a list of alternatives, the first that exists wins
 *     pattern  = *_10.png         ; a shell pattern of file names, sorted by name
 *     frames   = 25               ; how many; 0: all that are there
 *     scale    = 1                ; disparity_px = (value - offset) / scale
 *     offset   = 0
 *     invalid  = zero             ; none | zero | max | zero-max
 *     fx fy cx cy baseline_m height_m pitch_rad ; the camera, where known
 *     source   = KITTI 2015, ...  ; shown by `depthbench list`
 *     seed level steep width height ; kind = scene, noise
 *
 * The data folder is --data, else $DEPTHBENCH_DATA, else "data".
 */
#ifndef INPUTS_DATASET_H
#define INPUTS_DATASET_H

#include "inputs/image.h"
#include "inputs/plane.h"
#include "inputs/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

enum dataset_kind { DATASET_FILES, DATASET_SCENE, DATASET_NOISE };

struct dataset {
    char name[32];
    enum dataset_kind kind;
    char folder[8][256]; /* alternatives; n_folders of them */
    int n_folders;
    char pattern[64];
    int n_frames; /* as the descriptor says; 0: all */
    struct disparity_coding coding;
    struct camera camera;
    struct scene_options scene; /* kind scene, noise */
    char source[256];
};

/* Read and check a descriptor.  BENCH_EINPUT names file and line; an unknown key names the nearest one. */
enum bench_status dataset_read(const char *path, struct dataset *dataset);

/*
 * Load all frames of a data set (kind noise: one frame of noise_width x noise_height; the sizes of the other
 * kinds come from the files or the descriptor).  On success *planes is an array of *n_planes >= 1 owned by the
 * caller: planes_free().  BENCH_ESKIP with a sentence that says where the files were sought when none is there
 * (a missing data set is no failure), else BENCH_EIO, BENCH_EINPUT, BENCH_ENOMEM.
 */
enum bench_status dataset_load(const struct dataset *dataset, const char *data_folder,
                               int noise_width, int noise_height, struct plane **planes,
                               int *n_planes);

void planes_free(struct plane *planes, int n_planes);

#ifdef __cplusplus
}
#endif

#endif
