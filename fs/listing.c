/*
 * listing - streams of directory entries.  ops_dir.c turns them into the
 * kernel's records; the engine gives them in pages.
 */
#include "fs/listing.h"

#include <assert.h>
#include <stdlib.h>

#include "store/base/cleanup.h"
#include "store/base/clock.h"
#include "store/base/mem.h"

#include "fs/handle.h"
#include "fs/rows.h"
#include "fs/special.h"

enum {
	PAGE_BUDGET = 64 * 1024 * 1024,
	LISTING_BYTES = 4 * 1024, /* beside what is counted */
};

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
	struct charge charge = {.account = account_of(&m->accounts, c->uid)};

	if (!charge_to(&charge, LISTING_BYTES)) {
		(void)account_full(c);
		return NULL;
	}
	struct listing *l = mem_new(struct listing);

	l->charge = charge;
	l->m = m;
	l->dir = dir;
	(void)pthread_mutex_init(&l->lock, NULL);
	call_open(&l->keep, 0, SIZE_MAX);
	call_open(&l->page_call, 0, PAGE_BUDGET);
	opened_add(m, &l->opened, end_listing);
	return l;
}

static void
drop_page(struct listing *l)
{
	rows_close(l->rows);
	l->rows = NULL;
	call_close(&l->page_call);
	l->n = 0;
	l->more = false;
}

static void
let_go(struct listing *l)
{
	drop_page(l);
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
	charge_end(&l->charge);
	(void)pthread_mutex_destroy(&l->lock);
	free(l);
}

/*
 * The page that is at hand stays: who reads on goes on behind it.  Of merged collections there is no key to go on
 * behind.
 */
static void
tidy(struct listing *l, uint64_t now_ns)
{
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

		/* One whose lock is held is read right now. */
		if (o->end == end_listing && pthread_mutex_trylock(&l->lock) == 0) {
			tidy(l, now_ns);
			(void)pthread_mutex_unlock(&l->lock);
		}
	}
}

/* ------------------------------------------------------------ pages */

static struct values
copy_values(struct arena *a, const struct values *v)
{
	struct values copy = {arena_new(a, struct value, v->n), v->n};

	for (size_t i = 0; i < v->n; i++) {
		copy.at[i] = value_copy(a, &v->at[i]);
	}
	return copy;
}

static void
add_mark(struct listing *l)
{
	uint64_t first = l->first + l->n;
	struct listing_mark mark = {.first = first};

	if (l->n_marks > 0 && l->marks[l->n_marks - 1].first >= first) {
		return;
	}
	if (l->entries != NULL) {
		struct item key =
			place_entry_key(&l->page_call.arena, &l->place, &l->entries[l->n - 1]);

		mark.after = item_copy(&l->keep.arena, &key);
	} else {
		mark.pk = copy_values(&l->keep.arena, &l->partitions[l->n - 1].pk);
		mark.after = item_copy(&l->keep.arena, &l->next);
	}
	if (l->n_marks == l->cap_marks) {
		l->cap_marks = l->cap_marks == 0 ? 16 : 2 * l->cap_marks;
		l->marks = mem_resized(l->marks, l->cap_marks, sizeof(*l->marks));
	}
	l->marks[l->n_marks++] = mark;
}

/* The page's own call is used for one page and then emptied. */
static int
pass_on(struct listing *l, struct call *c, int r)
{
	return r < 0 ? call_fail(c, (enum err) - r, "%s", l->page_call.error.message) : r;
}

static int
page_of_entries(struct listing *l, const struct listing_mark *mark)
{
	struct list_entries_in in = {
		.after = mark == NULL ? NULL : &mark->after,
		.limit = LISTING_PAGE,
		.view = l->view,
	};
	struct list_entries_out page = {0};
	int r = place_list_entries(l->m, &l->page_call, &l->place, &in, &page);

	if (r == 0) {
		l->entries = page.entries;
		l->n = page.n_entries;
		l->more = page.more;
	}
	return r;
}

static int
page_of_partitions(struct listing *l, const struct listing_mark *mark)
{
	struct list_partitions_in in = {
		.after = mark != NULL,
		.limit = LISTING_PAGE,
		.view = l->view,
	};
	struct list_partitions_out page = {0};

	l->next = (struct item){0};
	if (mark != NULL) {
		in.from = mark->pk;
		l->next = mark->after;
	}
	int r = place_list_partitions(l->m, &l->page_call, &l->place, &in, &page, &l->next);

	if (r == 0) {
		l->partitions = page.partitions;
		l->n = page.n_partitions;
		l->more = page.more;
	}
	return r;
}

