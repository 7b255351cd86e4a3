/* keys - batches of keys from standard input or from matching.h, for update and delete of many items */
#ifndef TOOLS_WRITE_KEYS_H
#define TOOLS_WRITE_KEYS_H

#include <stdio.h>

#include "tools/session/ctl.h"
#include "tools/write/bulk.h"

struct keys {
	struct bulk bulk; /* keys_of() fills its engine, table and key */
	uint64_t done;    /* keys that were changed */
	uint64_t refused; /* keys whose condition did not hold */
	const char *
		asks; /* verb of the question before a far store is changed: "Delete"; NULL: do not ask */
	size_t at_fault;  /* 1 + index of the key in the batch that failed; 0: unknown */
	FILE *from;       /* file with the keys; NULL: standard input */
	uint64_t found;   /* with @from: number of keys */
	const char *gone; /* with @from: why items are left unchanged: "no longer match" */
};

/** keys_of - keys of the table of @schema, which is borrowed */
struct keys keys_of(const struct ctl *ctl, const struct schema *schema);

/* Change the items of a batch and count them in @keys; in a call of its own.  A failure ends keys_each(). */
typedef int keys_batch_fn(void *arg, struct call *c, struct keys *keys, const struct item *batch,
			  size_t n);

/**
 * keys_each - read items in JSON Lines, and pass batches of their keys to @fn, also those before an invalid line
 * @done: participle for the note about the number of keys: "12 keys @done", "12 items @done"
 *
 * On return all changes are durable, also after a failure.
 * Return:  0, or the exit status of a failed condition if keys of standard input were refused
 * Errors:  "line N: ..." for an invalid line; those of @fn, with the line or the key
 */
int keys_each(struct ctl *ctl, struct call *c, struct keys *keys, const char *done,
	      keys_batch_fn *fn, void *arg) must_check;

#endif
