/* place_stat - see place_stat.h */
#include "fs/place/place_stat.h"

#include "store/engine/engine.h"
#include "store/engine/feed.h"
#include "store/model/item.h"
#include "store/model/schema.h"
#include "store/model/value.h"

#include "fs/core/absence.h"
#include "fs/core/mount_int.h"
#include "fs/core/pending.h"
#include "fs/format/view.h"
#include "fs/place/path_query.h"
#include "fs/place/place.h"
#include "fs/place/place_entry.h"
#include "fs/place/place_recent.h"
#include "fs/place/place_remote.h"

/* An endpoint may return anything, and names are made of these values. */
static int
place_stat_check_values(struct call *c, size_t n, size_t wanted)
{
	return n == wanted ? 0
			   : call_fail(c, ERR_IO,
				       "the store answers with keys of %zu values instead of %zu",
				       n, wanted);
}

int
place_list_partitions(struct mount *m, struct call *c, const struct place *p,
		      struct list_partitions_in *in, struct list_partitions_out *out,
		      struct item *next)
{
	in->table = p->table;
	in->index = place_index(p);
	int r = mount_is_remote(m) ? place_remote_partitions(m, c, p, in, out, next)
				   : engine_list_partitions(m->engine, c, in, out);

	for (size_t i = 0; r == 0 && i < out->n_partitions; i++) {
		r = place_stat_check_values(c, out->partitions[i].pk.n,
					    place_in_partition(p->schema, p->index));
	}
	return r;
}

int
place_list_entries(struct mount *m, struct call *c, const struct place *p,
		   struct list_entries_in *in, struct list_entries_out *out)
{
	const struct key_attr *attrs[KEY_VALUES_MAX];
	size_t n = schema_place(p->schema, p->index, attrs);

	in->table = p->table;
	in->index = place_index(p);
	in->pk = p->pk;
	int r = mount_is_remote(m) ? place_remote_entries(m, c, p, in, out)
				   : engine_list_entries(m->engine, c, in, out);

	for (size_t i = 0; r == 0 && i < out->n_entries; i++) {
		r = place_stat_check_values(c, out->entries[i].key.n, n);
	}
	return r;
}

/* The partition directory's record, or PLACE_ABSENT. */
static int
get_partition(struct mount *m, struct call *c, const struct place *p, struct view *view,
	      struct partition *out)
{
	struct list_partitions_in in = {
		.table = p->table, .index = place_index(p), .at = p->pk, .view = view};
	struct list_partitions_out listed = {0};

	if (p->pk.n == 0) {
		return PLACE_ABSENT;
	}
	if (mount_is_remote(m)) {
		return place_remote_partition(m, c, p, out);
	}
	int r = engine_list_partitions(m->engine, c, &in, &listed);

	if (r < 0) {
		return r;
	}
	if (listed.n_partitions == 0) {
		return PLACE_ABSENT;
	}
	*out = listed.partitions[0];
	return 0;
}

static int
get_entry(struct mount *m, struct call *c, const struct place *p, struct view *view,
	  struct entry *out)
{
	struct list_entries_in in = {.table = p->table,
				     .index = place_index(p),
				     .pk = p->pk,
				     .at = &p->at,
				     .view = view};
	struct list_entries_out listed = {0};

	if (!p->known) {
		return PLACE_ABSENT;
	}
	int r = engine_list_entries(m->engine, c, &in, &listed);

	if (r < 0) {
		return r;
	}
	if (listed.n_entries == 0) {
		return PLACE_ABSENT;
	}
	*out = listed.entries[0];
	return 0;
}

/* get_entry() in a local store, which is not asked again for an absent item until something is committed. */
static int
get_entry_now(struct mount *m, struct call *c, const struct place *p, struct view *view,
	      struct entry *out)
{
	uint64_t newest = feed_newest(m->feed);

	if (view == NULL && absent_items_has(&m->absent_items, p->ino, newest)) {
		return PLACE_ABSENT;
	}
	int r = get_entry(m, c, p, view, out);

	if (view == NULL && r == PLACE_ABSENT) {
		absent_items_add(&m->absent_items, p->ino, newest);
	}
	return r;
}

