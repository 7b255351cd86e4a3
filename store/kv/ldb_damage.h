/* ldb_damage - which table file of a LevelDB is damaged, and where */
#ifndef STORE_KV_LDB_DAMAGE_H
#define STORE_KV_LDB_DAMAGE_H

#include <pthread.h>

#include "store/kv/ldb_manifest.h"

/**
 * ldb_damage_feet - before LevelDB opens them: is there each table file, with an end that is sound?
 *
 * What it says wrong there LevelDB takes for sizes of memory, and aborts.
 * Errors:  -ERR_CORRUPT  names the file;  -ERR_IO
 */
int ldb_damage_feet(struct call *c, struct ldb_dir dir, const struct ldb_manifest *m)
	__attribute__((warn_unused_result));

/**
 * ldb_damage_check - read the table files in use and compare all checksums
 * @after: the number of the last file that was read; moves on
 * @bytes: stop after the file with which so many were read
 *
 * It may be called while LevelDB is open.
 * Return:  1: there are more files;  0: all are whole
 * Errors:  -ERR_CORRUPT  names the file and the place;  -ERR_IO
 */
int ldb_damage_check(struct call *c, struct ldb_dir dir, uint64_t *after, uint64_t bytes)
	__attribute__((warn_unused_result));

/* What is known of a damaged file, which LevelDB's errors do not name. */
struct ldb_damage {
	pthread_mutex_t lock;
	uint64_t after; /* files up to this one are whole */
	bool done;      /* it was found, or all files were read */
	char *found;    /* heap */
};

void ldb_damage_init(struct ldb_damage *d);
void ldb_damage_free(struct ldb_damage *d);

/**
 * ldb_damage_failed - ldb_failed() for an open LevelDB: if it says @why of damage, the error names the file
 *
 * The first caller looks for it, for some seconds at most; others wait meanwhile.
 */
int ldb_damage_failed(struct ldb_damage *d, struct call *c, struct ldb_dir dir, const char *why);

#endif
