/*
 * inval - from the engine's feed to the kernel's caches.
 *
 * A change of the item (P, S) with index keys (p, s):
 *
 *   made, removed   entry S of directory P; the item's node; P's attributes; entry P of the
 *                   table, if that partition is new or gone
 *   overwritten     the item's node; P's attributes
 *   in each index   the same for its entry before and after, if they differ
 *
 * The kernel that made the change knows what it did to the table, but nothing
 * of the index views.
 */
#include "fs/inval.h"

#include <errno.h>
#include <stdlib.h>

#include "store/base/cleanup.h"
#include "store/base/clock.h"

#include "fs/follow.h"
#include "fs/handle.h"
#include "fs/terminal.h"

enum { CHANGE_BUDGET = 64 * 1024 * 1024 };

/* One change and where it is being told. */
struct telling {
	struct mount *m;
	struct call *c;
	const struct change *ch;
	const struct schema *schema;
	const struct index *index; /* NULL: the table itself */
	struct node *root;         /* directory of the table or index view */
};

/* ------------------------------------------------------------ to the kernel */

/* It comes after the answers to LOOKUP and READDIRPLUS that are on their way: they hold the directory's lock. */
static void
tell_entry(struct mount *m, struct node *dir, struct slice name)
{
	(void)fuse_lowlevel_notify_inval_entry(m->session, node_id(m, dir), name.at, name.len);
}

/* false: the kernel does not know the node, or not yet */
static bool
tell_attributes(struct mount *m, struct node *n)
{
	return fuse_lowlevel_notify_inval_inode(m->session, node_id(m, n), -1, 0) != -ENOENT;
}

static bool
tell_content(struct mount *m, struct node *n)
{
	{
		/* Whoever is handing over old pages is through then. */
		lock_scope(&m->push_lock);
		n->flags &= (uint8_t)~NODE_PUSHED;
	}
	return fuse_lowlevel_notify_inval_inode(m->session, node_id(m, n), 0, 0) != -ENOENT;
}

/*
 * A node that we know and the kernel does not: it has forgotten it, or the answer that tells of it, with old
 * attributes, has not arrived.  Then it is waited for.
 */
static void
tell_node(struct mount *m, bool content, struct node *n, struct node *dir, struct slice name)
{
	bool (*tell)(struct mount * m, struct node * n) = content ? tell_content : tell_attributes;

	if (!tell(m, n)) {
		tell_entry(m, dir, name);
		(void)tell(m, n);
	}
}

/* ------------------------------------------------------------ one view of the table */

static struct slice
name_of(struct call *c, struct slice component, struct slice suffix)
{
	struct buf name;

	buf_init(&name, &c->arena);
	(void)path_put_name(&name, component, suffix);
	*buf_room(&name, 1) = '\0';
	return buf_view(&name);
}

/* Where an image of the item is shown. */
struct spot {
	bool there;
	struct slice partition; /* name; empty: the root itself */
	struct values pk;
	struct slice file; /* name with suffix */
	struct slice stem;
};

static struct spot
spot_of(const struct telling *t, bool has, const struct item *it)
{
	struct slice suffix = slice_from(t->m->suffix);
	struct spot spot = {0};
	struct values name;
	struct buf component;

	spot.there =
		has && place_entry_values(&t->c->arena, t->schema, t->index, it, &spot.pk, &name);
	if (!spot.there) {
		return spot;
	}
	buf_init(&component, &t->c->arena);
	place_put_values(&component, t->index, &name);
	spot.file = name_of(t->c, buf_view(&component), suffix);
	spot.stem = slice_of(spot.file.at, spot.file.len - suffix.len);
	if (spot.pk.n > 0) {
		struct buf partition;

		buf_init(&partition, &t->c->arena);
		place_put_values(&partition, t->index, &spot.pk);
		spot.partition = name_of(t->c, buf_view(&partition), SLICE(""));
	}
	return spot;
}

/* Has the partition no items now? In doubt, yes: the kernel then asks. */
static bool
is_empty(const struct telling *t, const struct spot *spot)
{
	struct place p = {.role = ROLE_PARTITION,
			  .schema = t->schema,
			  .index = t->index,
			  .table = t->schema->table,
			  .pk = spot->pk};

	return place_has_items(t->m, t->c, &p) != 1;
}

/* The directory of the spot with one ref, or NULL when the kernel does not know it. */
static struct node *
find_dir(const struct telling *t, const struct spot *spot)
{
	if (spot->partition.len == 0) {
		inode_ref(&t->m->inodes, t->root);
		return t->root;
	}
	return inode_find(&t->m->inodes, t->root, spot->partition);
}

/* Emptied by another door, it is gone at once, unless there are files in it that are none of the store's. */
static void
tell_emptied(const struct telling *t, const struct spot *spot, struct node *dir)
{
	struct slice *names;

	if (t->index == NULL && file_list_own(t->m, &t->c->arena, dir, &names) > 0) {
		(void)pending_add(t->m, dir);
		return;
	}
	(void)pending_drop(t->m, dir);
	tell_entry(t->m, t->root, spot->partition);
}

