/*
 * dump - item files: a table's items in DynamoDB JSON, one {"Item":...} per line, compressed with gzip
 */
#ifndef STORE_LOCAL_ARCHIVE_DUMP_H
#define STORE_LOCAL_ARCHIVE_DUMP_H

#include <stdatomic.h>
#include <sys/types.h>

#include "store/local/records/local_int.h"

struct dump_counts {
	uint64_t items;
	uint64_t item_bytes; /* as DynamoDB counts the size of items */
	uint64_t file_bytes;
};

/**
 * dump_write - write the items of table @s in the snapshot @at to a new file and sync it; the caller syncs @dir
 * @dir:  descriptor that @path is relative to, or AT_FDCWD
 * @mode: of the file, before the umask
 *
 * Return:  0
 * Errors:  -ERR_IO, -ERR_NO_SPACE, -ERR_CORRUPT; the file is then deleted
 */
int dump_write(struct local *l, struct call *c, struct kv_snapshot *at, const struct schema *s,
	       int dir, const char *path, mode_t mode, struct dump_counts *out)
	__attribute__((warn_unused_result));

/** dump_take_fn - take @n items; they are in the memory of @c, which is cleared afterwards;  Return: 0; < 0: stop */
typedef int dump_take_fn(void *arg, struct call *c, const struct item *items, size_t n);

/**
 * dump_read - read an item file and hand its items to @take in batches
 * @dir:   descriptor that @path is relative to, or AT_FDCWD
 * @items: number of items that the file must have
 * @bytes: size that the file must have; 0: unknown
 * @stop:  when it becomes true, reading ends with -ERR_BUSY
 *
 * Return:  0
 * Errors:  -ERR_IO;  -ERR_CORRUPT  not an item file, or not with these numbers;  -ERR_BUSY;  those of @take
 */
int dump_read(struct call *c, int dir, const char *path, uint64_t items, uint64_t bytes,
	      const atomic_bool *stop, dump_take_fn *take, void *arg)
	__attribute__((warn_unused_result));

#endif