static int
stat_item(struct mount *m, struct call *c, const struct place *p, struct view *view,
	  struct attributes *out)
{
	struct entry entry;
	struct item item;
	struct buf text;

	if (!m->form.pretty && !m->form.typed && !place_is_fleeting(p) && !mount_is_remote(m)) {
		int r = get_entry_now(m, c, p, view, &entry);

		if (r == 0) {
			*out = (struct attributes){.size = entry.rendered_bytes,
						   .mtime_ns = entry.mtime_ns};
		}
		return r;
	}
	if (mount_is_remote(m) && place_recent_size(m, c, p, &out->size)) {
		*out = (struct attributes){.size = out->size};
		return 0;
	}
	/*
	 * A store in a directory knows the length of the plain form only. No store knows the length of a query's
	 * result.
	 */
	int r = place_read(m, c, p, &item, &out->mtime_ns);

	if (r != 0) {
		return r;
	}
	buf_init(&text, &c->arena);
	view_render(&text, p->schema, m->form, &item);
	*out = (struct attributes){.size = text.len, .mtime_ns = out->mtime_ns};
	return 0;
}

/* A table with a simple key is a collection, so it has a size. */
static int
stat_table(struct mount *m, struct call *c, const struct place *p, struct attributes *out)
{
	struct describe_table_in in = {.table = p->table};
	struct describe_table_out described = {0};

	*out = (struct attributes){.is_dir = true, .mtime_ns = place_time(m, p)};
	if (!place_holds_items(p)) {
		return 0;
	}
	int r = engine_describe_table(m->engine, c, &in, &described);

	if (r == 0) {
		out->size = described.table.totals.bytes;
	}
	return r;
}

/* Count the items of a collection, or of a whole table or index. */
static int
place_stat_count_items(struct mount *m, struct call *c, const struct place *p, uint64_t *n)
{
	assert(p->role == ROLE_TERMINAL);
	struct describe_table_in in = {.table = p->table};
	struct describe_table_out described = {0};
	struct partition partition = {0};
	int r;

	if (p->pk.n > 0) {
		r = get_partition(m, c, p, NULL, &partition);
		*n = partition.items;
		return r == PLACE_ABSENT ? 0 : r;
	}
	r = engine_describe_table(m->engine, c, &in, &described);
	if (r == 0 && p->index == NULL) {
		*n = described.table.totals.items;
	} else if (r == 0) {
		*n = described.table.index_totals[p->index - p->schema->index].items;
	}
	return r;
}

/*
 * Most lengths are known only when the text is made. But a .count that the store keeps is a number and a newline: with
 * size 0, tar and rsync would copy nothing of it.
 */
static int
stat_generated(struct mount *m, struct call *c, const struct place *p, struct attributes *out)
{
	uint64_t n = 0;
	int r = 0;

	*out = (struct attributes){.streamed = true, .mtime_ns = place_content_time(m, p)};
	if (p->generated == GENERATED_COUNT && !clauses_any(&p->clauses) && !mount_is_remote(m)) {
		r = place_stat_count_items(m, c, p, &n);
		for (out->size = 2; n > 9; n /= 10) {
			out->size++;
		}
	}
	return r;
}

void
place_stored(struct mount *m, const struct place *p, const struct written *written)
{
	struct stored_last *s = &m->stored_last;

	if (p->partition.len > 0) {
		lock_scope(&s->lock);
		s->ino = place_child_ino(place_view_ino(p), p->partition);
		s->bytes = written->rendered_bytes;
		s->seq = written->seq;
	}
}

/* Return: whether this mount has stored an item in the directory @p, and nothing was committed since */
static bool
place_size_is_known(struct mount *m, const struct place *p, uint64_t *bytes)
{
	struct stored_last *s = &m->stored_last;

	lock_scope(&s->lock);
	*bytes = s->bytes;
	return s->ino == p->ino && !mount_is_remote(m) && s->seq == feed_newest(m->feed);
}

static int
stat_partition(struct mount *m, struct call *c, const struct place *p, struct view *view,
	       struct attributes *out)
{
	struct partition partition;
	int r = 0;

