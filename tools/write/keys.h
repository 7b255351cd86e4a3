/* keys - keys from standard input or of matching.h, a batch at a time: of update and delete of many items */
#ifndef TOOLS_WRITE_KEYS_H
#define TOOLS_WRITE_KEYS_H

#include <stdio.h>

#include "tools/session/ctl.h"
#include "tools/write/bulk.h"

struct keys {
	struct bulk bulk; /* its engine, table and key are filled by keys_of() */
	uint64_t done;    /* keys that were worked on */
	uint64_t refused; /* others whose condition did not hold */
	const char *asks; /* "Delete": asked before a store elsewhere is changed; NULL: nobody is */
	size_t at_fault;  /* which of a batch that fails, from 1; 0: not known */
	FILE *from;       /* where they stand; NULL: standard input */
	uint64_t found;   /* with @from: how many */
	const char *gone; /* with @from: why items are left: "no longer match" */
};

/** keys_of - for the table of @schema, which is borrowed */
struct keys keys_of(const struct ctl *ctl, const struct schema *schema);

/*
 * Works on a batch and counts in @keys; in a call of its own.  A failure ends everything.
 */
typedef int keys_batch_fn(void *arg, struct call *c, struct keys *keys, const struct item *batch,
			  size_t n);

/**
 * keys_each - read items as JSON Lines; hand their keys on, those before a bad line included
 *
 * Then everything is durable, and a note says how many there were: "12 keys @done", "12 items @done".
 * Return:  0, or the exit status of a failed condition when some of standard input were refused.
 * Errors:  "line N: ..." of a bad line; those of @fn, with the line or the key
 */
int keys_each(struct ctl *ctl, struct call *c, struct keys *keys, const char *done,
	      keys_batch_fn *fn, void *arg) __attribute__((warn_unused_result));

#endif
