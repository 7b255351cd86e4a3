/*
 * listing - what readdir of one open directory shows, from one frozen state of the store
 *
 *   ordinal 0 "."   1 ".."   2.. the store's entries in key order, then what only this mount
 *   shows: partitions without items, files not yet committed
 *
 * The kernel's cookie is the ordinal of the next entry, so it stays valid under
 * changes.  Entries come in pages; the key before each page is remembered, so
 * a seek reads one page.  Ordinal 0 begins anew with the newest state.
 */
#ifndef FS_OPS_LISTING_H
#define FS_OPS_LISTING_H

#include "fs/core/opened.h"
#include "fs/place/place.h"

/* Where a page begins: behind this key. */
struct listing_mark {
	uint64_t first;
	struct item after; /* entries; partitions of a server elsewhere */
	struct values pk;  /* partitions */
};

struct listing {
	struct opened opened;
	pthread_mutex_t lock; /* held by the one READDIR that uses it */
	struct mount *m;
	struct node *dir;
	struct charge charge; /* of whoever opened it */
	struct call keep;     /* of the place, the marks and the tail: since ordinal 0 */
	struct place place;
	uint64_t ino; /* of the directory */
	struct view *
		view; /* NULL: let go, or the engine has none; pages are of the newest state then */
	uint64_t used_ns;  /* when it was read last */
	uint64_t newest;   /* the feed's newest change before the state was frozen */
	struct rows *rows; /* QUERY: what gives the entries from rows_at on */
	uint64_t rows_at;
	bool begun;
	struct call page_call; /* of the page */
	uint64_t first;        /* ordinal of the page's first entry, from 0 for the store's first */
	size_t n;              /* entries in the page */
	bool more;             /* is there another page? */
	const struct entry *entries;
	const struct partition *partitions;
	struct item next; /* of a server elsewhere: where it said that the next page begins */
	const struct slice *names; /* tables, indexes, .itemfs: raw names */
	struct slice *
		hidden; /* items that were hidden when the state was frozen, sorted: listing_own.c */
	size_t n_hidden;
	struct listing_mark *marks; /* on the heap: the key before each page but the first */
	size_t n_marks;
	size_t cap_marks;
	bool has_tail;
	uint64_t end; /* with has_tail: the store's entries are so many */
	struct slice *tail;
	size_t n_tail;
	struct buf
		ahead; /* ops_dir.c: records for the next READDIR, made while the kernel takes the last ones; on the heap */
	uint64_t ahead_first; /* ordinal of the first of them */
	uint64_t ahead_next;  /* and of the one behind them */
};

/* What is known of one entry beside its name. */
struct listed {
	bool own; /* only this mount shows it */
	enum node_kind kind;
	bool has_facts;
	struct facts facts;
};

/** listing_new - of a directory that was opened; NULL: the account of the call's user is full */
struct listing *listing_new(struct mount *m, struct call *c, struct node *dir);
void listing_free(struct listing *l);

enum {
	LISTING_END = 1,
	LISTING_FIRST = 2,
	LISTING_PAGE = 1024,
	LISTING_BYTES = 4 * 1024, /* of the account, beside what is counted */
	LISTING_PATIENCE_S = 600, /* how long a frozen state is kept for who does not read */
};

/** listing_begin - a READDIR at ordinal 0: a fresh state; Errors: the engine's, place_outcome */
int listing_begin(struct listing *l, struct call *c) __attribute__((warn_unused_result));

/**
 * listing_get - the entry with this ordinal; "." and ".." are not asked for
 * @ordinal: LISTING_FIRST and above
 * @name:    its component without suffix is appended, not yet shortened
 *
 * Return:  0, LISTING_END, PLACE_INTERRUPTED, or the engine's error, with @c failed
 */
int listing_get(struct listing *l, struct call *c, uint64_t ordinal, struct buf *name,
		struct listed *out) __attribute__((warn_unused_result));

/**
 * listings_tidy - let go of frozen states that nobody has read for LISTING_PATIENCE_S
 *
 * Such a state keeps what was overwritten since from being compacted away.  Who reads on gets what is there then behind
 * the last entry; an older position is counted from the page that it was in.
 */
void listings_tidy(struct mount *m, uint64_t now_ns);

/**
 * listing_hide - what is hidden now is left out of the listing, whatever becomes of it meanwhile
 *
 * Called before the state is frozen, and before each page where there is none: names and what is hidden of them
 * are of one moment.
 */
void listing_hide(struct listing *l);

/** listing_hides - is the item of this name left out? */
bool listing_hides(const struct listing *l, struct slice stem);

/** listing_read_page - the page behind @mark, for listing.c; NULL: the first one; listing_drop_page - there is none */
int listing_read_page(struct listing *l, struct call *c, const struct listing_mark *mark)
	__attribute__((warn_unused_result));
void listing_drop_page(struct listing *l);

/** listing_read_tail - of the newest state, for listing.c: the page is the last one */
int listing_read_tail(struct listing *l, struct call *c) __attribute__((warn_unused_result));

/** listing_take_tail - entry @i of it; 0 or LISTING_END */
int listing_take_tail(const struct listing *l, uint64_t i, struct buf *name, struct listed *out);

/** listing_finds - is there an item or partition of this name, in @view? 1, 0, or the engine's error */
int listing_finds(struct listing *l, struct call *c, struct slice stem, struct view *view)
	__attribute__((warn_unused_result));

/** listing_returned - names that were left out and have an item again that is shown; in @c's memory */
int listing_returned(struct listing *l, struct call *c, struct slice **names, size_t *n)
	__attribute__((warn_unused_result));

#endif