	*out = (struct attributes){.is_dir = true};
	if (view != NULL || !place_size_is_known(m, p, &out->size)) {
		r = get_partition(m, c, p, view, &partition);
		out->size = r == 0 ? partition.rendered_bytes : 0;
	}
	out->mtime_ns = place_time(m, p);
	return r;
}

int
place_stat(struct mount *m, struct call *c, const struct place *p, struct view *view,
	   struct attributes *out)
{
	switch (p->role) {
	case ROLE_ITEM:
		return stat_item(m, c, p, view, out);
	case ROLE_PARTITION:
		return stat_partition(m, c, p, view, out);
	case ROLE_TABLE:
		return stat_table(m, c, p, out);
	case ROLE_SCRATCH:
		return PLACE_ABSENT;
	case ROLE_TERMINAL:
		return stat_generated(m, c, p, out);
	case ROLE_QUERY:
		*out = (struct attributes){.is_dir = true, .mtime_ns = place_content_time(m, p)};
		return 0;
	case ROLE_TABLES:
	case ROLE_INDEXES:
	case ROLE_INDEX:
	case ROLE_SPECIAL:
		break;
	case ROLE_TABLE_FILE:
		return m->stat_table_file(m, c, p, out);
	}
	*out = (struct attributes){.is_dir = true, .mtime_ns = place_time(m, p)};
	return 0;
}

int
place_has_items(struct mount *m, struct call *c, const struct place *p)
{
	struct partition partition;
	int r = get_partition(m, c, p, NULL, &partition);

	return r < 0 ? r : r == 0;
}

void
place_emptied(struct mount *m, struct call *c, struct node *dir, const struct place *p,
	      uint32_t uid)
{
	if (p->role != ROLE_PARTITION || place_has_items(m, c, p) != 0) {
		return;
	}
	/* Marked before it is read again: a thread that stores an item after that ends the mark itself. */
	(void)pending_add(m, dir, uid);
	if (place_has_items(m, c, p) > 0) {
		(void)pending_drop(m, dir);
	}
}

/* Return: whether @item still belongs at this place of the index. Its key attributes may have changed. */
static bool
is_at(const struct place *p, const struct item *item)
{
	for (size_t i = 0; i < p->at.n; i++) {
		const struct value *v = item_get(item, p->at.at[i].name);

		if (v == NULL || !value_eq(v, &p->at.at[i].value)) {
			return false;
		}
	}
	return true;
}

/* Return: whether the table supplies attributes that a local index lacks, because the query has a projection. */
static bool
fetches(const struct place *p)
{
	return !p->index->global && p->clauses.project.len > 0;
}

/* Read the item from the table; @ix: project it to this index; NULL: the whole item. */
static int
place_fetch(struct mount *m, struct call *c, const struct place *p, const struct index *ix,
	    struct item *out, uint64_t *mtime_ns)
{
	assert(p->known);
	uint64_t drops = m->recent.drops;
	struct get_item_in in = {
		.table = p->table, .key = p->key, .consistent = place_is_consistent(m, p)};
	struct get_item_out got = {0};
	int r = engine_get_item(m->engine, c, &in, &got);

	if (r < 0) {
		return r;
	}
	if (!got.found || (p->index != NULL && !is_at(p, &got.item))) {
		return PLACE_ABSENT;
	}
	*mtime_ns = got.mtime_ns;
	/* Table and index are written in one batch, so this is the index entry. */
	*out = ix == NULL ? got.item : item_project(&c->arena, p->schema, ix, &got.item);
	place_keep_item(m, c, p, ix, out, drops);
	return 0;
}

int
place_read(struct mount *m, struct call *c, const struct place *p, struct item *out,
	   uint64_t *mtime_ns)
{
	const struct index *ix = p->index != NULL && !fetches(p) ? p->index : NULL;
	int r = 0;

	if (!p->known) {
		return PLACE_ABSENT;
	}
	*mtime_ns = 0;
	if (!place_recent_item(m, c, p, ix, out)) {
		r = place_fetch(m, c, p, ix, out, mtime_ns);
	}
	if (r != 0 || !clauses_any(&p->clauses)) {
		return r;
	}
	r = query_holds(c, p, out);
	return r < 0 ? r : r == 1 ? 0 : PLACE_ABSENT;
}
