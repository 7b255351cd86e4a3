/* mountinfo - the lines of /proc/PID/mountinfo that are mounts of itemfs */
#ifndef STORE_BASE_MOUNTINFO_H
#define STORE_BASE_MOUNTINFO_H

#include <stdbool.h>

/* Strings point into the line. */
struct mountinfo {
	unsigned connection; /* its directory's name in /sys/fs/fuse/connections */
	unsigned uid;        /* who mounted it */
	const char *point;
	const char *source; /* the store, as device_mount() was given it */
};

/**
 * mountinfo_parse - read one line, see proc(5)
 * @line: without its end; changed
 *
 * Return: false: not a mount of itemfs, or no such line at all
 */
bool mountinfo_parse(char *line, struct mountinfo *out);

#endif
