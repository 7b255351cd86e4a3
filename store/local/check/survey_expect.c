/* survey_expect - the walk over a table's items adds up what should be in its indexes and directories */
#include "store/local/check/check_int.h"
#include "store/local/check/item_hash.h"
#include "store/local/check/survey_int.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/limits.h"
#include "store/model/schema.h"

static struct hash128
survey_projected_hash(const struct survey *s, struct passing *p, const struct item *it)
{
	if (s->unordered) {
		return item_hash(&s->key, it);
	}
	buf_clear(&p->body);
	record_body_encode(&p->body, it);
	return hash_keyed(&s->key, buf_view(&p->body));
}

static void
survey_expect_entry(struct walk *w, struct passing *p, size_t place)
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

		content = survey_projected_hash(w->of, p, &projected);
		item_bytes = item_size(&projected);
		rendered = item_json_length(&projected) + 1;
	}
	survey_add_entry(w->of, sums, buf_view(&p->key), content, rendered);
	survey_add_collection(w->of, sums,
			      slice_of(p->key.at, check_collection(s, ix, buf_view(&p->key))), 1,
			      item_bytes, rendered);
	sums->totals.bytes += item_bytes;
}

/* Return: is the item at the cursor sound? */
static bool
survey_expect_of_item(struct walk *w)
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
	survey_add_collection(of, sums, slice_of(key.at, check_collection(s, NULL, key)), 1,
			      p->item_bytes, head.rendered_bytes);
	if (s->n_index > 0) {
		p->content = of->unordered ? item_hash(&of->key, &p->item)
					   : hash_keyed(&of->key, record_body(record));
	}
	for (size_t i = 1; i <= s->n_index; i++) {
		survey_expect_entry(w, p, i);
	}
	return true;
}

void
survey_walk_items(struct walk *w)
{
	survey_walk_keys(w, keyspace_table, NULL, survey_expect_of_item);
	w->ended = w->prefix.len == 0;
}
