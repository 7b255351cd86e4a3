/*
 * table_scan_walk - the two walks of a scan
 *
 * table_scan_walk_items() adds up the entries, directories and totals that the items require; table_scan_walk_rest() adds up
 * those that exist.
 * The walks share table_scan.state; each of them writes sums of its own.
 */
#include "store/local/check/check_int.h"
#include "store/local/check/table_scan_int.h"
#include "store/local/records/key.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/limits.h"
#include "store/model/schema.h"

/* ------------------------------------------------------------ sums of keyed hashes, where the order does not matter */

static void
item_hash_add(struct hash128 *sum, struct hash128 h)
{
	sum->low += h.low;
	sum->high += h.high;
}

static struct hash128 value_hash(const struct hash_key *key, const struct value *v);

static struct hash128
list_hash(const struct hash_key *key, const struct values *list, bool set)
{
	struct hash128 all = {0, set ? 0 : list->n};

	for (size_t i = 0; i < list->n; i++) {
		const struct value *v = &list->at[i];

		if (set) {
			item_hash_add(&all, hash_keyed(key, v->text));
		} else {
			all = hash_join(key, all, value_hash(key, v), v->type);
		}
	}
	return all;
}

/* The type is not included: the caller adds it. */
static struct hash128
value_hash(const struct hash_key *key, const struct value *v)
{
	switch (v->type) {
	case VALUE_S:
	case VALUE_N:
	case VALUE_B:
		return hash_keyed(key, v->text);
	case VALUE_SS:
	case VALUE_NS:
	case VALUE_BS:
	case VALUE_L:
		return list_hash(key, &v->list, v->type != VALUE_L);
	case VALUE_M:
		return item_hash(key, &v->map);
	case VALUE_BOOL:
		return (struct hash128){v->truth, 0};
	case VALUE_NULL:
	case VALUE_TYPES:
		break;
	}
	return (struct hash128){0, 0};
}

struct hash128
item_hash(const struct hash_key *key, const struct item *it)
{
	struct hash128 sum = {0, 0};

	for (size_t i = 0; i < it->n; i++) {
		const struct attr *a = &it->at[i];

		item_hash_add(&sum, hash_join(key, hash_keyed(key, a->name),
					      value_hash(key, &a->value), a->value.type));
	}
	return sum;
}

/* ------------------------------------------------------------ a walk over a range of keys, one page at a time */

enum {
	STEP_KEYS = 4096,      /* between two checks whether the client still waits */
	PAGE_BYTES = 64 << 20, /* size of the records that one walk reads in a page */
};

/* A difference or an invalid record was found, or the client has gone. */
static void
table_scan_stop(struct table_scan *s)
{
	atomic_store(&s->state, SCAN_STOPS);
}

/* Return: whether to continue */
static bool
table_scan_walk_step(const struct walk *w)
{
	struct table_scan *s = w->of;

	if (w->keys % STEP_KEYS == 0 && call_given_up(s->asks)) {
		table_scan_stop(s);
	}
	if (w->keys >= CHECK_PAGE_KEYS || w->bytes >= PAGE_BYTES) {
		enum scan_state go = SCAN_RUNS;

		(void)atomic_compare_exchange_strong(&s->state, &go, SCAN_PAUSES);
	}
	return atomic_load_explicit(&s->state, memory_order_relaxed) == SCAN_RUNS;
}

/*
 * Walk over a range of keys from the walk's present position
 * @space: of the keys of the table (@ix NULL) or of the index
 * @look:  called for each record; returns false: the record is invalid
 *
 * At the end of the range w->prefix is empty again.
 */
static void
table_scan_walk_keys(struct walk *w, enum keyspace space, const struct index *ix,
		     bool (*look)(struct walk *w))
{
	struct kv_cursor *cur = w->cursor;

	if (w->prefix.len == 0) {
		buf_slice(&w->prefix, keyspace_head(&w->c.arena, space, w->of->s, ix));
		kv_cursor_seek(cur, buf_view(&w->prefix));
	}
	for (; table_scan_walk_step(w) && kv_cursor_in(cur, buf_view(&w->prefix));
	     kv_cursor_next(cur)) {
		call_clear(&w->c);
		if (!look(w) && !table_scan_is_damaged(w->of)) {
			table_scan_stop(w->of);
			break;
		}
		w->keys++;
		w->bytes += kv_cursor_value(cur).len;
	}
	call_clear(&w->c);
	if (w->damaged) {
		kv_cursor_forget(cur); /* it keeps its first error, which has been reported */
	} else {
		w->result = kv_cursor_status(cur, &w->c);
		w->damaged = w->result == -ERR_CORRUPT;
	}
	if (!kv_cursor_in(cur, buf_view(&w->prefix))) {
		buf_clear(&w->prefix);
	}
}

