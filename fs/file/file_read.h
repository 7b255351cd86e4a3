/* file_read - READ: a text that is being written, or the committed item */
#ifndef FS_FILE_FILE_READ_H
#define FS_FILE_FILE_READ_H

#include "fs/place/place.h"

struct handle;

/**
 * file_read - bytes for READ, copied to the call's arena
 * @paged: the kernel caches them for all readers of the file
 *
 * Return: 0, PLACE_ABSENT, or an error. It takes the locks of handle and file.
 */
int file_read(struct mount *m, struct call *c, struct handle *h, bool paged, size_t offset,
	      size_t size, struct slice *out) must_check;

/** file_render - append the file's bytes of the committed item at @p; 0, PLACE_ABSENT, error */
int file_render(struct mount *m, struct call *c, const struct place *p, struct buf *out) must_check;

#endif
