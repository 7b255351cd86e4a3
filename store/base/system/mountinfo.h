/* mountinfo - parser of /proc/PID/mountinfo for FUSE mounts and itemfs mounts */
#ifndef STORE_BASE_SYSTEM_MOUNTINFO_H
#define STORE_BASE_SYSTEM_MOUNTINFO_H

#include <stdbool.h>
#include <sys/types.h>

/* A FUSE mount. The strings point into the parsed line. */
struct mountinfo {
	unsigned connection; /* name of its directory in /sys/fs/fuse/connections */
	unsigned uid;        /* user who mounted it */
	const char *type;    /* "fuse", "fuse.itemfs" ... */
	const char *point;   /* directory that it is mounted on */
	const char *source;  /* itemfs: the store, as passed to device_mount() */
};

/**
 * mountinfo_parse - parse one line, see proc(5)
 * @line: without its newline; modified
 *
 * Return: false if it is not a mount of itemfs, or not a valid line
 */
bool mountinfo_parse(char *line, struct mountinfo *out);

/** mountinfo_parse_fuse - as mountinfo_parse(), for any FUSE mount that is not on a block device */
bool mountinfo_parse_fuse(char *line, struct mountinfo *out);

/**
 * mountinfo_user - find the user who mounted the FUSE file system with this device number
 *
 * Return: false, with @out unchanged, if it is not a FUSE file system
 */
bool mountinfo_user(dev_t device, uid_t *out);

#endif