static void
table_scan_add_collection(const struct table_scan *s, struct sums *sums, struct slice collection,
			  uint64_t items, uint64_t item_bytes, uint64_t rendered_bytes)
{
	/* Without the first letter, which differs between items and directory. */
	hash_wide number = hash_keyed(&s->key, slice_skip(collection, 1)).low;

	sums->items += number * items;
	sums->item_bytes += number * item_bytes;
	sums->rendered_bytes += number * rendered_bytes;
}

static void
table_scan_add_entry(const struct table_scan *s, struct sums *sums, struct slice key,
		     struct hash128 content, uint64_t rendered_bytes)
{
	struct hash128 number =
		hash_join(&s->key, hash_keyed(&s->key, key), content, rendered_bytes);

	sums->n++;
	sums->entries[0] += number.low;
	sums->entries[1] += number.high;
}

/* ------------------------------------------------------------ the walk over the items */

static struct hash128
table_scan_projected_hash(struct walk *w, const struct item *it)
{
	struct buf body = {.arena = &w->c.arena};

	if (w->of->unordered) {
		return item_hash(&w->of->key, it);
	}
	record_body_encode(&body, it);
	return hash_keyed(&w->of->key, buf_view(&body));
}

static void
table_scan_expect_entry(struct walk *w, const struct found *f, struct hash128 content, size_t place)
{
	const struct schema *s = w->of->s;
	const struct index *ix = &s->index[place - 1];
	struct sums *sums = &w->of->expected[place];
	struct key_values v = {.n = 0};
	size_t item_bytes = f->item_bytes;
	uint64_t rendered = f->head.rendered_bytes;

	if (ix->state == INDEX_DELETING || index_key(ix, &f->item, &v) != 0) {
		return;
	}
	key_append(&v, &f->base);
	struct slice key = keyspace_item(&w->c.arena, s, ix, &v);

	if (ix->projection != PROJECTION_ALL) {
		struct item projected = item_project(&w->c.arena, s, ix, &f->item);

		content = table_scan_projected_hash(w, &projected);
		item_bytes = item_size(&projected);
		rendered = item_json_length(&projected) + 1;
	}
	table_scan_add_entry(w->of, sums, key, content, rendered);
	table_scan_add_collection(w->of, sums,
				  slice_of(key.at, keyspace_collection_bytes(s, ix, key)), 1,
				  item_bytes, rendered);
	sums->totals.item_bytes += item_bytes;
}

/* Return: whether the item at the cursor is valid */
static bool
table_scan_expect_of_item(struct walk *w)
{
	struct table_scan *of = w->of;
	const struct schema *s = of->s;
	struct sums *sums = &of->expected[0];
	struct hash128 content = {0};
	struct found f = {.key = kv_cursor_key(w->cursor), .record = kv_cursor_value(w->cursor)};

	if (check_fault(&w->c, s, NULL, &f) != NULL || f.item_bytes > LIMIT_ITEM_BYTES ||
	    item_json_length(&f.item) + 1 != f.head.rendered_bytes) {
		return false;
	}
	sums->n++;
	sums->totals.item_bytes += f.item_bytes;
	table_scan_add_collection(of, sums,
				  slice_of(f.key.at, keyspace_collection_bytes(s, NULL, f.key)), 1,
				  f.item_bytes, f.head.rendered_bytes);
	if (s->n_index > 0) {
		content = of->unordered ? item_hash(&of->key, &f.item)
					: hash_keyed(&of->key, record_body(f.record));
	}
	for (size_t i = 1; i <= s->n_index; i++) {
		table_scan_expect_entry(w, &f, content, i);
	}
	return true;
}

void
table_scan_walk_items(struct walk *w)
{
	table_scan_walk_keys(w, KEYSPACE_ITEM, NULL, table_scan_expect_of_item);
	w->ended = w->prefix.len == 0;
}

/* ------------------------------------------------------------ the walk over a table's entries */

/* Return: whether the entry can be decoded */
static bool
table_scan_found_entry(struct walk *w)
{
	const struct table_scan *s = w->of;
	struct slice key = kv_cursor_key(w->cursor);
	struct slice record = kv_cursor_value(w->cursor);
	struct hash128 content;
	struct record_head head;
	struct item it;

	if (!s->unordered) {
		if (record_head(&w->c, record, &head) != 0) {
			return false;
		}
		content = hash_keyed(&s->key, record_body(record));
	} else {
		if (record_decode(&w->c, record, &head, &it) != 0) {
			return false;
		}
		content = item_hash(&s->key, &it);
	}
	table_scan_add_entry(s, &w->of->found[w->place], key, content, head.rendered_bytes);
	return true;
}

