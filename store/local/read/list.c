/*
 * list - ListPartitions and ListEntries, for directory listings of the mount
 *
 * Only keys and record heads are read, and no item is decoded: the key of an entry contains all parts of its file name.
 * The values of an entry borrow a copy of its key.
 */
#include "store/local/meter/capacity.h"
#include "store/local/meter/key_usage.h"
#include "store/local/records/catalog.h"
#include "store/local/records/key.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/local_int.h"
#include "store/local/records/record.h"
#include "store/model/schema.h"

enum { LIST_LIMIT = 1000 };

/* A listing, bound: of the partitions of a table or index, or of the entries of a collection. */
struct listing {
	struct local *local;
	struct kv_snapshot *at; /* NULL: the newest state */
	const struct schema *s;
	const struct index *ix;
	struct values pk;    /* entries: partition key of the collection; n = 0: the whole table */
	size_t n_values;     /* number of values in a key */
	struct slice prefix; /* of the keys to list */
	size_t limit;        /* > 0 */
	size_t element_bytes;
	/* Make the element of one key; @key and @record are valid until the cursor moves. */
	int (*read)(struct call *c, const struct listing *l, struct slice key, struct slice record,
		    void *element);
};

/* The result of a listing. */
struct found {
	void *elements;
	size_t n;
	bool more;
};

static int
bind_listing(struct local *l, struct call *c, struct slice table, struct slice index,
	     const struct view *view, uint32_t limit, struct listing *out)
{
	*out = (struct listing){
		.local = l,
		.at = view == NULL ? NULL : view->snapshot,
		.limit = limit == 0 ? LIST_LIMIT : limit,
	};
	return catalog_find_index(l->catalog, c, table, index, &out->s, &out->ix);
}

/*
 * List only @key, with a point read: the counts of a collection are rewritten with each of its items, and a cursor
 * would step over all old versions that have not been compacted.
 */
static int
read_list_one(struct call *c, const struct listing *l, struct slice key, struct found *out)
{
	struct buf record = {.arena = &c->arena};

	*out = (struct found){0};

	int r = kv_get(l->local->kv, c, l->at, key, &record);

	if (r != 0) {
		return r == KV_ABSENT ? 0 : r;
	}
	out->elements = arena_alloc(&c->arena, 1, _Alignof(max_align_t), l->element_bytes);
	out->n = 1;
	return l->read(c, l, key, buf_view(&record), out->elements);
}

/*
 * List the keys of the listing up to its limit
 * @key:   begin here; empty: at the first key
 * @one:   list only @key
 * @after: begin after @key
 */
static int
list_keys(struct call *c, const struct listing *l, struct buf *key, bool one, bool after,
	  struct found *out)
{
	if (one) {
		return read_list_one(c, l, buf_view(key), out);
	}
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_new(l->local->kv, l->at);
	size_t cap = 0;
	int r = 0;

	assert(l->limit > 0 && l->prefix.len > 0);
	*out = (struct found){0};
	if (after) {
		buf_char(key, 0); /* the smallest key after it */
	}
	kv_cursor_seek(cur, key->len == 0 ? l->prefix : buf_view(key));
	for (; r >= 0 && out->n < l->limit && kv_cursor_in(cur, l->prefix); kv_cursor_next(cur)) {
		out->elements =
			arena_room_of(&c->arena, out->elements, l->element_bytes, out->n, &cap);
		r = l->read(c, l, kv_cursor_key(cur), kv_cursor_value(cur),
			    (char *)out->elements + out->n * l->element_bytes);
		out->n++;
	}
	out->more = kv_cursor_in(cur, l->prefix);
	return kv_cursor_end(cur, c, r < 0 ? r : 0);
}

/* ------------------------------------------------------------ partitions */

static int
read_partition(struct call *c, const struct listing *l, struct slice key, struct slice record,
	       void *element)
{
	struct partition *out = element;
	struct record_counts counts = {0};

	out->pk = (struct values){arena_new(&c->arena, struct value, l->n_values), 0};
	int r = keyspace_parse_partition(c, l->s, l->ix, slice_copy(&c->arena, key), &out->pk);

	if (r == 0) {
		r = record_counts_decode(c, record, &counts);
	}
	out->items = counts.items;
	out->item_bytes = counts.item_bytes;
	out->rendered_bytes = counts.rendered_bytes;
	return r;
}

/* Whether @pk has the number and the types of values of the partition key. */
static bool
is_partition(const struct listing *l, const struct values *pk)
{
	const struct key_schema *k = schema_key(l->s, l->ix);

	if (pk->n != key_part_n(k->pk)) {
		return false;
	}
	for (size_t i = 0; i < pk->n; i++) {
		if (pk->at[i].type != k->pk[i].type) {
			return false;
		}
	}
	return true;
}

static int
list_partition_key(struct call *c, const struct listing *l, const struct values *pk,
		   struct buf *out)
{
	if (!is_partition(l, pk)) {
		return key_mismatch(c);
	}
	struct key_values k = key_values_of(pk->at, pk->n);

