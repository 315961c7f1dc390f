/*
 * gpu_lock.h - programs that would measure on one GPU at once take turns
 *
 * Two runs on a GPU at once disturb each other's times.  A turn is a lock on a file of the
 * GPU's name in the folder for temporary files, held while a program opens the GPU and while it
 * measures one cell; inputs and references are made outside it, so that runs side by side still
 * gain by their processors.  Other programs on the GPU know nothing of it.
 */
#ifndef GPU_LOCK_H
#define GPU_LOCK_H

#include <stdbool.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

/*
 * Wait for the turn on 'name', a word without '/'; at most until 'stop' (may be NULL) says so,
 * asked after each signal.  Returns what gpu_lock_release takes; -1 without a turn, where the
 * file cannot be made or the wait was stopped: the caller measures all the same, or stops.
 */
int gpu_lock_acquire(const char *name, bool (*stop)(void));
void gpu_lock_release(int turn);
/* True if a program has the turn on 'name' now.  Makes and changes nothing. */
bool gpu_lock_is_taken(const char *name);

__END_DECLS

#endif
