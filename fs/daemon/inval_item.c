/*
 * inval_item - what a change of an item means for one view of its table.  Before it: inval.c.
 */
#include "fs/core/inode.h"
#include "fs/core/mount_int.h"
#include "fs/daemon/inval_int.h"
#include "fs/file/handle.h"
#include "fs/place/place.h"

/*
 * A node that we know and the kernel does not: it has forgotten it, or the answer that tells of it, with old
 * attributes, has not arrived.  Then its name is looked up again, and OPEN asks for the attributes again.
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

/* Has the partition no items now? In doubt, yes: the kernel then asks. */
static bool
inval_item_is_empty(const struct telling *t, const struct spot *spot)
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
		(void)pending_add(t->m, dir, t->m->uid);
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

/* The file's name came or went. */
static void
tell_name(const struct telling *t, const struct spot *spot, bool came)
{
	struct node *dir = find_dir(t, spot);

	if (dir == NULL) {
		/* The kernel may remember that there is no such partition. */
		if (came) {
			inval_entry_new(t->m, t->root, spot->partition);
		}
		return;
	}
	if (came) {
		inval_entry_new(t->m, dir, spot->file);
	} else if (!t->m->has_epochs) {
		/* Else GETATTR says that it is gone: its attributes are old by now. */
		inval_entry(t->m, dir, spot->file);
	}
	tell_dir(t, spot, dir);
	if (came && (dir->flags & NODE_MISSED) != 0) {
		dir->flags &= (uint8_t)~NODE_MISSED;
		inval_entry_new(t->m, t->root, spot->partition);
	}
	/* What mkdir made has items of others now, and goes with them. */
	if (came && spot->partition.len > 0) {
		(void)pending_drop(t->m, dir);
	}
	if (!came && spot->partition.len > 0 && inval_item_is_empty(t, spot)) {
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

/* ------------------------------------------------------------ times of directories */

static struct place
view_of(const struct telling *t)
{
	return (struct place){
		.role = t->index == NULL ? ROLE_TABLE : ROLE_INDEX,
		.schema = t->schema,
		.index = t->index,
		.table = t->schema->table,
	};
}

static void
note_spot(const struct telling *t, const struct spot *spot)
{
	struct place dir = view_of(t);

	if (spot->there) {
		dir.partition = spot->partition;
		place_changed(t->m, &dir);
	}
}

/* Of an index nobody says whether a partition came or went: each entry that does may have been one. */
static bool
root_changed(const struct telling *t, const struct spot *old, const struct spot *new)
{
	if (t->index == NULL) {
		return t->ch->partition;
	}
	return old->there != new->there ||
	       (old->there && !slice_eq(old->partition, new->partition));
}

/* Before the kernel is told, which then asks. */
static void
note_times(const struct telling *t, const struct spot *old, const struct spot *new)
{
	struct place root = view_of(t);

	if (t->ch->times_only) {
		return;
	}
	note_spot(t, old);
	if (!new->there || !old->there || !slice_eq(old->partition, new->partition)) {
		note_spot(t, new);
	}
	if (root_changed(t, old, new)) {
		place_changed(t->m, &root);
		if (t->root != NULL) {
			(void)inval_attributes(t->m, t->root);
		}
	}
}

void
inval_view(const struct telling *t)
{
	const struct change *ch = t->ch;
	struct spot old = spot_of(t, ch->has_old, &ch->old);
	struct spot new = spot_of(t, ch->has_new, &ch->new);

	note_times(t, &old, &new);
	if (t->root == NULL) {
		return;
	}
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
