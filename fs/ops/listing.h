/*
 * listing - the entries of an open directory, from one frozen state of the store
 *
 *   ordinal 0 "."   1 ".."   2.. the entries of the store in key order, then the tail: entries that only this mount
 *   shows, such as partitions without items and files that are not yet committed
 *
 * The cookie for the kernel is the ordinal of the next entry, so it stays valid when the store changes.  Entries are
 * read in pages.  The key before each page is kept, so a seek reads one page.  A READDIR at ordinal 0 starts again with
 * the newest state.
 *
 * READDIR holds listing.lock while it calls these functions; listings_tidy() takes the locks itself.
 */
#ifndef FS_OPS_LISTING_H
#define FS_OPS_LISTING_H

#include "fs/core/opened.h"
#include "fs/place/place.h"
#include "fs/place/place_stat.h"

/* The beginning of a page. */
struct listing_mark {
	uint64_t first;    /* ordinal of its first entry, from 0 for the first of the store */
	struct item after; /* of entries, and of an endpoint's partitions: the key before it */
	struct values pk;  /* of partitions: the key before it */
};

struct listing {
	struct opened opened;
	pthread_mutex_t lock; /* held by the READDIR that uses it; guards the members below */
	struct mount *m;
	struct node *dir;
	struct usage usage; /* to the user who opened it */
	struct call keep;   /* memory of place, hidden, marks and tail, until listing_begin() */
	struct place place;
	uint64_t ino;      /* of the directory */
	struct view *view; /* frozen state; NULL: closed, or none: pages are of the newest state */
	uint64_t used_ns;  /* steady: when it was last read */
	uint64_t newest;   /* the feed's newest change before the state was frozen */
	struct rows *rows; /* QUERY: the rows from rows_at on */
	uint64_t rows_at;
	bool begun;
	struct call page_call; /* memory of the page */
	uint64_t first;        /* ordinal of the page's first entry, from 0 for the store's first */
	size_t n;              /* entries in the page */
	bool more;             /* another page follows */
	const struct entry *entries;
	const struct partition *partitions;
	struct item next; /* of an endpoint: the key before the next page, as it returned it */
	const struct slice *names; /* tables, indexes, .itemfs: raw names */
	struct slice *hidden;      /* names of items that are left out, sorted: listing_own.c */
	size_t n_hidden;
	struct listing_mark *marks; /* of all pages but the first, ascending; on the heap */
	size_t n_marks;
	size_t cap_marks;
	bool has_tail;
	uint64_t end; /* with has_tail: number of entries of the store */
	struct slice *tail;
	size_t n_tail;
	struct buf ahead;     /* ops_readdir.c: records for the next READDIR; on the heap */
	uint64_t ahead_first; /* ordinal of the first of them */
	uint64_t ahead_next;  /* ordinal of the entry after the last of them */
};

/* An entry without its name. */
struct listed {
	bool own; /* only this mount shows it */
	enum node_kind kind;
	bool has_attributes;
	struct attributes attributes;
};

/** listing_new - create the listing of an opened directory; NULL: the account of the call's user is full, @c failed */
struct listing *listing_new(struct mount *m, struct call *c, struct node *dir);
void listing_free(struct listing *l);

enum {
	LISTING_END = 1,
	LISTING_FIRST = 2,
	LISTING_PAGE = 1024,
	LISTING_BYTES = 4 * 1024, /* counted for each listing, in addition to what it keeps */
	LISTING_PATIENCE_S = 600, /* how long a frozen state is kept without a READDIR */
};

/**
 * listing_begin - start at ordinal 0 with the newest state
 *
 * Return: 0, an outcome, or the engine's error, with @c failed
 */
int listing_begin(struct listing *l, struct call *c) must_check;

/**
 * listing_get - get the entry with an ordinal, after listing_begin() succeeded
 * @ordinal: LISTING_FIRST and above: not "." and ".."
 * @name:    its component is appended, without suffix and not yet shortened
 *
 * Return:  0, LISTING_END, PLACE_INTERRUPTED, or the engine's error, with @c failed
 */
int listing_get(struct listing *l, struct call *c, uint64_t ordinal, struct buf *name,
		struct listed *out) must_check;

/**
 * listings_tidy - close frozen states that were not read for LISTING_PATIENCE_S
 * @now_ns: steady
 *
 * A frozen state keeps data that was overwritten since from being compacted away.  A later READDIR continues after the
 * last entry with the newest state; an older position is counted from the beginning of its page.
 */
void listings_tidy(struct mount *m, uint64_t now_ns);

/* ------------------------------------------------------------ for listing.c, listing_own.c and listing_page.c */

/**
 * listing_hide - leave the items that are hidden now out of the pages; those that are shown again are in the tail
 *
 * To be called just before the state is frozen, and before each page if there is no frozen state, so that the names and
 * the hidden items are of the same moment.
 */
void listing_hide(struct listing *l);

/** listing_hides - Return: whether the item of this name is left out of the pages */
bool listing_hides(const struct listing *l, struct slice stem);

/**
 * listing_read_page - read the page after @mark; NULL: the first page
 *
 * Return: 0, PLACE_INTERRUPTED, or the engine's error, with @c failed; then the listing has no page
 */
int listing_read_page(struct listing *l, struct call *c, const struct listing_mark *mark)
	must_check;

/** listing_drop_page - free the page and the rows of a query */
void listing_drop_page(struct listing *l);

/**
 * listing_read_tail - read the tail, from the newest state
 *
 * The page must be the last one.
 * Return: 0, or the engine's error
 */
int listing_read_tail(struct listing *l, struct call *c) must_check;

/** listing_take_tail - get entry @i of the tail.  Return: 0 or LISTING_END */
int listing_take_tail(const struct listing *l, uint64_t i, struct buf *name, struct listed *out);

#endif