static void
tell_dir(const struct telling *t, const struct spot *spot, struct node *dir)
{
	tell_node(t->m, false, dir, t->root, spot->partition);
}

/* The file's name came or went. */
static void
tell_name(const struct telling *t, const struct spot *spot, bool came)
{
	struct node *dir = find_dir(t, spot);

	if (dir == NULL) {
		/* The kernel may remember that there is no such partition. */
		if (came) {
			tell_entry(t->m, t->root, spot->partition);
		}
		return;
	}
	tell_entry(t->m, dir, spot->file);
	tell_dir(t, spot, dir);
	if (came && (dir->flags & NODE_MISSED) != 0) {
		dir->flags &= (uint8_t)~NODE_MISSED;
		tell_entry(t->m, t->root, spot->partition);
	}
	/* What mkdir made has items of others now, and goes with them. */
	if (came && spot->partition.len > 0) {
		(void)pending_drop(t->m, dir);
	}
	if (!came && spot->partition.len > 0 && is_empty(t, spot)) {
		tell_emptied(t, spot, dir);
	}
	inode_unref(&t->m->inodes, dir);
}

/* The bytes or times behind the name changed. */
static void
tell_file(const struct telling *t, const struct spot *spot)
{
	struct node *dir = find_dir(t, spot);
	struct node *n = dir == NULL ? NULL : inode_find(&t->m->inodes, dir, spot->stem);

	if (n != NULL) {
		file_mark_stale(t->m, n);
		tell_node(t->m, !t->ch->times_only, n, dir, spot->file);
		inode_unref(&t->m->inodes, n);
	}
	if (dir != NULL) {
		tell_dir(t, spot, dir);
		inode_unref(&t->m->inodes, dir);
	}
}

static bool
same_spot(const struct spot *a, const struct spot *b)
{
	return a->there && b->there && slice_eq(a->partition, b->partition) &&
	       slice_eq(a->file, b->file);
}

static void
tell_view(const struct telling *t)
{
	const struct change *ch = t->ch;
	struct spot old = spot_of(t, ch->has_old, &ch->old);
	struct spot new = spot_of(t, ch->has_new, &ch->new);

	if (old.there) {
		tell_file(t, &old);
	}
	if (same_spot(&old, &new)) {
		return;
	}
	if (old.there) {
		tell_name(t, &old, false);
	}
	if (new.there) {
		tell_file(t, &new);
		tell_name(t, &new, true);
	}
}

/* ------------------------------------------------------------ the directories of a table */

/* The node of a table's directory with one ref, or NULL. */
static struct node *
find_table(struct mount *m, struct call *c, struct slice table)
{
	struct value name = value_string(table);
	struct buf component;

	if (m->table[0] != '\0') {
		if (!slice_is(table, m->table)) {
			return NULL;
		}
		inode_ref(&m->inodes, m->inodes.root);
		return m->inodes.root;
	}
	buf_init(&component, &c->arena);
	path_put_value(&component, &name);
	return inode_find(&m->inodes, m->inodes.root, name_of(c, buf_view(&component), SLICE("")));
}

static struct node *
find_index(struct telling *t, struct node *table, const struct index *ix)
{
	struct mount *m = t->m;
	struct value name = value_string(ix->name);
	struct buf component;

	if (m->index[0] != '\0') {
		if (!slice_is(ix->name, m->index)) {
			return NULL;
		}
		inode_ref(&m->inodes, m->inodes.root);
		return m->inodes.root;
	}
	struct node *indexes = inode_find(&m->inodes, table, SLICE(".index"));

	if (indexes == NULL) {
		return NULL;
	}
	buf_init(&component, &t->c->arena);
	path_put_value(&component, &name);
	struct node *n =
		inode_find(&m->inodes, indexes, name_of(t->c, buf_view(&component), SLICE("")));

	inode_unref(&m->inodes, indexes);
	return n;
}

static void
tell_indexes(struct telling *t, struct node *table)
{
	for (size_t i = 0; i < t->schema->n_index; i++) {
		t->index = &t->schema->index[i];
		t->root = find_index(t, table, t->index);
		if (t->root != NULL) {
			tell_view(t);
			inode_unref(&t->m->inodes, t->root);
		}
	}
}

/* ------------------------------------------------------------ whole tables, everything */

static bool
is_within(struct mount *m, struct node *n, const struct node *top)
{
	do {
		if (n == top) {
			return true;
		}
		n = inode_parent(&m->inodes, n);
	} while (n != NULL);
	return false;
}

/* What was on its way into the directory has arrived; the name does not matter. */
static void
settle_dir(struct mount *m, struct node *dir)
{
	tell_entry(m, dir, SLICE("."));
}

