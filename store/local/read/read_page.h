/*
 * read_page - the items of a run of keys, until the page is full
 *
 *   cleanup(page_close) struct page_reader r;
 *   page_open(&r, l, &spec);
 *   status = page_run(&r, c, &plan);      as often as there are runs
 *   out->page = r.page;
 */
#ifndef STORE_LOCAL_READ_READ_PAGE_H
#define STORE_LOCAL_READ_READ_PAGE_H

#include "store/local/read/plan.h"
#include "store/local/records/local_int.h"

/* What to make of each item.  Zero: everything that the index (or the table) holds. */
struct page_spec {
	const struct expr *filter;                /* NULL: keep all */
	const struct expr_projection *projection; /* NULL: keep everything */
	struct page_text text;                    /* with out: where the items go */
	bool count;                               /* no items, only how many */
	bool fetch; /* index: read the item from the table, its entry does not hold enough */
	bool filters_entries; /* with fetch: the filter sees the entry, not the item */
	bool whole;           /* with fetch: answer the whole item, not only what the index holds */
	bool once;            /* a piece of one pass over much, see kv_cursor_once() */
	uint32_t limit;       /* items to examine; 0 = no limit */
	const struct view *view; /* NULL: the newest state */
};

/* What was read so far, by DynamoDB's count. */
struct page_sum {
	size_t bytes;          /* entries, and what they made read */
	size_t fetched;        /* of that: items of the table that entries of an index stand for */
	uint64_t fetch_blocks; /* capacity_blocks() of each of those */
};

enum page_outcome { PAGE_END = 1, PAGE_FULL };

/* Private but for its lifetime. */
struct page_reader {
	struct page_spec spec;
	struct local *local;
	struct kv_snapshot *at;   /* the page is one state of the store */
	bool borrowed;            /* which is the caller's */
	struct kv_cursor *cursor; /* over it */
	struct call scratch;      /* for what the filter refuses */
	struct page page;
	size_t cap; /* of page.items */
	struct page_sum sum;
};

/**
 * page_open - an empty page
 * @spec: copied; its expressions are borrowed until page_close()
 */
void page_open(struct page_reader *r, struct local *l, const struct page_spec *spec);

/** page_open_at - the same over a snapshot of the caller's, borrowed until page_close() */
void page_open_at(struct page_reader *r, struct local *l, const struct page_spec *spec,
		  struct kv_snapshot *at);

/**
 * page_run - add a run of keys
 *
 * Limit and size count what was examined, before filter and projection; the item with which they
 * reach 1 MB is the last one of the page.
 *
 * Return:  PAGE_END: the run has ended, another may follow;  PAGE_FULL: page.last says where to go on
 * Errors:  -ERR_IO, -ERR_CORRUPT
 * Source:  BEHAVIOUR 12.3, 12.5, 12.6
 */
int page_run(struct page_reader *r, struct call *c, const struct plan *p)
	__attribute__((warn_unused_result));

/* page_run() item by item, for who does not want pages (read_flow.c). */

/** page_seek - go to the first item of the run */
void page_seek(struct page_reader *r, const struct plan *p);

/** page_at - is there an item at the cursor? Before its text is used, page_status() must be 0 */
bool page_at(struct page_reader *r, const struct plan *p);

/** page_step - go to the next one */
void page_step(struct page_reader *r, const struct plan *p);

/** page_status - 0 if no item was passed over so far; Errors: -ERR_IO, -ERR_CORRUPT */
int page_status(struct page_reader *r, struct call *c) __attribute__((warn_unused_result));

/** page_examine - filter and project the item at the cursor; the page gets it, if it is to be answered */
int page_examine(struct page_reader *r, struct call *c, const struct plan *p)
	__attribute__((warn_unused_result));

/** page_clear - forget the page's items: the memory of the call that they were made in may go */
void page_clear(struct page_reader *r);

/** page_close - let the snapshot and the scratch go */
void page_close(struct page_reader *r);

#endif
