/* survey_found - the walk over a table's entries, directories and totals adds up what is there */
#include "store/local/check/item_hash.h"
#include "store/local/check/survey_int.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"

static struct sums *
survey_found_sums(const struct walk *w)
{
	return &w->of->found[w->place];
}

/* Return: can it be read? */
static bool
survey_found_entry(struct walk *w)
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
	survey_add_entry(s, survey_found_sums(w), key, content, head.rendered_bytes);
	return true;
}

static bool
survey_found_collection(struct walk *w)
{
	struct kv_cursor *cur = w->cursor;
	struct sums *sums = survey_found_sums(w);
	struct record_counts n;

	if (record_counts_decode(&w->c, kv_cursor_value(cur), &n) != 0 || n.items == 0) {
		return false;
	}
	survey_add_collection(w->of, sums, kv_cursor_key(cur), n.items, n.item_bytes,
			      n.rendered_bytes);
	sums->totals.partitions++;
	return true;
}

static void
survey_compare_totals(struct walk *w, const struct index *ix)
{
	struct survey *s = w->of;
	struct sums *sums = survey_found_sums(w);
	struct totals stored = {0};
	struct buf key;
	struct buf record;

	call_clear(&w->c);
	buf_init(&key, &w->c.arena);
	buf_init(&record, &w->c.arena);
	keyspace_totals(&key, s->s, ix);
	int r = kv_get(s->local->kv, &w->c, s->at, buf_view(&key), &record);

	w->result = r < 0 ? r : 0;
	sums->totals_lost =
		r < 0 || (r == 0 && record_totals_decode(&w->c, buf_view(&record), &stored) != 0);
	if ((sums->totals_lost || stored.partitions != sums->totals.partitions) &&
	    !survey_is_damaged(s)) {
		survey_stop(s);
	}
	sums->totals = stored;
}

/* A phase of a place, or as much of it as fits the page. */
static void
survey_walk_phase(struct walk *w, const struct index *ix)
{
	if (w->phase == PHASE_ENTRIES && ix != NULL) {
		survey_walk_keys(w, keyspace_table, ix, survey_found_entry);
	} else if (w->phase == PHASE_DIRECTORY) {
		survey_walk_keys(w, keyspace_partitions, ix, survey_found_collection);
	} else if (w->phase == PHASE_TOTALS) {
		survey_compare_totals(w, ix);
	}
	if (w->prefix.len == 0 && ++w->phase == PHASES) {
		w->phase = PHASE_ENTRIES;
		w->place++;
	}
}

/* The table, then each index: entries, directory, totals. */
void *
survey_walk_rest(void *arg)
{
	struct walk *w = arg;
	const struct schema *s = w->of->s;

	while (w->place <= s->n_index && w->result == 0 && survey_walk_step(w)) {
		const struct index *ix = w->place == 0 ? NULL : &s->index[w->place - 1];

		if (ix != NULL && ix->state == INDEX_DELETING) {
			w->place++;
		} else {
			survey_walk_phase(w, ix);
		}
	}
	w->ended = w->place > s->n_index;
	return NULL;
}