/* What was behind the page in another state. */
static void
forget_behind(struct listing *l)
{
	while (l->n_marks > 0 && l->marks[l->n_marks - 1].first > l->first) {
		l->n_marks--;
	}
	l->has_tail = false;
}

/* What it has in memory now, its page included. */
static bool
charge_page(struct listing *l)
{
	return charge_to(&l->charge, LISTING_BYTES + l->page_call.arena.used + l->keep.arena.used +
					     l->cap_marks * sizeof(*l->marks) + l->ahead.cap +
					     rows_bytes(l->rows));
}

/* The page behind @mark; NULL: the first one. */
static int
read_page(struct listing *l, struct call *c, const struct listing_mark *mark)
{
	int r = 0;

	call_close(&l->page_call);
	l->page_call.now_ms = c->now_ms;
	l->page_call.uid = c->uid;
	l->page_call.given_up = c->given_up;
	l->page_call.asker = c->asker;
	l->first = mark == NULL ? 0 : mark->first;
	l->entries = NULL;
	l->partitions = NULL;
	l->names = NULL;
	l->n = 0;
	l->more = false;
	if (l->view == NULL) {
		forget_behind(l);
		listing_hide(l);
	}
	switch (l->place.role) {
	case ROLE_TABLES:
	case ROLE_INDEXES:
	case ROLE_SPECIAL:
		r = listing_names_page(l);
		break;
	case ROLE_QUERY:
		r = listing_query_page(l, mark);
		break;
	case ROLE_TABLE:
	case ROLE_INDEX:
	case ROLE_PARTITION:
	case ROLE_ITEM:
	case ROLE_SCRATCH:
	case ROLE_TERMINAL:
	case ROLE_TABLE_FILE:
		r = place_holds_items(&l->place) ? page_of_entries(l, mark)
						 : page_of_partitions(l, mark);
		break;
	}
	if (r == 0 && l->more) {
		add_mark(l);
	}
	if (r != 0) {
		/* Nothing was read: whoever asks again meets the same mark. */
		l->n = 0;
		l->more = true;
	} else if (!charge_page(l)) {
		drop_page(l);
		l->more = true;
		return account_full(c);
	}
	return pass_on(l, c, r);
}

/* ------------------------------------------------------------ what only this mount shows */

int
listing_finds(struct listing *l, struct call *c, struct slice stem, struct view *view)
{
	struct child child;
	struct facts facts;
	struct buf name;

	buf_init(&name, &c->arena);
	buf_slice(&name, stem);
	if (place_holds_items(&l->place)) {
		buf_str(&name, l->m->suffix);
	}
	int r = place_child(l->m, c, &l->place, buf_view(&name), &child);

	if (r == 0) {
		r = place_stat(l->m, c, &child.place, view, &facts);
	}
	return r == PLACE_ABSENT ? 0 : r == 0 ? 1 : r;
}

/* Is there an item or partition of that name in what was listed? */
static int
is_listed(struct listing *l, struct call *c, struct slice stem)
{
	return listing_hides(l, stem) ? 0 : listing_finds(l, c, stem, l->view);
}

static size_t
own_names(struct listing *l, struct call *c, struct slice **names)
{
	struct node **nodes;

	if (place_holds_items(&l->place)) {
		return file_list_own(l->m, &c->arena, l->dir, names);
	}
	size_t n = pending_list(l->m, &c->arena, l->dir, &nodes);

	*names = arena_new(&c->arena, struct slice, n);
	for (size_t i = 0; i < n; i++) {
		(*names)[i] = inode_name(&l->m->inodes, &c->arena, nodes[i]);
		inode_unref(&l->m->inodes, nodes[i]);
	}
	return n;
}

/* Nodes of scratch files are named with it. */
static bool
is_scratch_name(struct slice stem)
{
	return stem.at[0] == '/';
}

static bool
is_in_tail(const struct listing *l, struct slice name)
{
	size_t i = 0;

	while (i < l->n_tail && !slice_eq(l->tail[i], name)) {
		i++;
	}
	return i < l->n_tail;
}

