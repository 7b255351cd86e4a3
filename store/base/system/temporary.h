/*
 * temporary - temporary directory that its process removes; if that was killed, the next process that creates one does
 *
 * The directory is locked as long as a descriptor of it is open.  An unlocked one belongs to a process that was killed.
 * On a file system without locks, none is created and none is removed, because stale ones could not be recognized.
 */
#ifndef STORE_BASE_SYSTEM_TEMPORARY_H
#define STORE_BASE_SYSTEM_TEMPORARY_H

#include "store/base/core/base.h"

struct temporary {
	char *path; /* heap; NULL: no directory */
	int fd;     /* of the directory, close-on-exec; -1: none */
};

/**
 * temporary_make - remove stale directories in @parent, then create an empty one of mode 0700
 * @prefix: of the names; six characters follow.  Only stale directories of the same user and of mode 0700 are removed
 *
 * Return: false with errno on failure; @out then has no directory
 */
bool temporary_make(const char *parent, const char *prefix, struct temporary *out) must_check;

/** temporary_remove - remove the directory and its contents, if there is one */
void temporary_remove(struct temporary *t);

#endif
