/* ldb_damage - which table files of a LevelDB are damaged, and where */
#ifndef STORE_KV_LDB_DAMAGE_H
#define STORE_KV_LDB_DAMAGE_H

#include <pthread.h>

#include "store/base/core/call.h"
#include "store/kv/kv.h"
#include "store/kv/ldb_manifest.h"

/* What follows the names of damaged files in a message. */
#define LDB_DAMAGE_ADVICE "restore a backup"

/* Sentences about damaged files, joined: at most eight of them. */
struct ldb_damages {
	struct buf text; /* on the heap */
	size_t n;
};

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

/* ------------------------------------------------------------ LevelDB's errors do not name the damaged file */

struct ldb_search {
	struct ldb_dir dir;
	pthread_mutex_t lock;   /* of what follows */
	pthread_cond_t changed; /* the search has ended */
	pthread_t thread;
	bool started; /* there is a thread to be joined */
	bool running;
	bool stop;
	bool unnamed;      /* somebody was told of damage without its file */
	uint64_t again_ns; /* before that no new search is begun */
	char *found;       /* by the last search; heap; NULL: nothing */
};

void ldb_search_init(struct ldb_search *s);

/** ldb_search_free - and end the search that is under way */
void ldb_search_free(struct ldb_search *s);

/**
 * ldb_search_failed - ldb_failed() for an open LevelDB: if it says @why of damage, the error names the files
 *
 * Each error begins a new search, as there may be more damage by now, but for nine tenths of the time none is
 * under way.  The caller waits for a second at most: an error that does not name the file says what
 * does, and the file is written to the log when it is found.
 */
int ldb_search_failed(struct ldb_search *s, struct call *c, const char *why);

/* ------------------------------------------------------------ what LevelDB and the system say of the database's files */

/* What LevelDB calls its directory: the number of a descriptor follows. */
#define LDB_PINNED "/proc/self/fd/"

enum { LDB_PINNED_BYTES = 32 };

/** ldb_free_text - for cleanup(): a text that LevelDB has made, or NULL */
void ldb_free_text(char **text);

/** ldb_failed - LevelDB says @why, in which LDB_PINNED is replaced; Return: -ERR_CORRUPT, -ERR_NO_SPACE, -ERR_IO */
int ldb_failed(struct call *c, const char *why);

/** ldb_failed_for - the same; of damage, @what tells of which file and what to do */
int ldb_failed_for(struct call *c, const char *why, const char *what);

/** ldb_fail_errno - the same for what is done here with the file @name: errno tells */
int ldb_fail_errno(struct call *c, const char *name);

#endif
