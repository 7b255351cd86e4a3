/* survey_walk - passes the keys of a table, a page of them at a time */
#include "store/local/check/survey_int.h"

enum {
	STEP_KEYS = 4096,      /* between two looks whether anybody still waits */
	PAGE_BYTES = 64 << 20, /* of records that one walk passes in a page */
};

void
survey_stop(struct survey *s)
{
	atomic_store(&s->course, COURSE_STOP);
}

static void
survey_pause_both(struct survey *s)
{
	enum course now = COURSE_GO;

	(void)atomic_compare_exchange_strong(&s->course, &now, COURSE_PAUSE);
}

/* Return: go on? */
bool
survey_walk_step(const struct walk *w)
{
	struct survey *s = w->of;

	if (w->keys % STEP_KEYS == 0 && call_given_up(s->asks)) {
		survey_stop(s);
	}
	if (w->keys >= CHECK_PAGE_KEYS || w->bytes >= PAGE_BYTES) {
		survey_pause_both(s);
	}
	return atomic_load_explicit(&s->course, memory_order_relaxed) == COURSE_GO;
}

void
survey_walk_keys(struct walk *w,
		 void (*prefix)(struct buf *, const struct schema *, const struct index *),
		 const struct index *ix, bool (*look)(struct walk *w))
{
	struct kv_cursor *cur = w->cursor;

	if (w->prefix.len == 0) {
		prefix(&w->prefix, w->of->s, ix);
		kv_cursor_seek(cur, buf_view(&w->prefix));
	}
	for (; survey_walk_step(w) && kv_cursor_in(cur, buf_view(&w->prefix));
	     kv_cursor_next(cur)) {
		call_clear(&w->c);
		if (!look(w) && !survey_is_damaged(w->of)) {
			survey_stop(w->of);
			break;
		}
		w->keys++;
		w->bytes += kv_cursor_value(cur).len;
	}
	call_clear(&w->c);
	if (w->damaged) {
		kv_cursor_forget(cur); /* it keeps its first error, which has been told */
	} else {
		w->result = kv_cursor_status(cur, &w->c);
		w->damaged = w->result == -ERR_CORRUPT;
	}
	if (!kv_cursor_in(cur, buf_view(&w->prefix))) {
		buf_clear(&w->prefix);
	}
}

void
survey_add_collection(const struct survey *s, struct sums *sums, struct slice collection,
		      uint64_t items, uint64_t item_bytes, uint64_t rendered_bytes)
{
	/* Without the letter, which is another one in the directory. */
	hash_wide number = hash_keyed(&s->key, slice_skip(collection, 1)).low;

	sums->items += number * items;
	sums->item_bytes += number * item_bytes;
	sums->rendered_bytes += number * rendered_bytes;
}

void
survey_add_entry(const struct survey *s, struct sums *sums, struct slice key,
		 struct hash128 content, uint64_t rendered_bytes)
{
	struct hash128 number =
		hash_join(&s->key, hash_keyed(&s->key, key), content, rendered_bytes);

	sums->n++;
	sums->entries[0] += number.low;
	sums->entries[1] += number.high;
}
