/* mountinfo - reader of /proc/self/mountinfo for FUSE mounts */
#ifndef STORE_BASE_SYSTEM_MOUNTINFO_H
#define STORE_BASE_SYSTEM_MOUNTINFO_H

#include "store/base/core/base.h"

/* A FUSE mount that is not on a block device. The strings point into the parsed line. */
struct mountinfo {
	unsigned connection; /* its directory in /sys/fs/fuse/connections; minor device number */
	unsigned uid;        /* user who mounted it */
	bool itemfs;         /* its type is "fuse.itemfs" */
	const char *point;   /* directory that it is mounted on */
	const char *source;  /* itemfs: the store, as passed to device_mount() */
};

/**
 * mountinfo_parse - parse one line, see proc(5)
 * @line: without its newline; modified
 *
 * Return: false if it is not a FUSE mount, or not a valid line
 */
bool mountinfo_parse(char *line, struct mountinfo *out);

/* The mounts that this process sees. */
struct mountinfo_list {
	FILE *file; /* NULL: it cannot be read, and the list is empty */
	char *line;
	size_t room;
};

void mountinfo_open(struct mountinfo_list *out);

/** mountinfo_next - read the next FUSE mount, which is valid until the next call; Return: false at the end */
bool mountinfo_next(struct mountinfo_list *l, struct mountinfo *out);

/** mountinfo_close - for cleanup() */
void mountinfo_close(const struct mountinfo_list *l);

/**
 * mountinfo_user - find the user who mounted the FUSE file system with this device number
 *
 * Return: false, with @out unchanged, if it is not a FUSE file system
 */
bool mountinfo_user(dev_t device, uid_t *out);

#endif
