/* mountinfo - the lines of /proc/PID/mountinfo that are mounts of FUSE, and those of itemfs among them */
#ifndef STORE_BASE_SYSTEM_MOUNTINFO_H
#define STORE_BASE_SYSTEM_MOUNTINFO_H

#include <stdbool.h>
#include <sys/types.h>

/* Strings point into the line. */
struct mountinfo {
	unsigned connection; /* its directory's name in /sys/fs/fuse/connections */
	unsigned uid;        /* who mounted it */
	const char *type;    /* "fuse", "fuse.itemfs" ... */
	const char *point;
	const char *source; /* of itemfs the store, as device_mount() was given it */
};

/**
 * mountinfo_parse - read one line, see proc(5)
 * @line: without its end; changed
 *
 * Return: false: not a mount of itemfs, or no such line at all
 */
bool mountinfo_parse(char *line, struct mountinfo *out);

/** mountinfo_parse_fuse - likewise of any mount of FUSE without a disk */
bool mountinfo_parse_fuse(char *line, struct mountinfo *out);

/**
 * mountinfo_user - who has mounted the file system of FUSE that files with this device are on
 *
 * Return: false: it is none
 */
bool mountinfo_user(dev_t device, uid_t *out);

#endif
