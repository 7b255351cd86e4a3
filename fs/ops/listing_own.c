/*
 * listing_own - parts of a listing that only this mount has
 *
 * The tail has the entries that the store does not list.  Items that are hidden when the state is frozen are left out
 * of the pages; those that are shown again are in the tail.
 */
#include "fs/core/inode.h"
#include "fs/core/mount_int.h"
#include "fs/core/pending.h"
#include "fs/file/file_list.h"
#include "fs/file/hidden.h"
#include "fs/ops/listing.h"
#include "fs/place/place.h"
#include "fs/place/place_stat.h"

/* Prefix of .index and .itemfs in the tail.  The names of scratch files have one slash as prefix, and never two. */
#define DOT_MARK "//"

enum { DOT_NAMES = 2 };

/* Return: 1 if @view has an item or partition of this name, 0 if not, or the engine's error */
static int
listing_finds(struct listing *l, struct call *c, struct slice stem, struct view *view)
{
	struct child child;
	struct attributes attributes;
	struct buf name;

	buf_init(&name, &c->arena);
	buf_slice(&name, stem);
	if (place_holds_items(&l->place)) {
		buf_str(&name, l->m->suffix);
	}
	int r = place_child(l->m, c, &l->place, buf_view(&name), &child);

	if (r == 0) {
		r = place_stat(l->m, c, &child.place, view, &attributes);
	}
	return r == PLACE_ABSENT ? 0 : r == 0 ? 1 : r;
}

/* Return: 1 if the pages have an item or partition of that name, 0 if not, or the engine's error */
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

/* The names of scratch files' nodes begin with a slash. */
static bool
is_scratch_name(struct slice stem)
{
	assert(stem.len > 0);
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

/* List the names that were left out and whose items are shown again, in @c's memory.  Return: 0, or an error */
static int
listing_returned(struct listing *l, struct call *c, struct slice **names, size_t *n)
{
	*n = 0;
	*names = arena_new(&c->arena, struct slice, l->n_hidden);
	for (size_t i = 0; i < l->n_hidden; i++) {
		int r = hidden_is(l->m, l->dir, l->hidden[i])
				? 0
				: listing_finds(l, c, l->hidden[i], NULL);

		if (r < 0) {
			return r;
		}
		if (r == 1) {
			(*names)[(*n)++] = l->hidden[i];
		}
	}
	return 0;
}

/* .index and .itemfs as -o dotdirs shows them; .itemfs also in a store without tables.  Return: at most DOT_NAMES */
static size_t
dot_names(const struct listing *l, struct slice *names)
{
	const struct schema *s = l->place.schema;
	size_t n = 0;

	if (l->m->dotdirs && l->place.role == ROLE_TABLE && s->n_index > 0) {
		names[n++] = SLICE(DOT_MARK ".index");
	}
	if ((l->m->dotdirs || (l->place.role == ROLE_TABLES && l->end == 0)) &&
	    place_is_root(l->m, &l->place)) {
		names[n++] = SLICE(DOT_MARK SPECIAL_NAME);
	}
	return n;
}

int
listing_read_tail(struct listing *l, struct call *c)
{
	assert(!l->more);
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
	l->tail = arena_new(&l->keep.arena, struct slice, n + n_returned + DOT_NAMES);
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
		/* A file that is just being committed may be among both. */
		if (!is_in_tail(l, returned[i])) {
			l->tail[l->n_tail++] = slice_copy(&l->keep.arena, returned[i]);
		}
	}
	l->n_tail += dot_names(l, l->tail + l->n_tail);
	return 0;
}

int
listing_take_tail(const struct listing *l, uint64_t i, struct buf *name, struct listed *out)
{
	assert(l->has_tail);
	if (i >= l->n_tail) {
		return LISTING_END;
	}
	bool items = place_holds_items(&l->place);

	if (slice_starts(l->tail[i], SLICE(DOT_MARK))) {
		buf_slice(name, slice_skip(l->tail[i], sizeof(DOT_MARK) - 1));
		*out = (struct listed){.kind = slice_ends(l->tail[i], SLICE(SPECIAL_NAME))
						       ? NODE_SPECIAL
						       : NODE_INDEXES,
				       .own = true,
				       .attributes = {.is_dir = true}};
		return 0;
	}
	if (is_scratch_name(l->tail[i])) {
		buf_slice(name, slice_skip(l->tail[i], 1));
		*out = (struct listed){.kind = NODE_SCRATCH};
		return 0;
	}
	buf_slice(name, l->tail[i]);
	*out = (struct listed){.kind = items ? NODE_ITEM : NODE_PARTITION,
			       .own = true,
			       .attributes = {.is_dir = !items}};
	return 0;
}

/* ------------------------------------------------------------ hidden items */

void
listing_hide(struct listing *l)
{
	struct slice *now;
	size_t n = hidden_names(l->m, &l->keep.arena, l->dir, &now);

	if (n == 0) {
		return;
	}
	struct slice *all = arena_new(&l->keep.arena, struct slice, l->n_hidden + n);
	size_t n_all = l->n_hidden;

	if (n_all > 0) {
		memcpy(all, l->hidden, n_all * sizeof(*all));
	}
	for (size_t i = 0; i < n; i++) {
		if (!listing_hides(l, now[i])) {
			all[n_all++] = now[i];
		}
	}
	qsort(all, n_all, sizeof(*all), slice_order);
	l->hidden = all;
	l->n_hidden = n_all;
}

bool
listing_hides(const struct listing *l, struct slice stem)
{
	return l->n_hidden > 0 &&
	       bsearch(&stem, l->hidden, l->n_hidden, sizeof(*l->hidden), slice_order) != NULL;
}
