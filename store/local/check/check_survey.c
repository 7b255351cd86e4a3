/*
 * check_survey - compares a whole table in one snapshot, without look-ups
 *
 * One walk over the items adds up what should exist: a hash of key and content for each entry of each index,
 * and for each collection a hash times the values of its counts.  A second walk, in a thread of its own, goes
 * over the entries and the partition directories and adds up what does exist.  Equal sums mean equal sets, in
 * whatever order they were added, except with a probability of 2^-64: the key of the hashes is random.
 *
 * The first pass hashes the stored bytes.  If the sums differ, a second pass uses hashes that ignore the order of
 * attributes (item_hash.c), because an entry is not rewritten when only the order changes.  If these differ, too,
 * the parts of check.c find the differences.
 *
 * A damaged file ends the comparison, but not the walks: they count what can be read (survey_walk.c).
 *
 * A page ends when one of the walks has read as many keys as fit into it; the other walk then stops where it is
 * (survey.h).
 */
#include <assert.h>
#include <stdlib.h>
#include <sys/random.h>

#include "store/base/core/mem.h"
#include "store/base/core/thread.h"
#include "store/local/check/check_int.h"
#include "store/local/check/survey.h"
#include "store/local/check/survey_int.h"
#include "store/model/schema.h"

/* ------------------------------------------------------------ both walks */

static bool
survey_agrees(const struct survey *s)
{
	for (size_t i = 0; i <= s->s->n_index; i++) {
		const struct sums *e = &s->expected[i];
		const struct sums *f = &s->found[i];

		/* Only one walk counts items. */
		if ((i > 0 && e->n != f->n) || e->entries[0] != f->entries[0] ||
		    e->entries[1] != f->entries[1] || e->items != f->items ||
		    e->item_bytes != f->item_bytes || e->rendered_bytes != f->rendered_bytes ||
		    e->n != f->totals.items || e->totals.bytes != f->totals.bytes) {
			return false;
		}
	}
	return true;
}

static void
survey_begin_walk(struct survey *s, struct walk *w)
{
	buf_clear(&w->prefix);
	w->of = s;
	w->place = 0;
	w->phase = PHASE_ENTRIES;
	w->ended = false;
}

/* Restart both walks from the beginning. */
static void
survey_begin(struct survey *s, bool unordered)
{
	size_t n = 1 + s->s->n_index;

	s->unordered = unordered;
	memset(s->expected, 0, n * sizeof(*s->expected));
	memset(s->found, 0, n * sizeof(*s->found));
	survey_begin_walk(s, &s->items);
	survey_begin_walk(s, &s->rest);
}

static void
survey_walk_both(struct survey *s)
{
	pthread_t thread;
	bool second = !s->items.ended && !s->rest.ended &&
		      thread_start(&thread, survey_walk_rest, &s->rest) == 0;

	if (!s->items.ended) {
		survey_walk_items(&s->items);
	}
	if (second) {
		(void)pthread_join(thread, NULL);
	} else if (!s->rest.ended) {
		(void)survey_walk_rest(&s->rest);
	}
}

/* Return: 0: the table is valid, or counted; CHECK_PAUSED; CHECK_DIFFERS: the sums differ; < 0 */
static int
survey_page(struct survey *s, struct check *k)
{
	s->asks = k->c;
	s->course = COURSE_GO;
	s->items.keys = s->items.bytes = s->rest.keys = s->rest.bytes = 0;
	survey_walk_both(s);
	k->looked += s->items.keys + s->rest.keys;
	int r = survey_take_damage(k, &s->items);

	r = r < 0 ? r : survey_take_damage(k, &s->rest);
	if (r == 0 && call_given_up(k->c)) {
		r = call_fail(k->c, ERR_BUSY, "the caller no longer waits for the answer");
	}
	if (r < 0) {
		return r;
	}
	if (s->course == COURSE_STOP) {
		/* Once damage is known, differences do not stop the next page. */
		return survey_is_damaged(s) ? CHECK_PAUSED : CHECK_DIFFERS;
	}
	if (!s->items.ended || !s->rest.ended) {
		return CHECK_PAUSED;
	}
	if (survey_is_damaged(s) || survey_agrees(s)) {
		return 0;
	}
	if (s->unordered || s->s->n_index == 0) {
		return CHECK_DIFFERS;
	}
	survey_begin(s, true);
	r = check_expect(k, s->s, false);
	if (r < 0) {
		return r;
	}
	assert(s->unordered); /* so this recursion is the last one */
	return k->looked < CHECK_PAGE_KEYS ? survey_page(s, k) : CHECK_PAUSED;
}

/* ------------------------------------------------------------ from page to page */

static void
survey_open_walk(struct survey *s, struct walk *w)
{
	call_open(&w->c, s->call.now_ms, SIZE_MAX);
	w->cursor = kv_cursor_once(s->local->kv, s->at);
}

static void
survey_close_walk(struct walk *w)
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
	survey_close_walk(&s->items);
	survey_close_walk(&s->rest);
	buf_release(&s->passing.key);
	buf_release(&s->passing.body);
	s->local->kv->ops->snapshot_free(s->local->kv, s->at);
	call_close(&s->call);
	free(s);
}

/* Begin a survey of k->s; it takes over the snapshot of @k. */
static struct survey *
survey_new(struct check *k)
{
	assert(k->s != NULL);

	struct survey *s = mem_new(struct survey);

	s->local = k->local;
	call_open(&s->call, k->c->now_ms, SIZE_MAX);
	s->at = check_take_snapshot(k);
	s->s = schema_copy(&s->call.arena, k->s);
	s->expected = arena_new(&s->call.arena, struct sums, 1 + s->s->n_index);
	s->found = arena_new(&s->call.arena, struct sums, 1 + s->s->n_index);
	survey_open_walk(s, &s->items);
	survey_open_walk(s, &s->rest);
	survey_begin(s, false);
	return s;
}

/* Return: the survey @id if it is of the table k->s, else a new one; NULL: the table cannot be surveyed now. */
static struct survey *
survey_find(struct check *k, uint64_t id)
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

static void
survey_count(struct survey *s, struct check *k)
{
	if (survey_is_damaged(s)) {
		survey_tell_readable(s, k);
		return;
	}
	k->items += s->expected[0].n;
	for (size_t i = 1; i <= s->s->n_index; i++) {
		k->entries += s->expected[i].n;
	}
}

int
check_survey(struct check *k, uint64_t *id)
{
	struct survey *s = survey_find(k, *id);
	int r = s == NULL ? CHECK_DIFFERS : survey_page(s, k);

	*id = 0;
	if (r == CHECK_PAUSED) {
		assert(s != NULL);
		*id = surveys_keep(k->local->surveys, s, k->c->now_ms);
		return r;
	}
	if (r == 0) {
		survey_count(s, k);
	}
	survey_free(s);
	if (r == CHECK_DIFFERS) {
		int failed = check_expect(k, k->s, true);

		r = failed < 0 ? failed : r;
	}
	return r;
}

int
check_survey_damaged(struct check *k, uint64_t *id)
{
	struct slice why = check_take_damage(k);
	struct survey *s = survey_new(k);

	survey_keep_damage(s, why);
	*id = surveys_keep(k->local->surveys, s, k->c->now_ms);
	int r = check_expect(k, s->s, false);

	return r < 0 ? r : CHECK_PAUSED;
}
