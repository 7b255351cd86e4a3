/*
 * list - ListPartitions and ListEntries: what the mount's readdir shows
 *
 * Keys and record heads only, no item is decoded: an entry's key carries
 * everything that its name is made of.  The values of a page borrow one copy of
 * each key's tail.
 */
#include "store/local/key.h"
#include "store/local/local_int.h"
#include "store/local/record.h"

enum { LIST_LIMIT = 1000, LIST_FIRST = 256 };

static struct kv_snapshot *
view_snapshot(const struct view *view)
{
	return view == NULL ? NULL : view->snapshot;
}

static size_t
limit_of(uint32_t limit)
{
	return limit == 0 ? LIST_LIMIT : limit;
}

/* The array @list of @n elements, twice as large in the arena when all of @cap are used. */
static void *
grow(struct call *c, void *list, size_t n, size_t *cap, size_t size)
{
	if (n < *cap) {
		return list;
	}
	*cap = n == 0 ? LIST_FIRST : n * 2;

	void *more = arena_alloc(&c->arena, size, _Alignof(max_align_t), *cap);

	if (list != NULL) {
		memcpy(more, list, n * size);
	}
	return more;
}

/* ------------------------------------------------------------ partitions */

/* @key is borrowed by it. */
static int
read_partition(struct call *c, const struct schema *s, const struct index *ix, struct slice key,
	       struct slice record, struct partition *out)
{
	struct record_counts counts = {0};
	int r = keyspace_parse_partition(c, s, ix, key, &out->pk);

	if (r == 0) {
		r = record_counts_decode(c, record, &counts);
	}
	if (r < 0) {
		return r;
	}
	out->items = counts.items;
	out->item_bytes = counts.item_bytes;
	out->rendered_bytes = counts.rendered_bytes;
	return 0;
}

/*
 * One partition, by a point read: its record is written with each of its items,
 * and a cursor would step over all the older versions that are not compacted yet.
 */
static int
list_one_partition(struct local *l, struct call *c, const struct list_partitions_in *in,
		   const struct schema *s, const struct index *ix, struct list_partitions_out *out)
{
	const struct key_schema *k = schema_key(s, ix);
	struct buf key;
	struct buf record;

	if (in->at->type != k->pk.type) {
		return call_fail(c, ERR_VALIDATION,
				 "The provided key element does not match the schema");
	}
	buf_init(&key, &c->arena);
	buf_init(&record, &c->arena);
	keyspace_partition(&key, s, ix, in->at);
	int r = kv_get(l->kv, c, view_snapshot(in->view), buf_view(&key), &record);

	*out = (struct list_partitions_out){0};
	if (r != 0) {
		return r == KV_ABSENT ? 0 : r;
	}
	struct partition *one = arena_new(&c->arena, struct partition, 1);

	*out = (struct list_partitions_out){.partitions = one, .n_partitions = 1};
	return read_partition(c, s, ix, buf_view(&key), buf_view(&record), one);
}

/* Where a listing of partitions begins. */
static int
partitions_from(struct call *c, const struct list_partitions_in *in, const struct schema *s,
		const struct index *ix, struct buf *from)
{
	const struct key_schema *k = schema_key(s, ix);

	if (in->from == NULL) {
		keyspace_partitions(from, s, ix);
		return 0;
	}
	if (in->from->type != k->pk.type) {
		return call_fail(c, ERR_VALIDATION,
				 "The provided key element does not match the schema");
	}
	keyspace_partition(from, s, ix, in->from);
	if (in->after) {
		buf_char(from, 0);
	}
	return 0;
}

int
local_exec_list_partitions(struct local *l, struct call *c, const struct list_partitions_in *in,
			   struct list_partitions_out *out)
{
	const struct schema *s;
	const struct index *ix;
	struct buf prefix;
	struct buf from;
	int r = catalog_find_index(l->catalog, c, in->table, in->index, &s, &ix);

	if (r == 0 && in->at != NULL) {
		return list_one_partition(l, c, in, s, ix, out);
	}
	buf_init(&prefix, &c->arena);
	buf_init(&from, &c->arena);
	if (r == 0) {
		keyspace_partitions(&prefix, s, ix);
		r = partitions_from(c, in, s, ix, &from);
	}
	if (r < 0) {
		return r;
	}
	struct partition *list = NULL;
	size_t n = 0;
	size_t cap = 0;
	size_t limit = limit_of(in->limit);

	cleanup(kv_cursor_freep) struct kv_cursor *cur =
		kv_cursor_new(l->kv, view_snapshot(in->view));

	cur->ops->seek(cur, buf_view(&from));
	for (; n < limit && kv_cursor_in(cur, buf_view(&prefix)); n++, cur->ops->next(cur)) {
		list = grow(c, list, n, &cap, sizeof(*list));
		r = read_partition(c, s, ix, slice_copy(&c->arena, cur->ops->key(cur)),
				   cur->ops->value(cur), &list[n]);
		if (r < 0) {
			return r;
		}
	}
	r = cur->ops->status(cur, c);
	if (r < 0) {
		return r;
	}
	*out = (struct list_partitions_out){
		.partitions = list,
		.n_partitions = n,
		.more = kv_cursor_in(cur, buf_view(&prefix)),
	};
	return 0;
}

