/*
 * check_scan - compares a whole table in one snapshot, without look-ups
 *
 * One walk over the items adds up what should exist: a hash of key and content for each entry of each index,
 * and for each collection a hash times the values of its counts.  A second walk, in a thread of its own, goes
 * over the entries and the partition directories and adds up what does exist.  Equal sums mean equal sets, in
 * whatever order they were added, except with a probability of 2^-64: the key of the hashes is random.
 *
 * The first pass hashes the stored bytes.  If the sums differ, a second pass uses hashes that ignore the order of
 * attributes (item_hash()), because an entry is not rewritten when only the order changes.  If these differ, too,
 * the parts of check.c find the differences.
 *
 * A damaged file ends the comparison, but not the walks: they count what can be read (table_scan_walk.c).
 *
 * A page ends when one of the walks has read as many keys as fit into it; the other walk then stops where it is
 * (table_scan.h).
 */
#include <sys/random.h>

#include "store/base/core/thread.h"
#include "store/local/check/check_int.h"
#include "store/local/check/table_scan.h"
#include "store/local/check/table_scan_int.h"
#include "store/model/schema.h"

/* ------------------------------------------------------------ both walks */

static bool
table_scan_agrees(const struct table_scan *s)
{
	for (size_t i = 0; i <= s->s->n_index; i++) {
		const struct sums *e = &s->expected[i];
		const struct sums *f = &s->found[i];

		/* Only one walk counts items. */
		if ((i > 0 && e->n != f->n) || e->entries[0] != f->entries[0] ||
		    e->entries[1] != f->entries[1] || e->items != f->items ||
		    e->item_bytes != f->item_bytes || e->rendered_bytes != f->rendered_bytes ||
		    e->n != f->totals.items || e->totals.item_bytes != f->totals.item_bytes) {
			return false;
		}
	}
	return true;
}

static void
table_scan_begin_walk(struct table_scan *s, struct walk *w)
{
	buf_clear(&w->prefix);
	w->of = s;
	w->place = 0;
	w->phase = PHASE_ENTRIES;
	w->ended = false;
}

/* Restart both walks from the beginning. */
static void
table_scan_begin(struct table_scan *s, bool unordered)
{
	size_t n = 1 + s->s->n_index;

	s->unordered = unordered;
	memset(s->expected, 0, n * sizeof(*s->expected));
	memset(s->found, 0, n * sizeof(*s->found));
	table_scan_begin_walk(s, &s->items);
	table_scan_begin_walk(s, &s->rest);
}

static void
table_scan_walk_both(struct table_scan *s)
{
	pthread_t thread;
	bool second = !s->items.ended && !s->rest.ended &&
		      thread_start(&thread, table_scan_walk_rest, &s->rest) == 0;

	if (!s->items.ended) {
		table_scan_walk_items(&s->items);
	}
	if (second) {
		(void)pthread_join(thread, NULL);
	} else if (!s->rest.ended) {
		(void)table_scan_walk_rest(&s->rest);
	}
}

/* Return: 0: the table is valid, or counted; CHECK_PAUSED; CHECK_DIFFERS: the sums differ; < 0 */
static int
table_scan_page(struct table_scan *s, struct check *k)
{
	s->asks = k->c;
	s->state = SCAN_RUNS;
	s->items.keys = s->items.bytes = s->rest.keys = s->rest.bytes = 0;
	table_scan_walk_both(s);
	k->looked += s->items.keys + s->rest.keys;
	int r = table_scan_take_damage(k, &s->items);

	r = r < 0 ? r : table_scan_take_damage(k, &s->rest);
	if (r == 0 && call_given_up(k->c)) {
		r = call_fail(k->c, ERR_BUSY, "the caller no longer waits for the answer");
	}
	if (r < 0) {
		return r;
	}
	if (s->state == SCAN_STOPS) {
		/* Once damage is known, differences do not stop the next page. */
		return table_scan_is_damaged(s) ? CHECK_PAUSED : CHECK_DIFFERS;
	}
	if (!s->items.ended || !s->rest.ended) {
		return CHECK_PAUSED;
	}
	if (table_scan_is_damaged(s) || table_scan_agrees(s)) {
		return 0;
	}
	if (s->unordered || s->s->n_index == 0) {
		return CHECK_DIFFERS;
	}
	table_scan_begin(s, true);
	r = check_expect(k, s->s, false);
	if (r < 0) {
		return r;
	}
	assert(s->unordered); /* so this recursion is the last one */
	return k->looked < CHECK_PAGE_KEYS ? table_scan_page(s, k) : CHECK_PAUSED;
}

/* ------------------------------------------------------------ from page to page */

static void
table_scan_open_walk(struct table_scan *s, struct walk *w)
{
	call_open(&w->c, s->call.now_ms, SIZE_MAX);
	w->cursor = kv_cursor_once(s->local->kv, s->at);
}

static void
table_scan_close_walk(struct walk *w)
{
	kv_cursor_free(w->cursor);
	call_close(&w->c);
	buf_release(&w->prefix);
}

static void
table_scan_free(struct table_scan *s)
{
	if (s == NULL) {
		return;
	}
	table_scan_close_walk(&s->items);
	table_scan_close_walk(&s->rest);

	s->local->kv->ops->snapshot_free(s->local->kv, s->at);
	call_close(&s->call);
	free(s);
}

/* ------------------------------------------------------------ scans that wait for their next page */

