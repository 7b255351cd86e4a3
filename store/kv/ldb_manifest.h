/* ldb_manifest - what a LevelDB's manifest says: which log goes on, which table files belong to it */
#ifndef STORE_KV_LDB_MANIFEST_H
#define STORE_KV_LDB_MANIFEST_H

#include <sys/types.h>

#include "store/base/core/call.h"

enum { LDB_NAME_BYTES = 32 };

/* A LevelDB's folder. */
struct ldb_dir {
	int fd;
	const char *path; /* for messages */
};

struct ldb_file {
	uint64_t number;
	uint64_t bytes;
};

struct ldb_manifest {
	char name[LDB_NAME_BYTES];    /* of the manifest itself */
	uint64_t log;                 /* logs from this number on are read back; 0: none yet */
	uint64_t sequence;            /* at least the last one before that log */
	uint64_t next;                /* number of the next file; never 0 */
	const struct ldb_file *files; /* the table files in use, in the order of their numbers */
	size_t n;
	off_t sound; /* where its last whole edit ends */
	off_t lost;  /* bytes behind it that LevelDB would refuse, and no edit follows; 0: none */
};

/**
 * ldb_manifest_read - the manifest that CURRENT names
 *
 * The memory is the call's.  Whole edits are appended, so it may be read while LevelDB is open.
 * A last edit that a crash has cut off is ignored, as LevelDB does.  A crash may also leave its
 * length without its bytes, or others: then @lost says so, and the caller decides.
 *
 * Return:  1;  0: there is no CURRENT, so no database yet
 * Errors:  -ERR_CORRUPT  names the file and the place;  -ERR_IO
 */
int ldb_manifest_read(struct call *c, struct ldb_dir dir, struct ldb_manifest *out)
	__attribute__((warn_unused_result));

/** ldb_manifest_refuse - it is damaged behind its last whole edit.  Return: -ERR_CORRUPT */
int ldb_manifest_refuse(struct call *c, struct ldb_dir dir, const struct ldb_manifest *m)
	__attribute__((cold));

/** ldb_open_file - a file to be read, if it is a regular one; -1 with errno */
int ldb_open_file(int dir, const char *name) __attribute__((warn_unused_result));

#endif