static bool
table_scan_found_collection(struct walk *w)
{
	struct kv_cursor *cur = w->cursor;
	struct sums *sums = &w->of->found[w->place];
	struct record_counts n;

	if (record_counts_decode(&w->c, kv_cursor_value(cur), &n) != 0 || n.items == 0) {
		return false;
	}
	table_scan_add_collection(w->of, sums, kv_cursor_key(cur), n.items, n.item_bytes,
				  n.rendered_bytes);
	sums->totals.partitions++;
	return true;
}

static void
table_scan_compare_totals(struct walk *w, const struct index *ix)
{
	struct table_scan *s = w->of;
	struct sums *sums = &w->of->found[w->place];
	struct record_counts stored = {0};
	struct buf record = {.arena = &w->c.arena};

	call_clear(&w->c);
	int r = kv_get(s->local->kv, &w->c, s->at,
		       keyspace_head(&w->c.arena, KEYSPACE_TOTALS, s->s, ix), &record);

	w->result = r < 0 ? r : 0;
	sums->totals_lost =
		r < 0 || (r == 0 && record_counts_decode(&w->c, buf_view(&record), &stored) != 0);
	if ((sums->totals_lost || stored.partitions != sums->totals.partitions) &&
	    !table_scan_is_damaged(s)) {
		table_scan_stop(s);
	}
	sums->totals = stored;
}

/* Do one phase of a place, or as much of it as fits into the page. */
static void
table_scan_walk_phase(struct walk *w, const struct index *ix)
{
	if (w->phase == PHASE_ENTRIES && ix != NULL) {
		table_scan_walk_keys(w, KEYSPACE_ITEM, ix, table_scan_found_entry);
	} else if (w->phase == PHASE_DIRECTORY) {
		table_scan_walk_keys(w, KEYSPACE_PARTITION, ix, table_scan_found_collection);
	} else if (w->phase == PHASE_TOTALS) {
		table_scan_compare_totals(w, ix);
	}
	if (w->prefix.len == 0 && ++w->phase == PHASES) {
		w->phase = PHASE_ENTRIES;
		w->place++;
	}
}

/* First the table, then each index: entries, directory, totals. */
void *
table_scan_walk_rest(void *arg)
{
	struct walk *w = arg;
	const struct schema *s = w->of->s;

	while (w->place <= s->n_index && w->result == 0 && table_scan_walk_step(w)) {
		const struct index *ix = w->place == 0 ? NULL : &s->index[w->place - 1];

		if (ix != NULL && ix->state == INDEX_DELETING) {
			w->place++;
		} else {
			table_scan_walk_phase(w, ix);
		}
	}
	w->ended = w->place > s->n_index;
	return NULL;
}

/* ------------------------------------------------------------ a table some of whose files are damaged */

void
table_scan_keep_damage(struct table_scan *s, struct slice why)
{
	if (!table_scan_is_damaged(s)) {
		s->damage = slice_copy(&s->call.arena, why);
	}
}

int
table_scan_take_damage(struct check *k, struct walk *w)
{
	int r = w->result;

	w->result = 0;
	if (r == 0) {
		return 0;
	}
	r = call_adopt(k->c, &w->c);
	w->c.error = (struct error){0};
	if (r != -ERR_CORRUPT) {
		return r;
	}
	table_scan_keep_damage(w->of, check_take_damage(k));
	return 0;
}

/* Report how much of the table (@place 0) or of an index can be read. */
static void
table_scan_tell_place(const struct table_scan *s, struct check *k, size_t place)
{
	assert(place <= s->s->n_index);

	const struct sums *found = &s->found[place];
	const char *what = place == 0 ? "items" : "entries";
	unsigned long long read = place == 0 ? s->expected[0].n : found->n;
	unsigned long long all = found->totals.items;

	if (found->totals_lost) {
		check_problem(k, "%llu %s can be read, of a number that is not known: %.*s", read,
			      what, SLICE_ARG(s->damage));
	} else if (read > all) {
		check_problem(
			k,
			"%llu %s can be read, more than its %llu, as deleted ones are back: %.*s",
			read, what, all, SLICE_ARG(s->damage));
	} else if (place == 0 || read < all) {
		check_problem(k, "%llu of %llu %s can be read: %.*s", read, all, what,
			      SLICE_ARG(s->damage));
	}
}

void
table_scan_tell_readable(struct table_scan *s, struct check *k)
{
	k->ix = NULL;
	table_scan_tell_place(s, k, 0);
	k->items += s->expected[0].n;
	for (size_t i = 1; i <= s->s->n_index; i++) {
		k->ix = &s->s->index[i - 1];
		if (k->ix->state != INDEX_DELETING) {
			table_scan_tell_place(s, k, i);
		}
		k->entries += s->found[i].n;
	}
	k->ix = NULL;
}
