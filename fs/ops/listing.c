/*
 * listing - the entries of an open directory: ordinals, seeks, frozen states that are closed early
 *
 * listing_page.c reads the pages; ops_readdir.c makes the kernel's records of the entries.
 */
#include "fs/ops/listing.h"

#include "store/base/core/clock.h"
#include "store/engine/engine.h"
#include "store/engine/feed.h"
#include "store/model/value.h"

#include "fs/core/memory_account.h"
#include "fs/core/opened.h"
#include "fs/format/path.h"
#include "fs/made/special.h"
#include "fs/place/place.h"
#include "fs/place/place_entry.h"
#include "fs/place/rows.h"

enum { PAGE_BUDGET = 64 * 1024 * 1024 };

static void
end_listing(struct mount *m, struct call *c, struct opened *o)
{
	(void)m;
	(void)c;
	listing_free((struct listing *)o);
}

struct listing *
listing_new(struct mount *m, struct call *c, struct node *dir)
{
	struct usage usage = {.account = account_of(&m->accounts, c->uid)};

	if (!usage_resize(&usage, LISTING_BYTES)) {
		(void)account_full(c);
		return NULL;
	}
	struct listing *l = mem_new(struct listing);

	l->usage = usage;
	l->m = m;
	l->dir = dir;
	(void)pthread_mutex_init(&l->lock, NULL);
	call_open(&l->keep, 0, SIZE_MAX);
	call_open(&l->page_call, 0, PAGE_BUDGET);
	opened_add(m, &l->opened, end_listing);
	return l;
}

static void
let_go(struct listing *l)
{
	listing_drop_page(l);
	engine_view_close(l->m->engine, l->view);
	l->view = NULL;
}

void
listing_free(struct listing *l)
{
	opened_drop(l->m, &l->opened);
	let_go(l);
	call_close(&l->keep);
	buf_release(&l->ahead);
	free(l->marks);
	usage_end(&l->usage);
	(void)pthread_mutex_destroy(&l->lock);
	free(l);
}

/*
 * Close the frozen state of an idle listing.  Its page stays: a later READDIR continues after it.  A listing of merged
 * collections keeps its state, because it has no key from which it could continue.
 */
static void
listing_tidy(struct listing *l, uint64_t now_ns)
{
	assert(lock_held(&l->lock));
	bool is_idle = now_ns - l->used_ns >= LISTING_PATIENCE_S * NS_PER_S;

	if (l->view == NULL || !is_idle || l->place.clauses.sharded) {
		return;
	}
	rows_close(l->rows);
	l->rows = NULL;
	engine_view_close(l->m->engine, l->view);
	l->view = NULL;
}

void
listings_tidy(struct mount *m, uint64_t now_ns)
{
	lock_scope(&m->files_lock);
	for (struct opened *o = m->opened; o != NULL; o = o->next) {
		struct listing *l = (struct listing *)o;

		/* If its lock is held, it is being read. */
		if (o->end == end_listing && pthread_mutex_trylock(&l->lock) == 0) {
			listing_tidy(l, now_ns);
			(void)pthread_mutex_unlock(&l->lock);
		}
	}
}

/* ------------------------------------------------------------ */

int
listing_begin(struct listing *l, struct call *c)
{
	let_go(l);
	call_close(&l->keep);
	l->n_marks = 0;
	l->has_tail = false;
	l->n_tail = 0;
	l->hidden = NULL;
	l->n_hidden = 0;
	l->begun = false;
	int r = place_of(l->m, &l->keep, l->dir, &l->place);

	if (r < 0) {
		return call_adopt(c, &l->keep);
	}
	if (r > 0) {
		return r;
	}
	l->place.age = PLACE_RECENT;
	l->ino = l->place.ino;
	l->newest = l->m->feed == NULL ? 0 : feed_newest(l->m->feed);
	listing_hide(l);
	l->view = engine_view_open(l->m->engine);
	l->used_ns = clock_steady_ns();
	/* listing_get() reads the first page, so that an interrupt there does not undo listing_begin(). */
	l->first = 0;
	l->more = true;
	l->begun = true;
	return 0;
}

/* The last mark at or before @at; NULL: the beginning. */
static const struct listing_mark *
mark_before(const struct listing *l, uint64_t at)
{
	size_t i = l->n_marks;

	while (i > 0 && l->marks[i - 1].first > at) {
		i--;
	}
	return i == 0 ? NULL : &l->marks[i - 1];
}

/* Read the page that contains @at, or the last page. */
static int
seek(struct listing *l, struct call *c, uint64_t at)
{
	int r = at < l->first ? listing_read_page(l, c, mark_before(l, at)) : 0;

	/* Reading a page has added the mark after it. */
	while (r == 0 && at >= l->first + l->n && l->more) {
		r = call_given_up(c) ? PLACE_INTERRUPTED
				     : listing_read_page(l, c, mark_before(l, l->first + l->n));
	}
	return r;
}

static void
take_entry(const struct listing *l, size_t i, struct buf *name, struct listed *out)
{
	assert(i < l->n);
	if (l->entries != NULL) {
		const struct entry *e = &l->entries[i];

		place_put_entry(name, &l->place, e);
		*out = (struct listed){
			.kind = NODE_ITEM,
			.has_attributes = !l->m->form.pretty && !l->m->form.typed &&
					  !place_is_fleeting(&l->place),
			.attributes = {.size = e->rendered_bytes, .mtime_ns = e->mtime_ns},
		};
	} else if (l->partitions != NULL) {
		const struct partition *p = &l->partitions[i];

		place_put_values(name, l->place.index, &p->pk);
		*out = (struct listed){
			.kind = NODE_PARTITION,
			.has_attributes = true,
			.attributes = {.is_dir = true,
				       .size = p->rendered_bytes,
				       .mtime_ns = place_time(l->m, &l->place)},
		};
	} else if (l->place.role == ROLE_SPECIAL) {
		buf_slice(name, l->names[i]);
		*out = (struct listed){.kind = NODE_SPECIAL};
		out->attributes.is_dir = special_is_dir(l->place.shown, l->names[i]);
	} else {
		assert(l->names != NULL);
		struct value raw = value_string(l->names[i]);

		path_put_value(name, &raw);
		*out = (struct listed){.kind = l->place.role == ROLE_TABLES ? NODE_TABLE
									    : NODE_INDEX,
				       .attributes = {.is_dir = true}};
	}
}

int
listing_get(struct listing *l, struct call *c, uint64_t ordinal, struct buf *name,
	    struct listed *out)
{
	assert(l->begun && ordinal >= LISTING_FIRST);
	uint64_t at = ordinal - LISTING_FIRST;
	int r = 0;

	if (l->has_tail && at >= l->end) {
		r = listing_take_tail(l, at - l->end, name, out);
		if (r == LISTING_END) {
			listing_drop_page(l);
			l->first = l->end;
		}
		return r;
	}
	if (at < l->first || at >= l->first + l->n) {
		r = seek(l, c, at);
	}
	if (r != 0) {
		return r;
	}
	if (at < l->first + l->n) {
		take_entry(l, (size_t)(at - l->first), name, out);
		return 0;
	}
	r = listing_read_tail(l, c);
	return r != 0 ? r : listing_get(l, c, ordinal, name, out);
}
