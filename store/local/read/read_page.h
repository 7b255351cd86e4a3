/*
 * read_page - read of the items in runs of keys until the page is full
 *
 *   cleanup(page_close) struct page_reader r;
 *   page_open(&r, l, &spec);
 *   status = page_run(&r, c, &plan);      once for each run
 *   out->page = r.page;
 */
#ifndef STORE_LOCAL_READ_READ_PAGE_H
#define STORE_LOCAL_READ_READ_PAGE_H

#include "store/local/read/plan.h"
#include "store/local/records/local_int.h"

/* The processing of each item. All zero: return all attributes that the index (or the table) holds. */
struct page_spec {
	struct expr *filter;                /* NULL: keep all items */
	struct expr_projection *projection; /* NULL: keep all attributes */
	struct page_text text;              /* with out: the items are written there */
	bool count;                         /* return no items, only their number */
	bool fetch; /* index only: read the item from the table, because its entry does not hold enough */
	bool filters_entries; /* with fetch: the filter gets the entry, not the item */
	bool whole; /* with fetch: return the whole item, not only the attributes of the index */
	bool once;  /* a part of a single pass over many keys, see kv_cursor_once() */
	uint32_t limit;          /* items to examine; 0 = no limit */
	const struct view *view; /* NULL: the newest state */
};

/* The bytes read so far, by DynamoDB's count. */
struct page_sum {
	size_t bytes;          /* of entries and fetched items; >= fetched */
	size_t fetched;        /* of items read from the table for entries of an index */
	uint64_t fetch_blocks; /* sum of capacity_blocks() of each fetched item */
};

enum page_outcome { PAGE_END = 1, PAGE_FULL };

/* The caller owns the memory; the fields are private except page, sum and cursor. */
struct page_reader {
	struct page_spec spec;
	struct local *local;
	struct kv_snapshot *at;   /* the state that the page shows; spec.view owns it, if set */
	struct kv_cursor *cursor; /* over the snapshot */
	struct call scratch;      /* memory for an item that is not returned as one: text, count */
	struct page page;
	size_t cap; /* of page.items */
	struct page_sum sum;
};

/**
 * page_open - start an empty page, over a new snapshot or the caller's view
 * @spec: copied; its expressions and its view are borrowed until page_close()
 */
void page_open(struct page_reader *r, struct local *l, const struct page_spec *spec);

/**
 * page_run - read a run of keys into the page
 *
 * The limit and the size apply to the items examined, before filter and projection. The item that reaches 1 MB is the
 * last one of the page.
 *
 * Return:  PAGE_END: the run has ended, another may follow;  PAGE_FULL: the next page starts after page.last
 * Errors:  -ERR_IO, -ERR_CORRUPT
 * Source:  BEHAVIOUR 12.3, 12.5, 12.6
 */
int page_run(struct page_reader *r, struct call *c, const struct plan *p) must_check;

/* The steps of page_run() as single functions, for reads without pages (read_row_stream.c). */

/** page_seek - move the cursor to the first item of the run */
void page_seek(struct page_reader *r, const struct plan *p);

/** page_at - whether there is an item at the cursor; valid only if kv_cursor_status() of r->cursor returns 0 afterwards */
bool page_at(struct page_reader *r, const struct plan *p);

/** page_step - move the cursor to the next item */
void page_step(struct page_reader *r, const struct plan *p);

/**
 * page_examine - filter and project the item at the cursor, at which page_at() is true, and add it to the page
 *
 * Errors:  -ERR_IO, -ERR_CORRUPT
 */
int page_examine(struct page_reader *r, struct call *c, const struct plan *p) must_check;

/** page_clear - empty the page, so that the memory of the call that made its items may be freed */
void page_clear(struct page_reader *r);

/** page_close - release the snapshot, unless it is borrowed, the cursor and the scratch memory */
void page_close(struct page_reader *r);

#endif
