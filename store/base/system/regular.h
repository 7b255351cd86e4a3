/* regular - files that are opened by a name that anybody may have made */
#ifndef STORE_BASE_SYSTEM_REGULAR_H
#define STORE_BASE_SYSTEM_REGULAR_H

enum {
	REGULAR_FAILED = -1, /* errno says why */
	REGULAR_OTHER = -2,  /* a folder, a link, a pipe, a socket, a device */
};

/**
 * regular_open - a regular file, to be read: no link is followed, and nothing is waited for
 * @dir: what @name is relative to, or AT_FDCWD
 *
 * Return: a descriptor, REGULAR_*
 */
int regular_open(int dir, const char *name) __attribute__((warn_unused_result));

/**
 * regular_open_for - likewise for what @flags say: O_WRONLY, O_RDWR, O_APPEND, O_CREAT (mode 0600)
 *
 * Not O_TRUNC, which would empty a file before anybody has looked at it.
 */
int regular_open_for(int dir, const char *name, int flags) __attribute__((warn_unused_result));

#endif
