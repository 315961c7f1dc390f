/*
 * gpu_lock.h - programs that would measure on one GPU at once take turns
 *
 * Two runs on a GPU at once disturb each other's times.  A turn is a lock on a file of the
 * GPU's name in the folder for temporary files, held while a program opens the GPU and while it
 * measures one configuration; inputs and references are made outside it.
 */
#ifndef GPU_LOCK_H
#define GPU_LOCK_H

#include <stdbool.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

/* Wait for the turn on 'name', a word without '/', until 'stop' (may be NULL), asked after each
 * signal, says no.  Returns what gpu_lock_release() takes; -1: there is no file, or the wait
 * was stopped, and the caller measures all the same, or stops. */
int gpu_lock_acquire(const char *name, bool (*stop)(void));
void gpu_lock_release(int turn);
/* True if a program has the turn on 'name' now.  Makes and changes nothing. */
bool gpu_lock_is_taken(const char *name);

__END_DECLS

#endif