	buf_slice(out, keyspace_collection(&c->arena, KEYSPACE_PARTITION, l->s, l->ix, &k));
	return 0;
}

int
local_exec_list_partitions(struct local *l, struct call *c, const struct list_partitions_in *in,
			   struct list_partitions_out *out)
{
	const struct values *pk = in->at.n > 0 ? &in->at : &in->from;
	struct listing listing;
	struct found found;
	struct buf key = {.arena = &c->arena};
	int r = bind_listing(l, c, in->table, in->index, in->view, in->limit, &listing);

	if (r < 0) {
		return r;
	}
	listing.element_bytes = sizeof(struct partition);
	listing.n_values = key_part_n(schema_key(listing.s, listing.ix)->pk);
	listing.read = read_partition;
	listing.prefix = keyspace_head(&c->arena, KEYSPACE_PARTITION, listing.s, listing.ix);
	if (pk->n > 0) {
		r = list_partition_key(c, &listing, pk, &key);
	}
	if (r < 0) {
		return r;
	}
	r = list_keys(c, &listing, &key, in->at.n > 0, in->after && pk->n > 0, &found);
	*out = (struct list_partitions_out){found.elements, found.n, found.more};
	return r;
}

/* ------------------------------------------------------------ entries */

static int
entries_prefix(struct call *c, const struct list_entries_in *in, struct listing *l)
{
	const struct key_schema *k = schema_key(l->s, l->ix);

	l->pk = in->pk;
	if (is_partition(l, &in->pk)) {
		struct key_values pk = key_values_of(in->pk.at, in->pk.n);

		l->prefix = keyspace_collection(&c->arena, KEYSPACE_ITEM, l->s, l->ix, &pk);
	} else if (in->pk.n == 0 && l->ix == NULL && !key_schema_has_sort(k)) {
		l->prefix = keyspace_head(&c->arena, KEYSPACE_ITEM, l->s, NULL);
	} else if (in->pk.n > 0 || in->at == NULL) {
		return key_mismatch(c);
	}
	return 0;
}

static int
read_entry(struct call *c, const struct listing *l, struct slice key, struct slice record,
	   void *element)
{
	struct entry *out = element;
	struct record_head head;
	int r = record_head(c, record, &head);

	if (r < 0) {
		return r;
	}
	*out = (struct entry){
		.key = {arena_new(&c->arena, struct value, l->n_values), 0},
		.rendered_bytes = head.rendered_bytes,
		.mtime_ns = head.mtime_ns,
	};
	if (l->pk.n == 0) {
		return keyspace_parse_item(c, l->s, l->ix, slice_copy(&c->arena, key), &out->key);
	}
	for (size_t i = 0; i < l->pk.n; i++) {
		out->key.at[out->key.n++] = l->pk.at[i];
	}
	return keyspace_parse_entry(
		c, l->s, l->ix, slice_copy(&c->arena, slice_skip(key, l->prefix.len)), &out->key);
}

/* Record the key usage of a Query that an endpoint would have to run. A listing here pays nothing. */
static void
list_note(const struct listing *l, struct call *c, const struct found *found)
{
	struct throttle_place place = {.schema = l->s, .ix = l->ix, .kind = THROTTLE_READ};
	const struct entry *entries = found->elements;
	uint64_t bytes = 0;

	for (size_t i = 0; i < found->n; i++) {
		bytes += entries[i].rendered_bytes;
	}
	if (l->pk.n > 0) {
		place.collection = l->prefix;
	}
	key_usage_add(l->local->key_usage, c, &place, capacity_read(bytes, CAPACITY_EVENTUAL));
}

int
local_exec_list_entries(struct local *l, struct call *c, const struct list_entries_in *in,
			struct list_entries_out *out)
{
	const struct item *place = in->at != NULL ? in->at : in->after;
	struct listing listing;
	struct found found;
	struct buf key = {.arena = &c->arena};
	int r = bind_listing(l, c, in->table, in->index, in->view, in->limit, &listing);

	if (r == 0) {
		r = entries_prefix(c, in, &listing);
	}
	if (r == 0 && place != NULL &&
	    (key_of_place(&key, listing.s, listing.ix, place) != 0 ||
	     !slice_starts(buf_view(&key), listing.prefix))) {
		r = key_mismatch(c);
	}
	if (r < 0) {
		return r;
	}
	listing.n_values = key_schema_n(schema_key(listing.s, listing.ix)) +
			   (listing.ix == NULL ? 0 : key_schema_n(&listing.s->key));
	listing.element_bytes = sizeof(struct entry);
	listing.read = read_entry;
	r = list_keys(c, &listing, &key, in->at != NULL, place != NULL, &found);
	if (in->at == NULL) {
		list_note(&listing, c, &found);
	}
	*out = (struct list_entries_out){
		.entries = found.elements, .n_entries = found.n, .more = found.more};
	return r;
}
