/* regular - opens regular files whose names other users may have created */
#ifndef STORE_BASE_SYSTEM_REGULAR_H
#define STORE_BASE_SYSTEM_REGULAR_H

#include "store/base/core/base.h"

enum {
	REGULAR_FAILED = -1, /* errno has the reason */
	REGULAR_OTHER = -2,  /* a folder, a link, a pipe, a socket, a device */
};

/**
 * regular_open - open a regular file for reading; follows no link and does not block
 * @dir: directory that @name is relative to, or AT_FDCWD
 *
 * Return: a descriptor, or REGULAR_*
 */
int regular_open(int dir, const char *name) must_check;

/**
 * regular_open_for - as regular_open(), with @flags: O_WRONLY, O_RDWR, O_APPEND, O_EXCL, O_CREAT (mode 0600)
 *
 * O_TRUNC is not allowed: it would empty a file before it is checked.
 */
int regular_open_for(int dir, const char *name, int flags) must_check;

#endif
