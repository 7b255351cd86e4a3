/*
 * diff - two tables with one key, item by item
 *
 *   page --> an item with the same key has come from the other side: compare --> diff_told_fn
 *        \-> not yet: the item waits (pending_items.h), in a temporary store if memory is full (spill.h)
 *
 * Two local stores list items in the same order.  So if a key has come from both sides, all items that were listed
 * before it and still wait are on one side only, and are reported immediately.  If the orders differ, this is known
 * only after one side has ended.
 */
#ifndef TOOLS_LOAD_DIFF_H
#define TOOLS_LOAD_DIFF_H

#include "tools/write/pending_items.h"
#include "tools/write/spill.h"

enum diff_kind { DIFF_REMOVED, DIFF_ADDED, DIFF_CHANGED };

/** diff_told_fn - receive a difference; @old or @new is NULL if the item is on one side only; return false to stop */
typedef bool diff_told_fn(void *arg, enum diff_kind kind, const struct item *old,
			  const struct item *updated);

struct diff {
	const struct key_schema *key;
	const struct slice *ignored; /* top-level attributes */
	size_t n_ignored;
	bool ordered;     /* both sides list in the same order */
	size_t in_memory; /* bytes of items that may wait in memory */
	diff_told_fn *told;
	void *arg;

	uint64_t equal;
	struct pending side[2]; /* private: items that wait in memory */
	struct spill spill;     /* private: items that wait in a temporary store */
	bool ended[2];          /* private */
	bool stop;              /* told() returned false */
	struct buf bytes;       /* private: scratch space for a key; heap */
};

/** diff_begin - start to compare two tables; the caller has set the members above "equal"; end with diff_release() */
void diff_begin(struct diff *d);

/** diff_next - return the side (0 or 1) whose next page is needed; 2: both have ended, or told() stopped */
unsigned diff_next(const struct diff *d);

/** diff_page - process a page of items of @side, which has not ended; Errors: those of the temporary store */
int diff_page(struct diff *d, struct call *c, unsigned side, const struct item *items, size_t n)
	must_check;

/** diff_end - @side has no more items */
void diff_end(struct diff *d, unsigned side);

/** diff_finish - report items that still wait, after both sides have ended */
int diff_finish(struct diff *d, struct call *c) must_check;

void diff_release(struct diff *d);

/** diff_is_ignored - return true if differences of the attribute are ignored */
bool diff_is_ignored(const struct diff *d, struct slice name);

#endif
