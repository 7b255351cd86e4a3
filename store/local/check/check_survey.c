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
 * A damaged file ends the comparison, but not the walks: what can be read is counted (survey.c).
 *
 * A page ends when one of the walks has passed as many keys as fit it; the other one, which may be faster
 * or slower, stops where it is (survey.h).
 */
#include <stdlib.h>
#include <sys/random.h>

#include "store/base/core/mem.h"
#include "store/base/core/thread.h"
#include "store/local/check/check_int.h"
#include "store/local/check/survey.h"
#include "store/local/check/survey_int.h"
#include "store/model/schema.h"

static bool
survey_same_sums(const struct sums *a, const struct sums *b)
{
	return a->n == b->n && a->entries[0] == b->entries[0] && a->entries[1] == b->entries[1] &&
	       a->items == b->items && a->item_bytes == b->item_bytes &&
	       a->rendered_bytes == b->rendered_bytes;
}

/* ------------------------------------------------------------ both */

static bool
survey_agrees(const struct survey *s)
{
	for (size_t i = 0; i <= s->s->n_index; i++) {
		const struct sums *e = &s->expected[i];
		struct sums f = s->found[i];

		if (i == 0) {
			f.n = e->n; /* items are walked over once */
		}
		if (!survey_same_sums(e, &f) || f.totals.items != e->n ||
		    f.totals.bytes != e->totals.bytes) {
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

/* Both walks from the beginning. */
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

/* Return: CHECK_END: the table is whole, or counted; CHECK_PAUSED; CHECK_MORE: it is not whole; < 0 */
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
		r = call_fail(k->c, ERR_BUSY, "nobody waits for the answer");
	}
	if (r < 0) {
		return r;
	}
	if (s->course == COURSE_STOP) {
		/* With damage nothing stops the next page. */
		return survey_is_damaged(s) ? CHECK_PAUSED : CHECK_MORE;
	}
	if (!s->items.ended || !s->rest.ended) {
		return CHECK_PAUSED;
	}
	if (survey_is_damaged(s) || survey_agrees(s)) {
		return CHECK_END;
	}
	if (s->unordered || s->s->n_index == 0) {
		return CHECK_MORE;
	}
	survey_begin(s, true);
	r = check_expect(k, s->s, false);
	if (r < 0) {
		return r;
	}
	/* As it is unordered by now, this is the last time. */
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
	survey_open_walk(s, &s->items);
	survey_open_walk(s, &s->rest);
	survey_begin(s, false);
	return s;
}

/* The one that was begun, of the table that has this name by now, or a new one; NULL: the table has none. */
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
	int r = s == NULL ? CHECK_MORE : survey_page(s, k);

	*id = 0;
	if (r == CHECK_PAUSED) {
		*id = surveys_keep(k->local->surveys, s, k->c->now_ms);
		return r;
	}
	if (r == CHECK_END) {
		survey_count(s, k);
	}
	survey_free(s);
	if (r == CHECK_MORE) {
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
