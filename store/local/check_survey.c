/*
 * check_survey - is a table whole? All of it in one snapshot, without a look-up
 *
 * A walk over the items adds up what should be there: a number made of key and content for each entry
 * of each index, and a number for each collection times what its counts should be.  A walk over the
 * entries and one over the partition directory, in a thread of their own, add up what is there.  Equal
 * sums are equal sets, in whichever order they came, but for one chance in 2^64: the numbers are made
 * with a key that is random.  Content is first compared as the bytes that it is; where sums differ all is
 * walked over once more with numbers that know no order of attributes (item_hash.h), since an entry is not
 * written again when only that changes.  When they differ, too, the parts of check.c find out what.
 */
#include <sys/random.h>

#include "store/base/clock.h"
#include "store/base/thread.h"
#include "store/local/check_int.h"
#include "store/local/item_hash.h"
#include "store/model/item_json.h"
#include "store/model/limits.h"

enum { STEP_KEYS = 4096 }; /* between two looks whether anybody still waits */

/* Of the table (place 0) or of an index (1 + its place), expected or found. */
struct sums {
	uint64_t n; /* items or entries */
	uint64_t entries[2];
	struct totals totals;
	hash_wide items; /* of the directory */
	hash_wide item_bytes;
	hash_wide rendered_bytes;
};

struct survey {
	struct check *k;
	struct hash_key key;
	struct sums *expected;
	struct sums *found;
	atomic_bool stop; /* something is wrong, or nobody waits */
	bool unordered;   /* content by item_hash() */
	struct call own;  /* of the second thread */
	int result;       /* its */
};

/* What one walk needs. */
struct walk {
	struct survey *of;
	struct call *c;
	struct kv_cursor *cursor;
	size_t looked;
};

static bool
same_sums(const struct sums *a, const struct sums *b)
{
	return a->n == b->n && a->entries[0] == b->entries[0] && a->entries[1] == b->entries[1] &&
	       a->items == b->items && a->item_bytes == b->item_bytes &&
	       a->rendered_bytes == b->rendered_bytes;
}

/* Return: go on? */
static bool
walk_step(struct walk *w)
{
	struct survey *s = w->of;

	if (++w->looked % STEP_KEYS == 0 && call_given_up(s->k->c)) {
		atomic_store(&s->stop, true);
	}
	return !atomic_load_explicit(&s->stop, memory_order_relaxed);
}

/* ------------------------------------------------------------ what should be there */

static void
add_collection(const struct survey *s, struct sums *sums, struct slice collection, uint64_t items,
	       uint64_t item_bytes, uint64_t rendered_bytes)
{
	/* Without the letter, which is another one in the directory. */
	hash_wide number = hash_keyed(&s->key, slice_skip(collection, 1)).low;

	sums->items += number * items;
	sums->item_bytes += number * item_bytes;
	sums->rendered_bytes += number * rendered_bytes;
}

static void
add_entry(const struct survey *s, struct sums *sums, struct slice key, struct hash128 content,
	  uint64_t rendered_bytes)
{
	struct hash128 number =
		hash_join(&s->key, hash_keyed(&s->key, key), content, rendered_bytes);

	sums->n++;
	sums->entries[0] += number.low;
	sums->entries[1] += number.high;
}

/* An item on its way through the sums. */
struct passing {
	struct item item;
	struct key_values base;
	struct hash128 content;
	size_t item_bytes;
	uint64_t rendered_bytes;
	struct buf key; /* scratch, as the next one */
	struct buf body;
};

static struct hash128
projected_hash(const struct survey *s, struct passing *p, const struct item *it)
{
	if (s->unordered) {
		return item_hash(&s->key, it);
	}
	buf_clear(&p->body);
	record_body_encode(&p->body, it);
	return hash_keyed(&s->key, buf_view(&p->body));
}

static void
expect_entry(struct walk *w, struct passing *p, size_t place)
{
	const struct check *k = w->of->k;
	const struct index *ix = &k->s->index[place - 1];
	struct sums *sums = &w->of->expected[place];
	struct key_values v = {.n = 0};
	struct hash128 content = p->content;
	size_t item_bytes = p->item_bytes;
	uint64_t rendered = p->rendered_bytes;

	if (ix->state == INDEX_DELETING || index_key(ix, &p->item, &v) != 0) {
		return;
	}
	key_append(&v, &p->base);
	buf_clear(&p->key);
	keyspace_item(&p->key, k->s, ix, &v);
	if (ix->projection != PROJECTION_ALL) {
		struct item projected = item_project(&w->c->arena, k->s, ix, &p->item);

		content = projected_hash(w->of, p, &projected);
		item_bytes = item_size(&projected);
		rendered = item_json_length(&projected) + 1;
	}
	add_entry(w->of, sums, buf_view(&p->key), content, rendered);
	add_collection(w->of, sums,
		       slice_of(p->key.at, check_collection(k->s, ix, buf_view(&p->key))), 1,
		       item_bytes, rendered);
	sums->totals.bytes += item_bytes;
}