/* All nodes at or below @top; NULL: all of them.  An epoch after it finds nothing under way. */
static void
tell_all(struct mount *m, const struct node *top)
{
	size_t n;
	struct node **all = inode_all(&m->inodes, &n);

	for (size_t i = 0; i < n; i++) {
		if (top == NULL || is_within(m, all[i], top)) {
			file_mark_stale(m, all[i]);
			(void)tell_content(m, all[i]);
			if (all[i]->kind != NODE_ITEM && all[i]->kind != NODE_SCRATCH) {
				settle_dir(m, all[i]);
			}
		}
		inode_unref(&m->inodes, all[i]);
	}
	free(all);
}

static void
tell_table(struct mount *m, struct call *c, struct slice table)
{
	struct value name = value_string(table);
	struct buf component;
	struct node *n = find_table(m, c, table);

	schemas_drop(&m->schemas, table);
	if (n != NULL) {
		tell_all(m, n);
		inode_unref(&m->inodes, n);
	}
	buf_init(&component, &c->arena);
	path_put_value(&component, &name);
	tell_entry(m, m->inodes.root, name_of(c, buf_view(&component), SLICE("")));
	(void)tell_attributes(m, m->inodes.root);
	hub_epoch_of(m);
}

/* A new index has a name now, one that is dropped has none; what its view showed is gone. */
static void
tell_index(struct mount *m, struct call *c, struct node *indexes, struct slice index)
{
	struct value raw = value_string(index);
	struct buf component;

	buf_init(&component, &c->arena);
	path_put_value(&component, &raw);
	struct slice name = name_of(c, buf_view(&component), SLICE(""));
	struct node *n = inode_find(&m->inodes, indexes, name);

	if (n != NULL) {
		tell_all(m, n);
		inode_unref(&m->inodes, n);
	}
	tell_entry(m, indexes, name);
}

static void
tell_altered(struct mount *m, struct call *c, struct slice table)
{
	const struct schema *known[2] = {schemas_find(&m->schemas, c, table), NULL};
	struct node *n = find_table(m, c, table);
	struct node *indexes = NULL;

	schemas_drop(&m->schemas, table);
	if (n == NULL) {
		return;
	}
	if (m->index[0] != '\0') {
		tell_all(m, n);
	} else {
		indexes = inode_find(&m->inodes, n, SLICE(".index"));
	}
	if (indexes != NULL && schemas_get(&m->schemas, c, table, &known[1]) == 0) {
		for (size_t i = 0; i < 2; i++) {
			for (size_t k = 0; known[i] != NULL && k < known[i]->n_index; k++) {
				tell_index(m, c, indexes, known[i]->index[k].name);
			}
		}
	}
	hub_epoch_of(m);
	inode_unref(&m->inodes, indexes);
	inode_unref(&m->inodes, n);
}

static void
tell_lost(struct mount *m)
{
	schemas_clear(&m->schemas);
	tell_all(m, NULL);
	(void)tell_attributes(m, m->inodes.root);
	settle_dir(m, m->inodes.root);
	hub_epoch_of(m);
}

/* ------------------------------------------------------------ the thread */

static void
tell_change(struct mount *m, struct call *c, const struct change *ch)
{
	struct telling t = {.m = m, .c = c, .ch = ch};

	if (ch->dropped) {
		tell_table(m, c, ch->table);
		return;
	}
	if (ch->altered) {
		tell_altered(m, c, ch->table);
		return;
	}
	struct node *table = find_table(m, c, ch->table);

	if (table == NULL) {
		return;
	}
	t.root = table;
	t.schema = schemas_find(&m->schemas, c, ch->table);
	/* A table that nobody has asked the schema of has no names in the kernel. */
	if (t.schema != NULL) {
		if (ch->origin != m && m->index[0] == '\0') {
			tell_view(&t);
		}
		if (m->index_known) {
			tell_indexes(&t, table);
		}
	}
	inode_unref(&m->inodes, table);
}

static void *
run(void *arg)
{
	struct mount *m = arg;
	struct change ch;
	int r;

	do {
		struct call c;

		call_open(&c, 0, CHANGE_BUDGET);
		c.origin = m;
		r = feed_next(m->reader, &c, -1, &ch);
		terminals_tidy(m, clock_steady_ns());
		if (r == 0) {
			tell_change(m, &c, &ch);
			follow_tell(m, &c, &ch);
		} else if (r == FEED_LOST) {
			tell_lost(m);
			follow_lost(m);
		}
		call_close(&c);
	} while (r != FEED_CLOSED);
	return NULL;
}

int
inval_start(struct call *c, struct mount *m)
{
	if (m->feed == NULL) {
		return 0;
	}
	m->reader = feed_open(m->feed);
	feed_set_origin(m->reader, m);
	int e = pthread_create(&m->thread, NULL, run, m);

	if (e != 0) {
		feed_close(m->reader);
		m->reader = NULL;
		return call_fail(c, ERR_IO, "no thread for invalidations: %s", strerrordesc_np(e));
	}
	return 0;
}

void
inval_stop(struct mount *m)
{
	if (m->reader == NULL) {
		return;
	}
	feed_wake(m->reader);
	(void)pthread_join(m->thread, NULL);
	feed_close(m->reader);
	m->reader = NULL;
}
