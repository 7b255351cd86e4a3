/*
 * inval - the invalidation thread, from the engine's feed to the kernel's caches
 *
 * A change of the item (P, S) with index keys (p, s) invalidates:
 *
 *   created, deleted  entry S of directory P; the item's node; P's attributes; entry P of the table, if the partition
 *                     is new or gone
 *   overwritten       the item's node; P's attributes
 *   in each index     the same for the entry before and after the change, if they differ
 *
 * For a change through this mount the kernel already knows the new state of the table, but not that of the index views.
 * So the thread receives the mount's own changes only once the kernel has looked up an index view, or a program has
 * opened a .stream (mount_receive_own()).
 */
#include "fs/daemon/inval.h"

#include "store/base/core/clock.h"
#include "store/engine/feed.h"
#include "store/model/value.h"

#include "fs/core/absence.h"
#include "fs/core/hub.h"
#include "fs/core/inode.h"
#include "fs/core/schemas.h"
#include "fs/core/times.h"
#include "fs/daemon/inval_int.h"
#include "fs/file/file_list.h"
#include "fs/made/follow.h"
#include "fs/made/generated.h"
#include "fs/ops/listing.h"
#include "fs/place/place_entry.h"

enum { CHANGE_BUDGET = 64 * 1024 * 1024 };

/* ------------------------------------------------------------ notifications */

/*
 * A new epoch makes the kernel look up all names again; replies under way belong to the old epoch.  A kernel without
 * epochs is notified of the name.  That notification waits for the lock of the directory, so it takes effect after the
 * replies under way.  But a request of this mount may hold the lock, and if the daemon is killed then, the notification
 * never returns.
 */
void
inval_entry(struct mount *m, struct node *dir, struct slice name)
{
	if (m->has_epochs) {
		absent_clear(&m->absent);
		hub_epoch_of(m);
	} else {
		(void)fuse_lowlevel_notify_inval_entry(m->session, node_id(m, dir), name.at,
						       name.len);
	}
}

void
inval_entry_new(struct mount *m, struct node *dir, struct slice name)
{
	if (!m->has_epochs || absent_has(&m->absent, dir, name)) {
		inval_entry(m, dir, name);
	}
}

bool
inval_attributes(struct mount *m, struct node *n)
{
	return fuse_lowlevel_notify_inval_inode(m->session, node_id(m, n), -1, 0) != -ENOENT;
}

/*
 * Does not drop the pages, because that would wait for READs under way.  The kernel drops them when it gets attributes
 * with another size or time, or at the next OPEN.
 */
bool
inval_content(struct mount *m, struct node *n)
{
	{
		/* Waits for an OPEN that is storing old pages in the kernel. */
		lock_scope(&m->push_lock);
		n->flags &= (uint8_t)~NODE_PUSHED;
		n->flags |= NODE_OTHER_TEXT | NODE_CHANGED;
	}
	return inval_attributes(m, n);
}

/* ------------------------------------------------------------ the directories of a table */

/* The name of the directory of a table, or of an index below .index. */
static struct slice
inval_name_of(struct call *c, struct slice table)
{
	struct value name = value_string(table);

	return place_name(&c->arena, NULL, &(struct values){&name, 1}, SLICE(""));
}

/* The node of a table's directory, with a reference, or NULL. */
static struct node *
inval_find_table(struct mount *m, struct call *c, struct slice table)
{
	if (m->table[0] != '\0') {
		if (!slice_is(table, m->table)) {
			return NULL;
		}
		inode_ref(&m->inodes, m->inodes.root);
		return m->inodes.root;
	}
	return inode_find(&m->inodes, m->inodes.root, inval_name_of(c, table));
}

static struct node *
inval_find_index(struct telling *t, struct node *table, const struct index *ix)
{
	struct mount *m = t->m;

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
	struct node *n = inode_find(&m->inodes, indexes, inval_name_of(t->c, ix->name));

	inode_unref(&m->inodes, indexes);
	return n;
}

static void
tell_indexes(struct telling *t, struct node *table)
{
	for (size_t i = 0; i < t->schema->n_index; i++) {
		t->index = &t->schema->index[i];
		t->root = table == NULL ? NULL : inval_find_index(t, table, t->index);
		inval_view(t);
		inode_unref(&t->m->inodes, t->root);
	}
}

/* ------------------------------------------------------------ times of directories */

/* Update the times of all directories of a table, or of its indexes, because the changed names are unknown. */
static void
note_unknown(struct mount *m, struct slice table, bool indexes)
{
	uint64_t ino = place_child_ino(1, table);

	place_all_changed(m, indexes ? place_child_ino(ino, SLICE("/.index")) : ino);
}

/* ------------------------------------------------------------ whole tables and mounts */

/* Without epochs, wait until replies with names in @dir have arrived; the name does not matter. */
static void
settle_dir(struct mount *m, struct node *dir)
{
	if (!m->has_epochs) {
		inval_entry(m, dir, SLICE("."));
	}
}

