/*
 * raw_dump - store images: all records of a store in one file of blocks with checksums (FORMAT.md section 8)
 */
#ifndef STORE_LOCAL_ARCHIVE_RAW_DUMP_H
#define STORE_LOCAL_ARCHIVE_RAW_DUMP_H

#include "store/kv/kv.h"
#include "store/local/archive/archive_copy.h"

struct raw_dump_counts {
	uint64_t records;
	uint64_t bytes; /* of the file */
};

/**
 * raw_dump_write - write all records of the snapshot @at to the empty file @fd; does not sync
 * @files: copies the files of table backups; the record of one that is left out is, too
 *
 * Return:  0
 * Errors:  -ERR_IO, -ERR_NO_SPACE, -ERR_CORRUPT, those of archive_copy();  -ERR_BUSY  the file was removed
 */
int raw_dump_write(struct call *c, struct kv *kv, struct kv_snapshot *at, int fd,
		   struct archive_copying *files, struct raw_dump_counts *out)
	__attribute__((warn_unused_result));

/** raw_dump_wanted - Return: 0: the file @fd still has a name;  -ERR_BUSY: it was removed, to cancel the backup */
int raw_dump_wanted(struct call *c, int fd) __attribute__((warn_unused_result));

/* Result of raw_dump_read(): files of table backups are broken, and @files does not allow that */
enum { RAW_DUMP_ENOUGH = 2 };

/**
 * raw_dump_read - put the records of a file into an empty kv; the last commit is synced
 * @files: as for raw_dump_write(); its bytes include those of this file, and its step is called after each block, too
 *
 * Return:  0, RAW_DUMP_ENOUGH, < 0
 * Errors:  -ERR_VALIDATION  not a store image (any bytes are safe to pass);  -ERR_CORRUPT  damaged or
 *          truncated;  -ERR_IO;  those of kv_commit() and archive_copy()
 */
int raw_dump_read(struct call *c, int fd, struct kv *kv, struct archive_copying *files,
		  struct raw_dump_counts *out) __attribute__((warn_unused_result));

#endif
