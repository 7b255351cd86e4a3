/*
 * raw_dump - every record of a store as one file, in blocks with checksums: FORMAT.md section 8 in code
 */
#ifndef STORE_LOCAL_ARCHIVE_RAW_DUMP_H
#define STORE_LOCAL_ARCHIVE_RAW_DUMP_H

#include "store/kv/kv.h"

struct raw_dump_counts {
	uint64_t records;
	uint64_t bytes; /* of the file */
};

/* With this no more is read: raw_dump_read() returns it, too. */
enum { RAW_DUMP_ENOUGH = 2 };

/** Is the record wanted?  Return: 1 yes, 0 no, < 0; while reading also RAW_DUMP_ENOUGH */
typedef int raw_dump_keep_fn(void *arg, struct slice key, struct slice value);

/**
 * raw_dump_write - all records of the state @at that @keep keeps, to the end of an empty file
 *
 * Errors:  -ERR_IO, -ERR_NO_SPACE, -ERR_CORRUPT, those of @keep;  -ERR_BUSY  somebody has removed the file
 */
int raw_dump_write(struct call *c, struct kv *kv, struct kv_snapshot *at, int fd,
		   raw_dump_keep_fn *keep, void *arg, struct raw_dump_counts *out)
	__attribute__((warn_unused_result));

/** raw_dump_wanted - is the file that is written still there?  Errors: -ERR_BUSY  somebody has removed it */
int raw_dump_wanted(struct call *c, int fd) __attribute__((warn_unused_result));

/** Told after each block: so many bytes have been read; Return: 0, or < 0: stop */
typedef int raw_dump_step_fn(void *arg, struct call *c, uint64_t bytes);

/**
 * raw_dump_read - put those of a file's records that @keep wants into a kv that is empty; durable at the end
 * @arg: of both functions
 * @out: is true at any time, to them too
 *
 * Return:  0, RAW_DUMP_ENOUGH, < 0
 * Errors:  -ERR_VALIDATION  it is no such file (any bytes are safe to pass);  -ERR_CORRUPT  damaged, or
 *          cut short;  those of kv_commit(), @keep and @step
 */
int raw_dump_read(struct call *c, int fd, struct kv *kv, raw_dump_keep_fn *keep,
		  raw_dump_step_fn *step, void *arg, struct raw_dump_counts *out)
	__attribute__((warn_unused_result));

#endif
