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
 *
 * A page ends when one of the walks has passed as many keys as fit it; the other one, which may be faster
 * or slower, stops where it is (survey.h).
 */
#include <stdlib.h>
#include <sys/random.h>

#include "store/base/mem.h"
#include "store/base/thread.h"
#include "store/local/check_int.h"
#include "store/local/item_hash.h"
#include "store/local/survey.h"
#include "store/model/item_json.h"
#include "store/model/limits.h"

enum {
	STEP_KEYS = 4096,      /* between two looks whether anybody still waits */
	PAGE_BYTES = 64 << 20, /* of records that one walk passes in a page */
};

/* Of the table (place 0) or of an index (1 + its place), expected or found. */
struct sums {
	uint64_t n; /* items or entries */
	uint64_t entries[2];
	struct totals totals;
	hash_wide items; /* of the directory */
	hash_wide item_bytes;
	hash_wide rendered_bytes;
};

/* What the walks are to do; STOP: something is wrong, or nobody waits. */
enum course { COURSE_GO, COURSE_PAUSE, COURSE_STOP };

enum phase { PHASE_ENTRIES, PHASE_DIRECTORY, PHASE_TOTALS, PHASES };

/* One of the two. */
struct walk {
	struct survey *of;
	struct call c; /* of one record, and its errors */
	struct kv_cursor *cursor;
	struct buf
		prefix; /* of the keys that it passes now; on the heap; empty: they are to be begun */
	size_t place;   /* the second one's */
	enum phase phase; /* likewise */
	bool ended;
	int result;
	uint64_t keys; /* in this page */
	uint64_t bytes;
};

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

struct survey {
	struct survey_kept kept; /* first */
	struct local *local;
	struct call call; /* memory of what follows */
	const struct schema *s;
	struct sums *expected;
	struct sums *found;
	struct kv_snapshot *at;
	struct hash_key key;
	bool unordered; /* content by item_hash() */
	struct walk items;
	struct walk rest;
	struct passing passing;  /* of @items */
	const struct call *asks; /* for this page */
	_Atomic enum course course;
};

static bool
same_sums(const struct sums *a, const struct sums *b)
{
	return a->n == b->n && a->entries[0] == b->entries[0] && a->entries[1] == b->entries[1] &&
	       a->items == b->items && a->item_bytes == b->item_bytes &&
	       a->rendered_bytes == b->rendered_bytes;
}

/* ------------------------------------------------------------ walking */

static void
stop(struct survey *s)
{
	atomic_store(&s->course, COURSE_STOP);
}

static void
pause_both(struct survey *s)
{
	enum course now = COURSE_GO;

	(void)atomic_compare_exchange_strong(&s->course, &now, COURSE_PAUSE);
}

/* Return: go on? */
static bool
walk_step(const struct walk *w)
{
	struct survey *s = w->of;

	if (w->keys % STEP_KEYS == 0 && call_given_up(s->asks)) {
		stop(s);
	}
	if (w->keys >= CHECK_PAGE_KEYS || w->bytes >= PAGE_BYTES) {
		pause_both(s);
	}
	return atomic_load_explicit(&s->course, memory_order_relaxed) == COURSE_GO;
}

/*
 * From where it is: the keys that begin with @prefix, which is made when they are begun; at the end of
 * them w->prefix is empty again.  @look: false: something is wrong.
 */
static void
walk_keys(struct walk *w, void (*prefix)(struct buf *, const struct schema *, const struct index *),
	  const struct index *ix, bool (*look)(struct walk *w))
{
	struct kv_cursor *cur = w->cursor;

	if (w->prefix.len == 0) {
		prefix(&w->prefix, w->of->s, ix);
		kv_cursor_seek(cur, buf_view(&w->prefix));
	}
	for (; walk_step(w) && kv_cursor_in(cur, buf_view(&w->prefix)); kv_cursor_next(cur)) {
		call_clear(&w->c);
		if (!look(w)) {
			stop(w->of);
			break;
		}
		w->keys++;
		w->bytes += kv_cursor_value(cur).len;
	}
	call_clear(&w->c);
	w->result = kv_cursor_status(cur, &w->c);
	if (!kv_cursor_in(cur, buf_view(&w->prefix))) {
		buf_clear(&w->prefix);
	}
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
	const struct schema *s = w->of->s;
	const struct index *ix = &s->index[place - 1];
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
	keyspace_item(&p->key, s, ix, &v);
	if (ix->projection != PROJECTION_ALL) {
		struct item projected = item_project(&w->c.arena, s, ix, &p->item);

		content = projected_hash(w->of, p, &projected);
		item_bytes = item_size(&projected);
		rendered = item_json_length(&projected) + 1;
	}
	add_entry(w->of, sums, buf_view(&p->key), content, rendered);
	add_collection(w->of, sums, slice_of(p->key.at, check_collection(s, ix, buf_view(&p->key))),
		       1, item_bytes, rendered);
	sums->totals.bytes += item_bytes;
}

