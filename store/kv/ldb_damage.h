/* ldb_damage - which table files of a LevelDB are damaged, and where */
#ifndef STORE_KV_LDB_DAMAGE_H
#define STORE_KV_LDB_DAMAGE_H

#include "store/kv/kv.h"
#include "store/kv/ldb_manifest.h"

/* What follows the names of damaged files in a message. */
#define LDB_DAMAGE_ADVICE "restore a backup"

/* Sentences about damaged files, joined: at most eight of them. */
struct ldb_damages {
	struct buf text; /* on the heap */
	size_t n;
};

/** ldb_damages_add - a kv_damaged_fn; @arg: struct ldb_damages */
void ldb_damages_add(void *arg, const char *what);

/**
 * ldb_damage_feet - before LevelDB opens them: is there each table file, with an end that is sound?
 *
 * What it says wrong there LevelDB takes for sizes of memory, and aborts.
 * Errors:  -ERR_CORRUPT  names the files
 */
int ldb_damage_feet(struct call *c, struct ldb_dir dir, const struct ldb_manifest *m)
	__attribute__((warn_unused_result));

/**
 * ldb_damage_check - read the table files in use and compare all checksums
 * @after: the number of the last file that was read; moves on
 * @bytes: stop after the file with which so many were read
 * @tell:  is called for each file that is damaged or cannot be read
 *
 * It may be called while LevelDB is open.
 * Return:  1: there are more files;  0: that was all
 * Errors:  -ERR_CORRUPT, -ERR_IO  the manifest cannot be read
 */
int ldb_damage_check(struct call *c, struct ldb_dir dir, uint64_t *after, uint64_t bytes,
		     kv_damaged_fn *tell, void *arg) __attribute__((warn_unused_result));

#endif