/* Return: is the item at the cursor sound? */
static bool
expect_of_item(struct walk *w, struct passing *p)
{
	struct check *k = w->of->k;
	struct slice key = w->cursor->ops->key(w->cursor);
	struct slice record = w->cursor->ops->value(w->cursor);
	struct sums *sums = &w->of->expected[0];
	struct record_head head;

	call_clear(w->c);
	p->base.n = 0;
	if (record_decode_sized(w->c, record, &head, &p->item, &p->item_bytes) != 0 ||
	    key_from_item(&k->s->key, &p->item, &p->base) != 0) {
		return false;
	}
	buf_clear(&p->key);
	keyspace_item(&p->key, k->s, NULL, &p->base);
	p->rendered_bytes = head.rendered_bytes;
	if (!slice_eq(buf_view(&p->key), key) || p->item_bytes > LIMIT_ITEM_BYTES ||
	    item_json_length(&p->item) + 1 != head.rendered_bytes ||
	    item_check(w->c, &p->item) != 0 || !check_legible(w->c, &p->item)) {
		return false;
	}
	sums->n++;
	sums->totals.bytes += p->item_bytes;
	add_collection(w->of, sums, slice_of(key.at, check_collection(k->s, NULL, key)), 1,
		       p->item_bytes, head.rendered_bytes);
	if (k->s->n_index > 0) {
		p->content = w->of->unordered ? item_hash(&w->of->key, &p->item)
					      : hash_keyed(&w->of->key, record_body(record));
	}
	for (size_t i = 1; i <= k->s->n_index; i++) {
		expect_entry(w, p, i);
	}
	return true;
}

static int
walk_items(struct walk *w)
{
	struct kv_cursor *cur = w->cursor;
	struct passing p = {0};
	struct buf prefix;
	bool sound = true;

	buf_init(&prefix, &w->of->k->c->arena);
	keyspace_table(&prefix, w->of->k->s, NULL);
	cur->ops->seek(cur, buf_view(&prefix));
	for (; sound && walk_step(w) && kv_cursor_in(cur, buf_view(&prefix)); cur->ops->next(cur)) {
		sound = expect_of_item(w, &p);
	}
	buf_release(&p.key);
	buf_release(&p.body);
	if (!sound) {
		atomic_store(&w->of->stop, true);
	}
	return cur->ops->status(cur, w->of->k->c);
}

/* ------------------------------------------------------------ what is there */

/* Return: can it be read? */
static bool
found_entry(struct walk *w, struct sums *sums)
{
	const struct survey *s = w->of;
	struct slice key = w->cursor->ops->key(w->cursor);
	struct slice record = w->cursor->ops->value(w->cursor);
	struct hash128 content;
	struct record_head head;
	struct item it;

	if (!s->unordered) {
		if (record_head(w->c, record, &head) != 0) {
			return false;
		}
		content = hash_keyed(&s->key, record_body(record));
	} else {
		if (record_decode(w->c, record, &head, &it) != 0) {
			return false;
		}
		content = item_hash(&s->key, &it);
	}
	add_entry(s, sums, key, content, head.rendered_bytes);
	return true;
}

static int
walk_entries(struct walk *w, const struct index *ix, struct sums *sums)
{
	struct kv_cursor *cur = w->cursor;
	struct buf prefix;

	buf_init(&prefix, &w->c->arena);
	keyspace_table(&prefix, w->of->k->s, ix);
	struct arena_mark before = arena_mark(&w->c->arena);

	cur->ops->seek(cur, buf_view(&prefix));
	for (; walk_step(w) && kv_cursor_in(cur, buf_view(&prefix)); cur->ops->next(cur)) {
		if (!found_entry(w, sums)) {
			atomic_store(&w->of->stop, true);
			break;
		}
		arena_reset(&w->c->arena, before);
	}
	return cur->ops->status(cur, w->c);
}

static int
walk_directory(struct walk *w, const struct index *ix, struct sums *sums)
{
	struct kv_cursor *cur = w->cursor;
	struct buf prefix;

	buf_init(&prefix, &w->c->arena);
	keyspace_partitions(&prefix, w->of->k->s, ix);
	cur->ops->seek(cur, buf_view(&prefix));
	for (; walk_step(w) && kv_cursor_in(cur, buf_view(&prefix)); cur->ops->next(cur)) {
		struct record_counts n;

		if (record_counts_decode(w->c, cur->ops->value(cur), &n) != 0 || n.items == 0) {
			atomic_store(&w->of->stop, true);
			break;
		}
		add_collection(w->of, sums, cur->ops->key(cur), n.items, n.item_bytes,
			       n.rendered_bytes);
		sums->totals.partitions++;
	}
	return cur->ops->status(cur, w->c);
}

