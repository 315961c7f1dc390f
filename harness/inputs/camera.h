/*
 * camera.h - the camera of an image from its calibration file; the ending of the name tells the
 * kind
 *
 *     .ini   our own: fx, fy, cx, cy (px), baseline_m, height_m, pitch_rad, all optional, no
 *            section
 *     .txt   KITTI's calibration of rectified images: the colour pair P2 and P3 (P_rect_02 and
 *            P_rect_03), where there is neither, the grey pair P0 and P1 (P_rect_00 and
 *            P_rect_01); baseline_m = (P2[3] - P3[3]) / fx.  Height and pitch are not in it and
 *            stay unknown (0); KITTI's cameras are 1.65 m above the road (its page on the
 *            sensor setup).
 *     .json Cityscapes' camera files: extrinsic.baseline, pitch and z, intrinsic.fx, fy, u0 and
 *            v0, all of them.  Needs jansson (HAVE_JANSSON); a program built without it says
 *            so.
 *
 * Cityscapes' frame of the vehicle is ISO 8855: x ahead, y left, z up, the origin on the ground
 * below the rear axle.  The camera is turned in it by roll about x, then pitch about y, then
 * yaw about z.  It looks along (cos yaw cos pitch, sin yaw cos pitch, -sin pitch): a positive
 * pitch looks down, as it does here, and z is the height above the road
 * (cityscapesScripts: docs/csCalibration.pdf; the matrix in docs/Box3DImageTransform.ipynb is
 * that of pitch 0.038, z 1.22).  Yaw and roll are not used.
 */
#ifndef INPUTS_CAMERA_H
#define INPUTS_CAMERA_H

#include "harness/inputs/plane.h"

#include <stddef.h>

/*
 * Read 'path'.  BENCH_EIO: cannot be read; BENCH_EINPUT: another ending, not such a file, a
 * value out of range (one sentence, with the line where there is one; an unknown key names the
 * nearest one); BENCH_EENV: JSON, and the program was built without jansson; BENCH_ENOMEM.
 * 'camera' is zeroed then.
 */
enum bench_status camera_read(const char *path, struct camera *camera);

/* The same from memory ('path' tells the kind and begins the messages). */
enum bench_status camera_parse(const char *text, size_t n_bytes, const char *path,
                               struct camera *camera);

/*
 * BENCH_OK when the camera can say where the road is: fx, baseline_m and height_m above zero,
 * fy too unless it is 0 (it means fx then), all of it finite.  Else BENCH_EINPUT with one
 * sentence that begins with 'name' ("scene-1", "camera.ini") and says what is missing.
 */
enum bench_status camera_check_stereo(const struct camera *camera, const char *name);

#endif
