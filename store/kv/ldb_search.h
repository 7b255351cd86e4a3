/* ldb_search - LevelDB's errors do not name the damaged file: a thread looks for it */
#ifndef STORE_KV_LDB_SEARCH_H
#define STORE_KV_LDB_SEARCH_H

#include <pthread.h>

#include "store/kv/ldb_manifest.h"

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

#endif
