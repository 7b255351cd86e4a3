/*
 * inval_item - invalidations for a change of an item, in one view of its table
 *
 * A view is the table or one of its indexes.
 */
#include "fs/core/inode.h"
#include "fs/core/mount_int.h"
#include "fs/core/pending.h"
#include "fs/daemon/inval_int.h"
#include "fs/file/file_list.h"
#include "fs/place/place.h"
#include "fs/place/place_entry.h"
#include "fs/place/place_stat.h"

/*
 * Notify the kernel of a changed node.  If the kernel does not know the node, it has forgotten it, or a reply with the
 * node and its old attributes is still under way.  Then the kernel must look the name up again, and OPEN has it ask for
 * the attributes again (NODE_LATE).
 */
static void
tell_node(struct mount *m, bool content, struct node *n, struct node *dir, struct slice name)
{
	bool (*tell)(struct mount * m, struct node * n) =
		content ? inval_content : inval_attributes;

	if (!tell(m, n) && inode_is_known(&m->inodes, n)) {
		n->flags |= NODE_LATE;
		inval_entry(m, dir, name);
		(void)tell(m, n);
	}
}

/* ------------------------------------------------------------ one view of the table */

/* Where the old or new image of the item is shown. */
struct spot {
	bool there;             /* false: nowhere in this view */
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

	spot.there =
		has && place_entry_values(&t->c->arena, t->schema, t->index, it, &spot.pk, &name);
	if (!spot.there) {
		return spot;
	}
	spot.file = place_name(&t->c->arena, t->index, &name, suffix);
	spot.stem = slice_of(spot.file.at, spot.file.len - suffix.len);
	if (spot.pk.n > 0) {
		spot.partition = place_name(&t->c->arena, t->index, &spot.pk, SLICE(""));
	}
	return spot;
}

/* The directory of the spot, with a reference; NULL: the kernel does not know it. */
static struct node *
find_dir(const struct telling *t, const struct spot *spot)
{
	assert(t->root != NULL);
	if (spot->partition.len == 0) {
		inode_ref(&t->m->inodes, t->root);
		return t->root;
	}
	return inode_find(&t->m->inodes, t->root, spot->partition);
}

/* If another front end has emptied the partition, it vanishes, unless this mount has new or scratch files in it. */
static void
tell_emptied(const struct telling *t, const struct spot *spot, struct node *dir)
{
	const struct place p = {.role = ROLE_PARTITION,
				.schema = t->schema,
				.index = t->index,
				.table = t->schema->table,
				.pk = spot->pk};

	assert(spot->partition.len > 0);
	if (place_has_items(t->m, t->c, &p) == 1) {
		return;
	}
	/* After an error the kernel looks it up again. */
	if (t->index == NULL && file_has_own(t->m, dir)) {
		place_emptied(t->m, t->c, dir, &p, t->m->uid);
		return;
	}
	(void)pending_drop(t->m, dir);
	inval_entry(t->m, t->root, spot->partition);
}

static void
tell_dir(const struct telling *t, const struct spot *spot, struct node *dir)
{
	tell_node(t->m, false, dir, t->root, spot->partition);
}

/* The name of the file was added (@came) or removed. */
static void
tell_name(const struct telling *t, const struct spot *spot, bool came)
{
	struct node *dir = find_dir(t, spot);

	if (dir == NULL) {
		/* The kernel may have cached that the partition is absent. */
		if (came) {
			inval_entry_new(t->m, t->root, spot->partition);
		}
		return;
	}
	if (came) {
		inval_entry_new(t->m, dir, spot->file);
	} else if (!t->m->has_epochs) {
		/* With epochs this is not needed: its attributes are marked as old, and GETATTR will fail. */
		inval_entry(t->m, dir, spot->file);
	}
	tell_dir(t, spot, dir);
	if (came && inode_take_flag(dir, NODE_MISSED)) {
		inval_entry_new(t->m, t->root, spot->partition);
	}
	/* A partition from mkdir that has items of others now is shown only as long as it has items. */
	if (came && spot->partition.len > 0) {
		(void)pending_drop(t->m, dir);
	}
	if (!came && spot->partition.len > 0) {
		tell_emptied(t, spot, dir);
	}
	inode_unref(&t->m->inodes, dir);
}

/* The text or the times of the file have changed. */
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

/* ------------------------------------------------------------ times of directories */

static struct place
view_of(const struct telling *t)
{
	struct place view = {
		.role = t->index == NULL ? ROLE_TABLE : ROLE_INDEX,
		.schema = t->schema,
		.index = t->index,
		.table = t->schema->table,
	};

	view.ino = place_view_ino(&view);
	return view;
}

static void
note_spot(const struct telling *t, const struct spot *spot)
{
	struct place dir = view_of(t);

	if (spot->there) {
		dir.ino = spot->partition.len > 0 ? place_child_ino(dir.ino, spot->partition)
						  : dir.ino;
		place_changed(t->m, &dir, true);
	}
}

/*
 * Return: whether a partition was added or removed.  For an index the change does not tell: each added or removed entry
 * counts.
 */
static bool
root_changed(const struct telling *t, const struct spot *old, const struct spot *updated)
{
	if (t->index == NULL) {
		return t->ch->partition;
	}
	return old->there != updated->there ||
	       (old->there && !slice_eq(old->partition, updated->partition));
}

/* To be called before notifications, because the kernel then asks for the times. */
static void
note_times(const struct telling *t, const struct spot *old, const struct spot *updated)
{
	struct place root = view_of(t);

	if (t->ch->times_only) {
		return;
	}
	note_spot(t, old);
	if (!updated->there || !old->there || !slice_eq(old->partition, updated->partition)) {
		note_spot(t, updated);
	}
	if (root_changed(t, old, updated)) {
		place_changed(t->m, &root, true);
		if (t->root != NULL) {
			(void)inval_attributes(t->m, t->root);
		}
	}
}

void
inval_view(const struct telling *t)
{
	assert(t->schema != NULL);
	const struct change *ch = t->ch;
	struct spot old = spot_of(t, ch->has_old, &ch->old);
	struct spot updated = spot_of(t, ch->has_new, &ch->updated);

	note_times(t, &old, &updated);
	if (t->root == NULL) {
		return;
	}
	if (old.there) {
		tell_file(t, &old);
	}
	if (same_spot(&old, &updated)) {
		return;
	}
	if (old.there) {
		tell_name(t, &old, false);
	}
	if (updated.there) {
		tell_file(t, &updated);
		tell_name(t, &updated, true);
	}
}
