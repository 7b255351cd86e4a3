/*
 * matching - items that update and delete choose by a filter instead of a key
 *
 *   Scan or Query --keys--> temporary file --change_keys.c--> a change of each item that still matches
 *
 * All keys are read before the first item changes.  So no item is changed twice, even if the change moves it in the
 * index that is read.
 */
#ifndef TOOLS_WRITE_MATCHING_H
#define TOOLS_WRITE_MATCHING_H

#include "tools/session/ctl.h"
#include "tools/write/item_options.h"

struct matching_opts {
	const char *filter;
	const char *index;
	bool all;
};

struct matching {
	struct slice filter; /* as typed; empty: none */
	const struct schema *schema;
	const struct index *index; /* the index to read; NULL: the table */
	bool partition;            /* read only one partition */
	struct exprs *exprs;       /* of the request */
	struct op_in request;      /* Scan or Query */
	FILE *keys; /* temporary file with a key in each line; NULL before matching_find() */
	uint64_t n; /* number of keys */
	uint64_t scanned;
};

/**
 * matching_open - prepare the request that finds the items
 * @item_options: the command's other options
 * @words:  [n]: the words of the key: at most a partition key
 *
 * Errors:  -ERR_USAGE  options or words that contradict each other; those of ctl_schema(), ctl_index() and exprs.h
 */
int matching_open(struct ctl *ctl, struct call *c, struct slice table,
		  const struct matching_opts *o, const struct item_options_opts *item_options,
		  const char *const *words, size_t n, struct matching *out) must_check;

/**
 * matching_condition - extend the condition of each change: the item exists and still matches
 * @s: has the filter as its condition
 */
void matching_condition(const struct matching *m, struct call *c, struct item_options *s);

/**
 * matching_find - read the keys of all items that match into a temporary file; explain why there are none
 *
 * Return:  0; NOTHING_WRONG: the filter has an error, which a note explains
 * Errors:  those of the request; -ERR_IO  no temporary file; -ERR_BUSY  interrupted
 */
int matching_find(struct ctl *ctl, struct call *c, struct matching *m) must_check;

/** matching_close - remove the temporary file; harmless without one */
void matching_close(struct matching *m);

#endif
