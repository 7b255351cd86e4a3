/*
 * raw_dump - store images: all records of a store in one file of blocks with checksums (FORMAT.md section 8)
 */
#ifndef STORE_LOCAL_ARCHIVE_RAW_DUMP_H
#define STORE_LOCAL_ARCHIVE_RAW_DUMP_H

#include "store/kv/kv.h"

struct raw_dump_counts {
	uint64_t records;
	uint64_t bytes; /* of the file */
};

/* Result of a raw_dump_keep_fn that ends reading; raw_dump_read() returns it, too. */
enum { RAW_DUMP_ENOUGH = 2 };

/** raw_dump_keep_fn - Return: 1: keep the record;  0: leave it out;  < 0;  while reading also RAW_DUMP_ENOUGH */
typedef int raw_dump_keep_fn(void *arg, struct slice key, struct slice value);

/**
 * raw_dump_write - write all records of the snapshot @at that @keep keeps to the empty file @fd; does not sync
 *
 * Return:  0
 * Errors:  -ERR_IO, -ERR_NO_SPACE, -ERR_CORRUPT, those of @keep;  -ERR_BUSY  the file was removed
 */
int raw_dump_write(struct call *c, struct kv *kv, struct kv_snapshot *at, int fd,
		   raw_dump_keep_fn *keep, void *arg, struct raw_dump_counts *out)
	__attribute__((warn_unused_result));

/** raw_dump_wanted - Return: 0: the file @fd still has a name;  -ERR_BUSY: it was removed, to cancel the backup */
int raw_dump_wanted(struct call *c, int fd) __attribute__((warn_unused_result));

/** raw_dump_step_fn - called after each block with the number of bytes read so far;  Return: 0; < 0: stop */
typedef int raw_dump_step_fn(void *arg, struct call *c, uint64_t bytes);

/**
 * raw_dump_read - put the records of a file that @keep keeps into an empty kv; the last commit is synced
 * @arg: of both functions
 * @out: valid at any time, also in @keep and @step
 *
 * Return:  0, RAW_DUMP_ENOUGH, < 0
 * Errors:  -ERR_VALIDATION  not a store image (any bytes are safe to pass);  -ERR_CORRUPT  damaged or
 *          truncated;  -ERR_IO;  those of kv_commit(), @keep and @step
 */
int raw_dump_read(struct call *c, int fd, struct kv *kv, raw_dump_keep_fn *keep,
		  raw_dump_step_fn *step, void *arg, struct raw_dump_counts *out)
	__attribute__((warn_unused_result));

#endif
