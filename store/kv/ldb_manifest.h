/* ldb_manifest - reads the manifest of a database: which log and table files are in use; failures of system calls as errors */
#ifndef STORE_KV_LDB_MANIFEST_H
#define STORE_KV_LDB_MANIFEST_H

#include "store/base/core/base.h"

enum { LDB_NAME_BYTES = 32 };

/* The directory of a database. */
struct ldb_dir {
	int fd;           /* borrowed */
	const char *path; /* for messages */
};

struct ldb_file {
	uint64_t number;
	uint64_t bytes;
};

struct ldb_manifest {
	char name[LDB_NAME_BYTES];    /* of the manifest itself */
	uint64_t log;                 /* logs from this number on are read back; 0: none yet */
	uint64_t sequence;            /* not less than the last one before that log */
	uint64_t next;                /* number of the next file; never 0 */
	const struct ldb_file *files; /* the table files in use, sorted by number */
	size_t n;
	off_t last;      /* byte offset of the last complete edit */
	off_t valid_end; /* byte offset of its end */
	off_t size;      /* of the file, in bytes */
	off_t lost; /* bytes after it that LevelDB would refuse, without another edit; 0: none */
};

/**
 * ldb_manifest_read - read the manifest that CURRENT names
 * @out: its memory is in the call's arena
 *
 * LevelDB only appends complete edits, so the manifest may be read while LevelDB is open. A last edit that a crash has
 * cut off is ignored, as LevelDB does. A crash may also leave wrong bytes at the end: then out->lost is set, and the
 * caller decides.
 *
 * Return:  1; 0 if there is no CURRENT, so no database yet
 * Errors:  -ERR_CORRUPT, with the name of the file and the place;  -ERR_IO
 */
int ldb_manifest_read(struct call *c, struct ldb_dir dir, struct ldb_manifest *out) must_check;

/**
 * ldb_manifest_read_before - read the manifest as it was before its last edit
 * @m: the manifest as ldb_manifest_read() has read it
 *
 * Errors:  -ERR_CORRUPT  no database can be opened with the earlier edits alone;  -ERR_IO
 * Return:  otherwise as ldb_manifest_read()
 */
int ldb_manifest_read_before(struct call *c, struct ldb_dir dir, const struct ldb_manifest *m,
			     struct ldb_manifest *out) must_check;

/** ldb_manifest_refuse - fail the call because the manifest is damaged after m->valid_end; Return: -ERR_CORRUPT */
int ldb_manifest_refuse(struct call *c, struct ldb_dir dir, const struct ldb_manifest *m)
	__attribute__((cold));

/** ldb_open_file - open a regular file for reading; Return: a descriptor; -1 with errno */
int ldb_open_file(int dir, const char *name) must_check;

/** ldb_fail_errno - record errno for the file @name in @path, or for @path if @name is NULL; Return: -ERR_NO_SPACE, -ERR_IO */
int ldb_fail_errno(struct call *c, const char *path, const char *name)
	__attribute__((cold, warn_unused_result));

#endif
