/*
 * matching - the items that update and delete change by a filter, in place of keys
 *
 *   Scan or Query --keys--> temporary file --keys.c--> a change of each item that still matches
 *
 * All keys are read before the first item changes.  So no item comes twice, wherever a change moves it to in the index
 * that is read.
 */
#ifndef TOOLS_WRITE_MATCHING_H
#define TOOLS_WRITE_MATCHING_H

#include <stdio.h>

#include "tools/session/ctl.h"
#include "tools/write/single.h"

struct matching_opts {
	const char *filter;
	const char *index;
	bool all;
};

struct matching {
	struct slice filter; /* as it was typed; empty: none */
	const struct schema *schema;
	const struct index *index; /* that is read; NULL: the table */
	bool partition;            /* only the items of one */
	struct exprs *exprs;       /* of the request */
	struct op_in request;
	FILE *keys; /* found, a line each; temporary */
	uint64_t n; /* of them */
	uint64_t scanned;
};

/** matching_wanted - do the options choose items? */
bool matching_wanted(const struct matching_opts *o);

/**
 * matching_open - the request that finds the items
 * @single: the command's other options
 * @words:  [n] what stands where a key does: at most a partition key
 *
 * Errors:  -ERR_USAGE  options or words that contradict each other; those of a schema and of expressions
 */
int matching_open(struct ctl *ctl, struct call *c, struct slice table,
		  const struct matching_opts *o, const struct single_opts *single,
		  const char *const *words, size_t n, struct matching *out)
	__attribute__((warn_unused_result));

/**
 * matching_condition - the condition of each change: the item is there and still matches
 * @s: has the filter as its condition
 */
void matching_condition(const struct matching *m, struct call *c, struct single *s);

/** matching_is_all - the whole table: an item that has changed still matches */
bool matching_is_all(const struct matching *m);

/**
 * matching_find - read the keys of all items that match, and say why there are none
 *
 * Return:  NOTHING_WRONG: the filter is written wrong, which is told
 * Errors:  those of the request; -ERR_IO  no temporary file; -ERR_BUSY  interrupted
 */
int matching_find(struct ctl *ctl, struct call *c, struct matching *m)
	__attribute__((warn_unused_result));

void matching_close(struct matching *m);

#endif
