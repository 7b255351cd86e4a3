/*
 * answer - the items of a Query or Scan on their way out: counting, limit, rendering
 *
 *   one stream         in its own order
 *   several, merged    by the index's sort key, then by the table's key (a sharded query)
 *   several, unsorted  as pages come (a parallel Scan)
 */
#ifndef TOOLS_QUERY_ANSWER_H
#define TOOLS_QUERY_ANSWER_H

#include "tools/query/shard.h"
#include "tools/session/absent.h"
#include "tools/session/ctl.h"
#include "tools/system/progress.h"

struct answer {
	struct ctl *ctl;
	struct out *out; /* where items go */
	/* Several of one form: where an item goes, or NULL with the call's error; NULL: all to @out. */
	struct out *(*choose)(void *arg, struct call *c, const struct item *it);
	void *arg;
	struct progress *progress;    /* or NULL */
	const struct op_in *requests; /* of one type, one each stream */
	size_t n;
	const struct shard_order *order; /* merged: by these attributes; NULL: not merged */
	struct shard_hidden hidden;      /* not printed */
	bool backward;
	bool count;                 /* print only how many there are */
	bool one_page;              /* of the one stream; the rest's key goes to stderr */
	uint64_t limit;             /* items printed at most; 0: all */
	bool filtered;              /* fewer items may come back than were read */
	unsigned jobs;              /* threads that fetch, at least 1 */
	bool patient;               /* as of struct streams_options */
	struct absent_names *asked; /* of a projection: what items have is noted; NULL: nothing */
};

/** answer_print - run the requests and print what they answer; Errors: those of the engine, -ERR_IO */
int answer_print(struct answer *a, struct call *c) __attribute__((warn_unused_result));

#endif
