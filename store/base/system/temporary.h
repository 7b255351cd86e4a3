/*
 * temporary - a directory that is gone when its process is: removed by it, or by the next one that makes such a directory
 *
 * It is locked as long as a descriptor of it is open.  One that nobody has locked is of a process that was killed.
 * Where a file system has no locks, none is made, and none removed: another process's could not be told from a stale one.
 */
#ifndef STORE_BASE_SYSTEM_TEMPORARY_H
#define STORE_BASE_SYSTEM_TEMPORARY_H

#include <stdbool.h>

struct temporary {
	char *path; /* heap; NULL: there is none */
	int fd;     /* of the directory; closed on exec; -1 */
};

/**
 * temporary_make - a new empty directory of mode 0700 in @parent, after those that are left over there are removed
 * @prefix: what their names begin with; six characters follow.  Only one's own are removed, with that mode
 *
 * Return: false: errno says why, and @out has none
 */
bool temporary_make(const char *parent, const char *prefix, struct temporary *out)
	__attribute__((warn_unused_result));

/** temporary_remove - the directory with all that is in it, if there is one */
void temporary_remove(struct temporary *t);

#endif
