/*
 * subset_copy - puts the items of a subset into another table
 *
 * Threads read pages of Scan or Query ahead; the calling thread puts them as they arrive.  Putting an item twice does
 * no harm, so an interrupted copy is resumed after the last page that is known to be durable.
 */
#ifndef TOOLS_MASK_SUBSET_COPY_H
#define TOOLS_MASK_SUBSET_COPY_H

#include "tools/mask/subset.h"
#include "tools/system/progress.h"
#include "tools/write/bulk.h"

struct engine;

struct subset_copy {
	struct engine *from;
	struct subset *subset; /* of the source */
	struct item start;     /* key after which it begins; without attributes: at the beginning */
	unsigned jobs;         /* threads that read */
	struct bulk bulk;      /* the target */
	struct progress progress;
	uint64_t items; /* out: items that were put */
	uint64_t
		bytes; /* out: size of these items by DynamoDB's rules; only if progress is shown */
	struct buf next; /* heap: JSON key after which the rest begins; empty: at the beginning */
	struct buf safe; /* heap: the same for the items that are durable */
};

/**
 * subset_copy_items - copy all items; also after a failure, what was put is made durable
 * @start: JSON text of s->start; NULL: none
 *
 * Return: 0; -ERR_BUSY  interrupted; the errors of reading and writing.  s->safe is the key after which to resume.
 */
int subset_copy_items(struct subset_copy *s, struct call *c, const char *start) must_check;

#endif
