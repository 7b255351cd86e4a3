/*
 * dump - a table's items as a file: DynamoDB JSON, one {"Item":...} a line, compressed
 *
 * The one user of zlib in this layer.
 */
#ifndef STORE_LOCAL_ARCHIVE_DUMP_H
#define STORE_LOCAL_ARCHIVE_DUMP_H

#include <stdatomic.h>
#include <sys/types.h>

#include "store/local/records/local_int.h"

struct dump_counts {
	uint64_t items;
	uint64_t item_bytes; /* by DynamoDB's count */
	uint64_t file_bytes;
};

/**
 * dump_write - write the items of @s in the state @at to a new file, durably
 * @dir:  what @path is relative to, or AT_FDCWD
 * @mode: of the file, but for the umask
 *
 * Errors:  -ERR_IO, -ERR_NO_SPACE, -ERR_CORRUPT.  The file is gone then.
 */
int dump_write(struct local *l, struct call *c, struct kv_snapshot *at, const struct schema *s,
	       int dir, const char *path, mode_t mode, struct dump_counts *out)
	__attribute__((warn_unused_result));

/** Takes items, in the memory of @c, which is cleared afterwards; Return: 0 or < 0: no more */
typedef int dump_take_fn(void *arg, struct call *c, const struct item *items, size_t n);

/**
 * dump_read - hand the items of a file to @take, some at a time
 * @dir:   what @path is relative to, or AT_FDCWD
 * @items: so many there must be
 * @bytes: of the file; 0: nobody knows
 *
 * Errors:  -ERR_IO;  -ERR_CORRUPT  not such a file;  -ERR_BUSY  stopped;  those of @take
 */
int dump_read(struct call *c, int dir, const char *path, uint64_t items, uint64_t bytes,
	      const atomic_bool *stop, dump_take_fn *take, void *arg)
	__attribute__((warn_unused_result));

#endif