/* ------------------------------------------------------------ entries */

/* A listing of entries, bound. */
struct listing {
	const struct schema *s;
	const struct index *ix;
	const struct value *pk; /* of the collection; NULL: the whole table */
	struct slice prefix;    /* of the keys that are listed */
};

static int
bind_listing(struct local *l, struct call *c, const struct list_entries_in *in, struct listing *out)
{
	*out = (struct listing){.pk = in->pk};

	int r = catalog_find_index(l->catalog, c, in->table, in->index, &out->s, &out->ix);

	if (r < 0) {
		return r;
	}
	const struct key_schema *k = schema_key(out->s, out->ix);
	struct buf prefix;

	buf_init(&prefix, &c->arena);
	if (in->pk != NULL && in->pk->type == k->pk.type) {
		keyspace_collection(&prefix, out->s, out->ix, in->pk);
	} else if (in->pk == NULL && out->ix == NULL && !key_schema_has_sort(k)) {
		keyspace_table(&prefix, out->s, NULL);
	} else if (in->pk != NULL || in->at == NULL) {
		return call_fail(c, ERR_VALIDATION,
				 "The provided key element does not match the schema");
	}
	out->prefix = buf_view(&prefix);
	return 0;
}

/* The entry of one key; @key and @record are borrowed by it. */
static int
read_entry(struct call *c, const struct listing *l, struct slice key, struct slice record,
	   struct entry *out)
{
	struct key_parts parts;
	struct record_head head;
	int r = record_head(c, record, &head);

	if (r < 0) {
		return r;
	}
	if (l->pk == NULL) {
		r = keyspace_parse_item(c, l->s, l->ix, slice_copy(&c->arena, key), &parts);
	} else {
		r = keyspace_parse_entry(c, l->s, l->ix,
					 slice_copy(&c->arena, slice_skip(key, l->prefix.len)),
					 &parts);
		parts.pk = *l->pk;
	}
	*out = (struct entry){
		.pk = parts.pk,
		.sk = parts.sk,
		.base_pk = parts.base_pk,
		.base_sk = parts.base_sk,
		.rendered_bytes = head.rendered_bytes,
		.mtime_ns = head.mtime_ns,
	};
	return r;
}

static int
place_key(struct call *c, const struct listing *l, const struct item *place, struct slice *out)
{
	struct buf b;

	buf_init(&b, &c->arena);
	if (key_of_place(&b, l->s, l->ix, place) != 0 || !slice_starts(buf_view(&b), l->prefix)) {
		return call_fail(c, ERR_VALIDATION,
				 "The provided key element does not match the schema");
	}
	*out = buf_view(&b);
	return 0;
}

static int
list_one(struct local *l, struct call *c, const struct list_entries_in *in,
	 const struct listing *listing, struct list_entries_out *out)
{
	struct slice key = {0};
	struct buf record;
	int r = place_key(c, listing, in->at, &key);

	buf_init(&record, &c->arena);
	if (r == 0) {
		r = kv_get(l->kv, c, view_snapshot(in->view), key, &record);
	}
	*out = (struct list_entries_out){0};
	if (r != 0) {
		return r == KV_ABSENT ? 0 : r;
	}
	struct entry *entry = arena_new(&c->arena, struct entry, 1);

	*out = (struct list_entries_out){.entries = entry, .n_entries = 1};
	return read_entry(c, listing, key, buf_view(&record), entry);
}

static int
list_run(struct call *c, const struct listing *l, struct kv_cursor *cur, size_t limit,
	 struct list_entries_out *out)
{
	struct entry *list = NULL;
	size_t cap = 0;
	size_t n = 0;

	for (; n < limit && kv_cursor_in(cur, l->prefix); n++, cur->ops->next(cur)) {
		list = grow(c, list, n, &cap, sizeof(*list));

		int r = read_entry(c, l, cur->ops->key(cur), cur->ops->value(cur), &list[n]);

		if (r < 0) {
			return r;
		}
	}
	*out = (struct list_entries_out){
		.entries = list,
		.n_entries = n,
		.more = kv_cursor_in(cur, l->prefix),
	};
	return cur->ops->status(cur, c);
}

int
local_exec_list_entries(struct local *l, struct call *c, const struct list_entries_in *in,
			struct list_entries_out *out)
{
	struct listing listing;
	int r = bind_listing(l, c, in, &listing);

	if (r < 0) {
		return r;
	}
	if (in->at != NULL) {
		return list_one(l, c, in, &listing, out);
	}
	struct slice from = listing.prefix;

	if (in->after != NULL) {
		r = place_key(c, &listing, in->after, &from);
		if (r < 0) {
			return r;
		}
	}
	cleanup(kv_cursor_freep) struct kv_cursor *cur =
		kv_cursor_new(l->kv, view_snapshot(in->view));

	cur->ops->seek(cur, from);
	if (in->after != NULL && cur->ops->valid(cur) && slice_eq(cur->ops->key(cur), from)) {
		cur->ops->next(cur);
	}
	return list_run(c, &listing, cur, limit_of(in->limit), out);
}