/* Invalidate all nodes at or below @top; NULL: all nodes.  The caller then starts a new epoch. */
static void
tell_all(struct mount *m, const struct node *top)
{
	size_t n;
	struct node **all = inode_all(&m->inodes, &n);

	for (size_t i = 0; i < n; i++) {
		if (top == NULL || inode_is_within(&m->inodes, all[i], top)) {
			file_mark_stale(m, all[i]);
			(void)inval_content(m, all[i]);
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
	struct node *n = inval_find_table(m, c, table);

	schemas_drop(&m->schemas, table);
	times_touch(&m->dir_times, 1, clock_now_ns());
	note_unknown(m, table, false);
	if (n != NULL) {
		tell_all(m, n);
		inode_unref(&m->inodes, n);
	}
	inval_entry(m, m->inodes.root, inval_name_of(c, table));
	(void)inval_attributes(m, m->inodes.root);
	hub_epoch_of(m);
}

/* Invalidate the name and the view of an index that was added or dropped. */
static void
tell_index(struct mount *m, struct call *c, struct node *indexes, struct slice index)
{
	struct slice name = inval_name_of(c, index);
	struct node *n = inode_find(&m->inodes, indexes, name);

	if (n != NULL) {
		tell_all(m, n);
		inode_unref(&m->inodes, n);
	}
	inval_entry(m, indexes, name);
}

static void
tell_altered(struct mount *m, struct call *c, struct slice table)
{
	const struct schema *known[2] = {schemas_find(&m->schemas, c, table), NULL};
	struct node *n = inval_find_table(m, c, table);
	struct node *indexes = NULL;

	schemas_drop(&m->schemas, table);
	note_unknown(m, table, true);
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
	schemas_drop(&m->schemas, SLICE(""));
	times_raise(&m->dir_times, clock_now_ns());
	tell_all(m, NULL);
	(void)inval_attributes(m, m->inodes.root);
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
	if (m->table[0] != '\0' && !slice_is(ch->table, m->table)) {
		return;
	}
	t.schema = schemas_find(&m->schemas, c, ch->table);
	/*
	 * No request has needed the schema, so the kernel knows no names in the table. Or none has needed it since
	 * tell_altered(), which started a new epoch.
	 */
	if (t.schema == NULL) {
		note_unknown(m, ch->table, false);
		return;
	}
	struct node *table = inval_find_table(m, c, ch->table);

	t.root = table;
	if (ch->origin != m && m->index[0] == '\0') {
		inval_view(&t);
	}
	if (m->index_known) {
		tell_indexes(&t, table);
	} else if (t.schema->n_index > 0) {
		note_unknown(m, ch->table, true);
	}
	inode_unref(&m->inodes, table);
}

/*
 * Close idle frozen states. It is enough to look at each FEED_OWN_EACH-th change: without changes, a frozen state costs
 * nothing.
 */
static void
inval_tidy(struct mount *m, uint64_t now_ns)
{
	generated_list_tidy(m, now_ns);
	if (now_ns >= m->tidied_ns + NS_PER_S) {
		m->tidied_ns = now_ns;
		listings_tidy(m, now_ns);
	}
}

static void *
inval_run(void *arg)
{
	struct mount *m = arg;
	struct change ch;
	int r;

	do {
		struct call c;

		call_open(&c, 0, CHANGE_BUDGET);
		c.origin = m;
		r = feed_next(m->reader, &c, -1, &ch);
		inval_tidy(m, clock_steady_ns());
		if (r == 0) {
			tell_change(m, &c, &ch);
			follow_tell(m, &c, &ch);
		} else if (r == FEED_LOST) {
			tell_lost(m);
			follow_lost(m, ch.seq);
		}
		call_close(&c);
	} while (r != FEED_CLOSED);
	return NULL;
}

int
inval_start(struct call *c, struct mount *m)
{
	assert(!m->telling);
	if (m->feed == NULL) {
		return 0;
	}
	m->reader = feed_open(m->feed);
	times_raise(&m->dir_times, clock_now_ns());
	feed_set_origin(m->reader, m);
	feed_skip_own(m->reader, !m->index_known);
	int e = pthread_create(&m->thread, NULL, inval_run, m);

	if (e != 0) {
		feed_close(m->reader);
		m->reader = NULL;
		return call_fail(c, ERR_IO, "cannot start the thread for invalidations: %s",
				 strerrordesc_np(e));
	}
	m->telling = true;
	return 0;
}

void
inval_stop(struct mount *m)
{
	if (!m->telling) {
		return;
	}
	m->telling = false;
	feed_wake(m->reader);
	(void)pthread_join(m->thread, NULL);
}

void
inval_end(struct mount *m)
{
	assert(!m->telling);
	feed_close(m->reader);
	m->reader = NULL;
}
