/*
 * device - mount points: mount, unmount, clean up
 *
 * The process that mounts may hand the descriptor of the connection to another process, which serves it (join.h).
 */
#ifndef FS_DAEMON_DEVICE_H
#define FS_DAEMON_DEVICE_H

#include "store/base/core/base.h"

struct options;

/* The mount point of a session that serves a socket instead of a mount */
#define DEVICE_SOCKET "itemctl:"

/** device_is_socket - Return: whether @point is DEVICE_SOCKET */
bool device_is_socket(const char *point);

/**
 * device_given - find the socket that is given in place of a mount point, as /dev/fd/N
 *
 * itemctl ls, cat, tree and find are at its other end: they send the requests of FUSE themselves.  The socket
 * preserves messages (SOCK_SEQPACKET) and is not one of the three standard descriptors.
 * Return: false: @path is a mount point
 */
bool device_given(const char *path, int *out);

/** device_is_dead - Return: whether @path is a mount whose daemon has ended ("Transport endpoint is not connected") */
bool device_is_dead(const char *path);

/**
 * device_point - check a mount point and return its absolute path
 * @path: as the user gave it
 * @out:  set to the path, in the call's arena
 *
 * A dead mount at @path (device_is_dead()) is unmounted first.
 * Errors:  -ERR_VALIDATION  missing, no directory, or itemfs is mounted there;  -ERR_IO  it cannot be read
 */
int device_point(struct call *c, const char *path, const char **out) must_check;

/**
 * device_apart - check that neither of a store and a mount point is inside the other
 * @store: absolute path, without symbolic links
 * @point: likewise
 *
 * Errors:  -ERR_VALIDATION
 */
int device_apart(struct call *c, const char *store, const char *point) must_check;

/**
 * device_mount - mount a new FUSE connection
 * @o:     options, among them the words for the kernel
 * @store: absolute path or endpoint, shown as the source of the mount
 * @point: absolute path
 * @out:   set to the descriptor of the connection, on which the kernel sends FUSE_INIT
 *
 * Root mounts directly, other users with fusermount3.
 * Errors:  -ERR_VALIDATION  libfuse refuses the options;  -ERR_IO  the mount failed, and libfuse or fusermount3 has
 *          written the reason to standard error
 */
int device_mount(struct call *c, const struct options *o, const char *store, const char *point,
		 int *out) must_check;

/**
 * device_number - st_dev of the filesystem that is mounted at @point; 0: unknown
 *
 * The kernel does not ask the daemon for it.  It is the same in all mount namespaces.
 */
uint64_t device_number(const char *point);

enum device_outcome { DEVICE_BUSY = 1 };

/**
 * device_unmount - unmount a mount point
 * @lazy: unmount it even if it is in use: it leaves the tree now, and the connection ends with its last user
 *
 * Does nothing for DEVICE_SOCKET, whatever has that name in the working directory.
 * Return: 0; DEVICE_BUSY: it is in use, or cannot be unmounted here
 */
int device_unmount(const char *point, bool lazy);

#endif
