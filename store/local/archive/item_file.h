/*
 * item_file - writes item files: a table's items in DynamoDB JSON, one {"Item":...} per line, compressed with gzip
 */
#ifndef STORE_LOCAL_ARCHIVE_ITEM_FILE_H
#define STORE_LOCAL_ARCHIVE_ITEM_FILE_H

#include "store/local/records/local_int.h"

struct item_file_counts {
	uint64_t items;
	uint64_t item_bytes; /* as DynamoDB counts the size of items */
};

/**
 * item_file_write - write the items of table @s in the snapshot @at to the empty file @fd; the caller syncs it
 * @name: of the file, for messages
 *
 * Return:  0
 * Errors:  -ERR_IO, -ERR_NO_SPACE, -ERR_CORRUPT
 */
int item_file_write(struct local *l, struct call *c, struct kv_snapshot *at, const struct schema *s,
		    int fd, const char *name, struct item_file_counts *out) must_check;

#endif