/* Return: is the item at the cursor sound? */
static bool
expect_of_item(struct walk *w)
{
	struct survey *of = w->of;
	const struct schema *s = of->s;
	struct passing *p = &of->passing;
	struct slice key = kv_cursor_key(w->cursor);
	struct slice record = kv_cursor_value(w->cursor);
	struct sums *sums = &of->expected[0];
	struct record_head head;

	p->base.n = 0;
	if (record_decode_sized(&w->c, record, &head, &p->item, &p->item_bytes) != 0 ||
	    key_from_item(&s->key, &p->item, &p->base) != 0) {
		return false;
	}
	buf_clear(&p->key);
	keyspace_item(&p->key, s, NULL, &p->base);
	p->rendered_bytes = head.rendered_bytes;
	if (!slice_eq(buf_view(&p->key), key) || p->item_bytes > LIMIT_ITEM_BYTES ||
	    item_json_length(&p->item) + 1 != head.rendered_bytes ||
	    item_check(&w->c, &p->item) != 0 || !check_legible(&w->c, &p->item)) {
		return false;
	}
	sums->n++;
	sums->totals.bytes += p->item_bytes;
	add_collection(of, sums, slice_of(key.at, check_collection(s, NULL, key)), 1, p->item_bytes,
		       head.rendered_bytes);
	if (s->n_index > 0) {
		p->content = of->unordered ? item_hash(&of->key, &p->item)
					   : hash_keyed(&of->key, record_body(record));
	}
	for (size_t i = 1; i <= s->n_index; i++) {
		expect_entry(w, p, i);
	}
	return true;
}

static void
walk_items(struct walk *w)
{
	walk_keys(w, keyspace_table, NULL, expect_of_item);
	w->ended = w->prefix.len == 0;
}

/* ------------------------------------------------------------ what is there */

static struct sums *
found_sums(const struct walk *w)
{
	return &w->of->found[w->place];
}

/* Return: can it be read? */
static bool
found_entry(struct walk *w)
{
	const struct survey *s = w->of;
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
	add_entry(s, found_sums(w), key, content, head.rendered_bytes);
	return true;
}

static bool
found_collection(struct walk *w)
{
	struct kv_cursor *cur = w->cursor;
	struct sums *sums = found_sums(w);
	struct record_counts n;

	if (record_counts_decode(&w->c, kv_cursor_value(cur), &n) != 0 || n.items == 0) {
		return false;
	}
	add_collection(w->of, sums, kv_cursor_key(cur), n.items, n.item_bytes, n.rendered_bytes);
	sums->totals.partitions++;
	return true;
}

static void
compare_totals(struct walk *w, const struct index *ix)
{
	struct survey *s = w->of;
	struct sums *sums = found_sums(w);
	struct totals stored = {0};
	struct buf key;
	struct buf record;

	call_clear(&w->c);
	buf_init(&key, &w->c.arena);
	buf_init(&record, &w->c.arena);
	keyspace_totals(&key, s->s, ix);
	int r = kv_get(s->local->kv, &w->c, s->at, buf_view(&key), &record);

	w->result = r < 0 ? r : 0;
	if ((r == 0 && record_totals_decode(&w->c, buf_view(&record), &stored) != 0) ||
	    stored.partitions != sums->totals.partitions) {
		stop(s);
	}
	sums->totals = stored;
}

/* A phase of a place, or as much of it as fits the page. */
static void
walk_phase(struct walk *w, const struct index *ix)
{
	if (w->phase == PHASE_ENTRIES && ix != NULL) {
		walk_keys(w, keyspace_table, ix, found_entry);
	} else if (w->phase == PHASE_DIRECTORY) {
		walk_keys(w, keyspace_partitions, ix, found_collection);
	} else if (w->phase == PHASE_TOTALS) {
		compare_totals(w, ix);
	}
	if (w->prefix.len == 0 && ++w->phase == PHASES) {
		w->phase = PHASE_ENTRIES;
		w->place++;
	}
}

/* The table, then each index: entries, directory, totals. */
static void *
walk_rest(void *arg)
{
	struct walk *w = arg;
	const struct schema *s = w->of->s;

	while (w->place <= s->n_index && w->result == 0 && walk_step(w)) {
		const struct index *ix = w->place == 0 ? NULL : &s->index[w->place - 1];

		if (ix != NULL && ix->state == INDEX_DELETING) {
			w->place++;
		} else {
			walk_phase(w, ix);
		}
	}
	w->ended = w->place > s->n_index;
	return NULL;
}

/* ------------------------------------------------------------ both */