static int
read_totals(struct walk *w, const struct index *ix, struct totals *out)
{
	struct local *l = w->of->k->local;
	struct buf key;
	struct buf record;

	buf_init(&key, &w->c->arena);
	buf_init(&record, &w->c->arena);
	keyspace_totals(&key, w->of->k->s, ix);
	int r = kv_get(l->kv, w->c, w->of->k->at, buf_view(&key), &record);

	if (r == 0 && record_totals_decode(w->c, buf_view(&record), out) != 0) {
		atomic_store(&w->of->stop, true);
	}
	return r < 0 ? r : 0;
}

/* The table for @place 0, else an index: entries, directory, totals. */
static int
walk_one(struct walk *w, size_t place)
{
	const struct schema *s = w->of->k->s;
	const struct index *ix = place == 0 ? NULL : &s->index[place - 1];
	struct sums *sums = &w->of->found[place];
	struct totals stored = {0};
	int r = 0;

	if (ix != NULL && ix->state == INDEX_DELETING) {
		return 0;
	}
	if (ix != NULL) {
		r = walk_entries(w, ix, sums);
	}
	if (r == 0) {
		r = walk_directory(w, ix, sums);
	}
	if (r == 0) {
		r = read_totals(w, ix, &stored);
	}
	if (stored.partitions != sums->totals.partitions) {
		atomic_store(&w->of->stop, true);
	}
	sums->totals = stored;
	return r;
}

static void *
walk_the_rest(void *arg)
{
	struct survey *s = arg;
	struct walk w = {.of = s, .c = &s->own};

	w.cursor = kv_cursor_once(s->k->local->kv, s->k->at);
	for (size_t i = 0; i <= s->k->s->n_index && s->result == 0; i++) {
		s->result = walk_one(&w, i);
	}
	kv_cursor_free(w.cursor);
	return NULL;
}

/* ------------------------------------------------------------ both */

static bool
agrees(const struct survey *s)
{
	for (size_t i = 0; i <= s->k->s->n_index; i++) {
		const struct sums *e = &s->expected[i];
		struct sums f = s->found[i];

		if (i == 0) {
			f.n = e->n; /* items are walked over once */
		}
		if (!same_sums(e, &f) || f.totals.items != e->n ||
		    f.totals.bytes != e->totals.bytes) {
			return false;
		}
	}
	return true;
}

static int
walk_both(struct survey *s)
{
	struct walk w = {.of = s, .c = &s->k->scratch};
	pthread_t thread;
	bool second = thread_start(&thread, walk_the_rest, s) == 0;

	w.cursor = kv_cursor_once(s->k->local->kv, s->k->at);
	int r = walk_items(&w);

	kv_cursor_free(w.cursor);

	if (second) {
		(void)pthread_join(thread, NULL);
	} else {
		(void)walk_the_rest(s);
	}
	if (r == 0 && s->result < 0) {
		r = call_fail(s->k->c, s->own.error.code, "%s", s->own.error.message);
	}
	return r;
}

/* An index that is being filled has not all of its entries. */
static bool
is_settled(const struct schema *s)
{
	for (size_t i = 0; i < s->n_index; i++) {
		if (s->index[i].state != INDEX_ACTIVE && s->index[i].state != INDEX_DELETING) {
			return false;
		}
	}
	return true;
}

/* Both walks from the beginning; Return: 0, or the error of one. */
static int
compare(struct survey *s, bool unordered)
{
	size_t n = 1 + s->k->s->n_index;

	s->unordered = unordered;
	memset(s->expected, 0, n * sizeof(*s->expected));
	memset(s->found, 0, n * sizeof(*s->found));
	call_open(&s->own, s->k->c->now_ms, SIZE_MAX);
	int r = walk_both(s);

	call_close(&s->own);
	if (r == 0 && call_given_up(s->k->c)) {
		r = call_fail(s->k->c, ERR_BUSY, "nobody waits for the answer");
	}
	return r;
}

int
check_survey(struct check *k)
{
	struct arena *a = &k->c->arena;
	size_t n = 1 + k->s->n_index;
	struct survey s = {.k = k,
			   .expected = arena_new(a, struct sums, n),
			   .found = arena_new(a, struct sums, n)};

	if (!is_settled(k->s) || getrandom(&s.key, sizeof(s.key), 0) != sizeof(s.key)) {
		return CHECK_MORE;
	}
	int r = compare(&s, false);

	if (r == 0 && n > 1 && !atomic_load(&s.stop) && !agrees(&s)) {
		r = compare(&s, true);
	}
	if (r < 0) {
		return r;
	}
	if (atomic_load(&s.stop) || !agrees(&s)) {
		return CHECK_MORE;
	}
	k->items += s.expected[0].n;
	for (size_t i = 1; i < n; i++) {
		k->entries += s.expected[i].n;
	}
	return CHECK_END;
}
