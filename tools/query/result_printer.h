/*
 * result_printer - result printer: counts the items of Query or Scan requests, applies the limit, and prints them
 *
 *   one stream of rows  in its own order
 *   several, merged     by the sort key of the index, then by the key of the table (a sharded query)
 *   several, unsorted   in the order in which pages arrive (a parallel Scan)
 */
#ifndef TOOLS_QUERY_RESULT_PRINTER_H
#define TOOLS_QUERY_RESULT_PRINTER_H

#include "tools/query/shard.h"
#include "tools/session/absent.h"
#include "tools/session/ctl.h"
#include "tools/system/progress.h"

struct result_printer {
	struct ctl *ctl;
	struct out *out; /* output of items */
	/*
	 * Choose one of several outputs with the same format; return NULL with an error in the call.  NULL: use @out.
	 */
	struct out *(*choose)(void *arg, struct call *c, const struct item *it);
	void *arg;
	struct progress *progress;
	const struct op_in *requests;    /* all Query or all Scan; one for each stream */
	size_t n;                        /* at least 1 */
	const struct shard_order *order; /* merge by these attributes; NULL: do not merge */
	struct shard_hidden hidden;      /* attributes that are not printed */
	bool backward;                   /* streams are in descending order */
	bool count;                      /* print only the number of items */
	bool one_page;  /* one page, of the only stream; its LastEvaluatedKey goes to stderr */
	uint64_t limit; /* items to print; 0: all */
	bool filtered;  /* there is a filter: fewer items may arrive than were read */
	unsigned jobs;  /* threads that fetch pages, at least 1 */
	bool patient;   /* see struct streams_options */
	struct absent_names *asked; /* records attributes that items have; or NULL */
};

/**
 * result_printer_print - run the requests and print their items; Errors: those of the engine and of choose(), -ERR_IO
 */
int result_printer_print(struct result_printer *a, struct call *c) must_check;

#endif