static bool
agrees(const struct survey *s)
{
	for (size_t i = 0; i <= s->s->n_index; i++) {
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

static void
begin_walk(struct survey *s, struct walk *w)
{
	buf_clear(&w->prefix);
	w->of = s;
	w->place = 0;
	w->phase = PHASE_ENTRIES;
	w->ended = false;
}

/* Both walks from the beginning. */
static void
begin(struct survey *s, bool unordered)
{
	size_t n = 1 + s->s->n_index;

	s->unordered = unordered;
	memset(s->expected, 0, n * sizeof(*s->expected));
	memset(s->found, 0, n * sizeof(*s->found));
	begin_walk(s, &s->items);
	begin_walk(s, &s->rest);
}

static void
walk_both(struct survey *s)
{
	pthread_t thread;
	bool second = !s->items.ended && !s->rest.ended &&
		      thread_start(&thread, walk_rest, &s->rest) == 0;

	if (!s->items.ended) {
		walk_items(&s->items);
	}
	if (second) {
		(void)pthread_join(thread, NULL);
	} else if (!s->rest.ended) {
		(void)walk_rest(&s->rest);
	}
}

static int
pass_on(struct call *c, const struct walk *w)
{
	return w->result == 0 ? 0 : call_fail(c, w->c.error.code, "%s", w->c.error.message);
}

/* Return: CHECK_END: the table is whole, CHECK_PAUSED, CHECK_MORE: it is not, < 0 */
static int
survey_page(struct survey *s, struct check *k)
{
	s->asks = k->c;
	s->course = COURSE_GO;
	s->items.keys = s->items.bytes = s->rest.keys = s->rest.bytes = 0;
	walk_both(s);
	k->looked += s->items.keys + s->rest.keys;
	int r = pass_on(k->c, &s->items);

	r = r < 0 ? r : pass_on(k->c, &s->rest);
	if (r == 0 && call_given_up(k->c)) {
		r = call_fail(k->c, ERR_BUSY, "nobody waits for the answer");
	}
	if (r < 0) {
		return r;
	}
	if (s->course == COURSE_STOP) {
		return CHECK_MORE;
	}
	if (!s->items.ended || !s->rest.ended) {
		return CHECK_PAUSED;
	}
	if (agrees(s)) {
		return CHECK_END;
	}
	if (s->unordered || s->s->n_index == 0) {
		return CHECK_MORE;
	}
	begin(s, true);
	r = check_expect(k, s->s, false);
	if (r < 0) {
		return r;
	}
	/* As it is unordered by now, this is the last time. */
	return k->looked < CHECK_PAGE_KEYS ? survey_page(s, k) : CHECK_PAUSED;
}

/* ------------------------------------------------------------ from page to page */

static void
open_walk(struct survey *s, struct walk *w)
{
	call_open(&w->c, s->call.now_ms, SIZE_MAX);
	w->cursor = kv_cursor_once(s->local->kv, s->at);
}

static void
close_walk(struct walk *w)
{
	kv_cursor_free(w->cursor);
	call_close(&w->c);
	buf_release(&w->prefix);
}

void
survey_free(struct survey *s)
{
	if (s == NULL) {
		return;
	}
	close_walk(&s->items);
	close_walk(&s->rest);
	buf_release(&s->passing.key);
	buf_release(&s->passing.body);
	s->local->kv->ops->snapshot_free(s->local->kv, s->at);
	call_close(&s->call);
	free(s);
}

/* Of the snapshot of @k, in which the table is defined as the catalog has it. */
static struct survey *
survey_new(struct check *k)
{
	struct survey *s = mem_new(struct survey);

	s->local = k->local;
	call_open(&s->call, k->c->now_ms, SIZE_MAX);
	s->at = check_take_snapshot(k);
	s->s = schema_copy(&s->call.arena, k->s);
	s->expected = arena_new(&s->call.arena, struct sums, 1 + s->s->n_index);
	s->found = arena_new(&s->call.arena, struct sums, 1 + s->s->n_index);
	open_walk(s, &s->items);
	open_walk(s, &s->rest);
	begin(s, false);
	return s;
}

/* The one that was begun, of the table that has this name by now, or a new one; NULL: the table has none. */
static struct survey *
find_survey(struct check *k, uint64_t id)
{
	struct survey *s = id == 0 ? NULL : surveys_take(k->local->surveys, id);
	struct hash_key key;

	if (s != NULL && s->s->id == k->s->id) {
		return s;
	}
	survey_free(s);
	if (!check_settled(k->s) || getrandom(&key, sizeof(key), 0) != sizeof(key)) {
		return NULL;
	}
	s = survey_new(k);
	s->key = key;
	return s;
}

int
check_survey(struct check *k, uint64_t *id)
{
	struct survey *s = find_survey(k, *id);
	int r = s == NULL ? CHECK_MORE : survey_page(s, k);

	*id = 0;
	if (r == CHECK_PAUSED) {
		*id = surveys_keep(k->local->surveys, s, k->c->now_ms);
		return r;
	}
	if (r == CHECK_END) {
		k->items += s->expected[0].n;
		for (size_t i = 1; i <= s->s->n_index; i++) {
			k->entries += s->expected[i].n;
		}
	}
	survey_free(s);
	if (r == CHECK_MORE) {
		int failed = check_expect(k, k->s, true);

		r = failed < 0 ? failed : r;
	}
	return r;
}