enum { KEPT_MS = 60000, KEPT_MAX = 64 };

struct table_scans {
	pthread_mutex_t lock;    /* guards all members */
	struct table_scan *head; /* newest first */
	uint64_t ids;            /* the last id that was assigned */
};

struct table_scans *
table_scans_new(void)
{
	struct table_scans *all = mem_new(struct table_scans);

	(void)pthread_mutex_init(&all->lock, NULL);
	return all;
}

static void
free_list(struct table_scan *s)
{
	while (s != NULL) {
		struct table_scan *next = s->next;

		table_scan_free(s);
		s = next;
	}
}

void
table_scans_free(struct table_scans *all)
{
	if (all == NULL) {
		return;
	}
	free_list(all->head);
	(void)pthread_mutex_destroy(&all->lock);
	free(all);
}

/* Remove the scans after the first @most, and those that have waited for a minute.  Return: a list of them. */
static struct table_scan *
cut_behind(struct table_scans *all, unsigned most, uint64_t now_ms)
{
	struct table_scan **at = &all->head;

	assert(lock_held(&all->lock));
	while (*at != NULL && most > 0 && now_ms < (*at)->since_ms + KEPT_MS) {
		at = &(*at)->next;
		most--;
	}
	struct table_scan *rest = *at;

	*at = NULL;
	return rest;
}

uint64_t
table_scans_keep(struct table_scans *all, struct table_scan *s, uint64_t now_ms)
{
	(void)pthread_mutex_lock(&all->lock);
	if (s->id == 0) {
		s->id = ++all->ids;
	}
	uint64_t id = s->id;
	struct table_scan *rest = cut_behind(all, KEPT_MAX - 1, now_ms);

	s->since_ms = now_ms;
	s->next = all->head;
	all->head = s;
	(void)pthread_mutex_unlock(&all->lock);
	free_list(rest);
	return id;
}

struct table_scan *
table_scans_take(struct table_scans *all, uint64_t id)
{
	lock_scope(&all->lock);
	struct table_scan **at = &all->head;

	while (*at != NULL && (*at)->id != id) {
		at = &(*at)->next;
	}
	struct table_scan *s = *at;

	if (s != NULL) {
		*at = s->next;
	}
	return s;
}

void
table_scans_forget(struct table_scans *all, uint64_t now_ms)
{
	(void)pthread_mutex_lock(&all->lock);
	struct table_scan *old = cut_behind(all, KEPT_MAX, now_ms);

	(void)pthread_mutex_unlock(&all->lock);
	free_list(old);
}

/* ------------------------------------------------------------ a scan */

/* Begin a scan of k->s; it takes over the snapshot of @k. */
static struct table_scan *
table_scan_new(struct check *k)
{
	assert(k->s != NULL);

	struct table_scan *s = mem_new(struct table_scan);

	s->local = k->local;
	call_open(&s->call, k->c->now_ms, SIZE_MAX);
	s->at = check_take_snapshot(k);
	s->s = schema_copy(&s->call.arena, k->s);
	s->expected = arena_new(&s->call.arena, struct sums, 1 + s->s->n_index);
	s->found = arena_new(&s->call.arena, struct sums, 1 + s->s->n_index);
	table_scan_open_walk(s, &s->items);
	table_scan_open_walk(s, &s->rest);
	table_scan_begin(s, false);
	return s;
}

/* Return: the scan @id if it is of the table k->s, else a new one; NULL: the table cannot be scanned now. */
static struct table_scan *
table_scan_find(struct check *k, uint64_t id)
{
	struct table_scan *s = id == 0 ? NULL : table_scans_take(k->local->table_scans, id);
	struct hash_key key;

	if (s != NULL && s->s->id == k->s->id) {
		return s;
	}
	table_scan_free(s);
	if (!check_settled(k->s) || getrandom(&key, sizeof(key), 0) != sizeof(key)) {
		return NULL;
	}
	s = table_scan_new(k);
	s->key = key;
	return s;
}

static void
table_scan_count(struct table_scan *s, struct check *k)
{
	if (table_scan_is_damaged(s)) {
		table_scan_tell_readable(s, k);
		return;
	}
	k->items += s->expected[0].n;
	for (size_t i = 1; i <= s->s->n_index; i++) {
		k->entries += s->expected[i].n;
	}
}

int
check_scan(struct check *k, uint64_t *id)
{
	struct table_scan *s = table_scan_find(k, *id);
	int r = s == NULL ? CHECK_DIFFERS : table_scan_page(s, k);

	*id = 0;
	if (r == CHECK_PAUSED) {
		assert(s != NULL);
		*id = table_scans_keep(k->local->table_scans, s, k->c->now_ms);
		return r;
	}
	if (r == 0) {
		table_scan_count(s, k);
	}
	table_scan_free(s);
	if (r == CHECK_DIFFERS) {
		int failed = check_expect(k, k->s, true);

		r = failed < 0 ? failed : r;
	}
	return r;
}

int
check_scan_damaged(struct check *k, uint64_t *id)
{
	struct slice why = check_take_damage(k);
	struct table_scan *s = table_scan_new(k);

	table_scan_keep_damage(s, why);
	*id = table_scans_keep(k->local->table_scans, s, k->c->now_ms);
	int r = check_expect(k, s->s, false);

	return r < 0 ? r : CHECK_PAUSED;
}