static int
read_tail(struct listing *l, struct call *c)
{
	struct slice *names = NULL, *returned = NULL;
	size_t n = l->place.index == NULL && l->place.schema != NULL ? own_names(l, c, &names) : 0;
	size_t n_returned = 0;
	int failed = listing_returned(l, c, &returned, &n_returned);

	if (failed != 0) {
		return failed;
	}
	l->end = l->first + l->n;
	l->has_tail = true;
	l->n_tail = 0;
	l->tail = arena_new(&l->keep.arena, struct slice, n + n_returned);
	for (size_t i = 0; i < n; i++) {
		int r = is_scratch_name(names[i]) ? 0 : is_listed(l, c, names[i]);

		if (r < 0) {
			return r;
		}
		if (r == 0) {
			l->tail[l->n_tail++] = slice_copy(&l->keep.arena, names[i]);
		}
	}
	for (size_t i = 0; i < n_returned; i++) {
		/* One that is committed just now may be an own name, too. */
		if (!is_in_tail(l, returned[i])) {
			l->tail[l->n_tail++] = slice_copy(&l->keep.arena, returned[i]);
		}
	}
	return 0;
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
		return call_fail(c, (enum err) - r, "%s", l->keep.error.message);
	}
	if (r > 0) {
		return r;
	}
	l->ino = place_ino(&l->place);
	l->newest = l->m->feed == NULL ? 0 : feed_newest(l->m->feed);
	listing_hide(l);
	l->view = engine_view_open(l->m->engine);
	l->used_ns = clock_steady_ns();
	/* The first page is for listing_get(): an interrupt of that is no reason to begin anew. */
	l->first = 0;
	l->more = true;
	l->begun = true;
	return 0;
}

/* The newest mark that is not behind @at; NULL: the beginning. */
static const struct listing_mark *
mark_before(const struct listing *l, uint64_t at)
{
	size_t i = l->n_marks;

	while (i > 0 && l->marks[i - 1].first > at) {
		i--;
	}
	return i == 0 ? NULL : &l->marks[i - 1];
}

/* Make the page the one with @at in it, or the last one. */
static int
seek(struct listing *l, struct call *c, uint64_t at)
{
	int r = at < l->first ? read_page(l, c, mark_before(l, at)) : 0;

	/* The mark behind this page was made when it was read. */
	while (r == 0 && at >= l->first + l->n && l->more) {
		r = call_given_up(c) ? PLACE_INTERRUPTED
				     : read_page(l, c, mark_before(l, l->first + l->n));
	}
	return r;
}

static void
take_entry(const struct listing *l, size_t i, struct buf *name, struct listed *out)
{
	if (l->entries != NULL) {
		const struct entry *e = &l->entries[i];

		place_put_entry(name, &l->place, e);
		*out = (struct listed){
			.kind = NODE_ITEM,
			.has_facts = !l->m->form.pretty && !l->m->form.typed &&
				     !place_is_fleeting(&l->place),
			.facts = {.size = e->rendered_bytes, .mtime_ns = e->mtime_ns},
		};
	} else if (l->partitions != NULL) {
		const struct partition *p = &l->partitions[i];

		place_put_values(name, l->place.index, &p->pk);
		*out = (struct listed){
			.kind = NODE_PARTITION,
			.has_facts = true,
			.facts = {.is_dir = true,
				  .size = p->rendered_bytes,
				  .mtime_ns = place_time(l->m, &l->place)},
		};
	} else if (l->place.role == ROLE_SPECIAL) {
		buf_slice(name, l->names[i]);
		*out = (struct listed){.kind = NODE_SPECIAL};
		out->facts.is_dir = special_is_dir(l->place.shown, l->names[i]);
	} else {
		assert(l->names != NULL);
		struct value raw = value_string(l->names[i]);

		path_put_value(name, &raw);
		*out = (struct listed){.kind = l->place.role == ROLE_TABLES ? NODE_TABLE
									    : NODE_INDEX,
				       .facts = {.is_dir = true}};
	}
}

static int
take_tail(const struct listing *l, uint64_t i, struct buf *name, struct listed *out)
{
	if (i >= l->n_tail) {
		return LISTING_END;
	}
	bool items = place_holds_items(&l->place);

	if (is_scratch_name(l->tail[i])) {
		buf_slice(name, slice_skip(l->tail[i], 1));
		*out = (struct listed){.kind = NODE_SCRATCH};
		return 0;
	}
	buf_slice(name, l->tail[i]);
	*out = (struct listed){.kind = items ? NODE_ITEM : NODE_PARTITION,
			       .own = true,
			       .facts = {.is_dir = !items}};
	return 0;
}

int
listing_get(struct listing *l, struct call *c, uint64_t ordinal, struct buf *name,
	    struct listed *out)
{
	uint64_t at = ordinal - LISTING_FIRST;
	int r = 0;

	if (l->has_tail && at >= l->end) {
		r = take_tail(l, at - l->end, name, out);
		if (r == LISTING_END) {
			drop_page(l);
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
	r = read_tail(l, c);
	return r != 0 ? r : listing_get(l, c, ordinal, name, out);
}
