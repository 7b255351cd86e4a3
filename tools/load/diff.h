/*
 * diff - two tables with one key, item by item
 *
 *   page --> an item of the same key has come from the other side: compare --> diff_told_fn
 *        \-> none yet: it waits (pending.h), in a temporary store when memory is full (spill.h)
 *
 * Two stores list their items in one order.  So when a key has come from both, whatever waits from
 * before it is on one side only, and is told at once.  Of sides with orders of their own that is
 * known when one of them has ended.
 */
#ifndef TOOLS_LOAD_DIFF_H
#define TOOLS_LOAD_DIFF_H

#include "tools/write/pending_items.h"
#include "tools/write/spill.h"

enum diff_kind { DIFF_REMOVED, DIFF_ADDED, DIFF_CHANGED };

/** diff_told_fn - a difference: items of the first and the second table, NULL: there is none; Return: go on? */
typedef bool diff_told_fn(void *arg, enum diff_kind kind, const struct item *old,
			  const struct item *new);

struct diff {
	const struct key_schema *key;
	const struct slice *ignored; /* top-level attributes */
	size_t n_ignored;
	bool ordered;     /* both sides list in the same order */
	size_t in_memory; /* bytes that may wait there */
	diff_told_fn *told;
	void *arg;

	uint64_t equal;
	struct pending side[2]; /* private: what waits */
	struct spill spill;     /* private: likewise; its key is filled by diff_begin() */
	bool ended[2];          /* private */
	bool stop;              /* told() does not want more */
	struct buf bytes;       /* private: of a key; heap */
};

/** diff_begin - of two more tables; what is above "equal" is set; diff_release() ends it */
void diff_begin(struct diff *d);

/** diff_next - the side of which a page is wanted; 2: both have ended, or no more is wanted */
unsigned diff_next(const struct diff *d);

/** diff_page - items of the side @side */
int diff_page(struct diff *d, struct call *c, unsigned side, const struct item *items, size_t n)
	__attribute__((warn_unused_result));

/** diff_end - the side @side has no more */
void diff_end(struct diff *d, unsigned side);

/** diff_finish - tell what still waits when both have ended */
int diff_finish(struct diff *d, struct call *c) __attribute__((warn_unused_result));

void diff_release(struct diff *d);

/** diff_is_ignored - is the attribute passed over? */
bool diff_is_ignored(const struct diff *d, struct slice name);

#endif
