/*
 * device - a mount point and the kernel's end of it: mounting, unmounting, cleaning up
 *
 * The process that mounts need not be the one that serves: the descriptor can
 * be handed over (join.h).
 */
#ifndef FS_DAEMON_DEVICE_H
#define FS_DAEMON_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "store/base/core/call.h"

struct options;

/** device_is_dead - is it a mount whose daemon was killed ("Transport endpoint is not connected")? */
bool device_is_dead(const char *path);

/**
 * device_point - the absolute path of a mount point
 * @path: as the user gave it
 * @out:  in the call's arena
 *
 * What a killed daemon left there ("Transport endpoint is not connected") is unmounted first.
 * Errors:  -ERR_IO  not there, or not a directory
 */
int device_point(struct call *c, const char *path, const char **out)
	__attribute__((warn_unused_result));

/**
 * device_apart - a store and a mount point must not lie in each other
 * @store: absolute path, as realpath() gives it
 * @point: the same of the mount point
 *
 * Errors:  -ERR_VALIDATION
 */
int device_apart(struct call *c, const char *store, const char *point)
	__attribute__((warn_unused_result));

/**
 * device_mount - mount a new FUSE connection
 * @o:     its words for the kernel
 * @store: absolute path, shown as the mount's source
 * @point: absolute path
 * @out:   descriptor of the connection; the kernel waits for FUSE_INIT to be answered on it
 *
 * Root mounts by itself, others through fusermount3.
 * Errors:  -ERR_IO  refused; why has been written to standard error by libfuse or fusermount3
 */
int device_mount(struct call *c, const struct options *o, const char *store, const char *point,
		 int *out) __attribute__((warn_unused_result));

/**
 * device_number - which file system is mounted at @point: st_dev, or 0 when that cannot be told
 *
 * The kernel knows it, its daemon is not asked.  The same number in every mount namespace.
 */
uint64_t device_number(const char *point);

enum device_outcome { DEVICE_BUSY = 1 };

/**
 * device_unmount - take a mount point away
 * @lazy: also when somebody is in it: it leaves the tree now, the connection goes with its last user
 *
 * Return: 0, or DEVICE_BUSY when it is in use or cannot be unmounted here.
 */
int device_unmount(const char *point, bool lazy);

#endif
