/*
 * view - see view.h
 *
 * commit.c and file.c read and check texts; file_read.c and place_stat.c render items. This file knows
 * neither paths nor the engine.
 */
#include "fs/format/view.h"

#include "store/base/core/utf8.h"
#include "store/base/text/json.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/limits.h"
#include "store/model/schema.h"
#include "store/model/value.h"

/* ------------------------------------------------------------ rendering */

void
view_render(struct buf *out, const struct schema *s, struct view_form form, const struct item *it)
{
	enum item_form typed = form.typed ? ITEM_TYPED : ITEM_PLAIN;
	struct arena scratch;

	arena_init(&scratch, SIZE_MAX);
	struct item ordered = item_key_first(&scratch, &s->key, it);

	if (form.pretty) {
		item_put_pretty(out, &ordered, typed);
	} else {
		item_put_json(out, &ordered, typed);
	}
	buf_char(out, '\n');
	arena_drop(&scratch);
}

/* ------------------------------------------------------------ reading */

static int
demand_key(struct call *c, const struct key_attr *k, const struct item *it)
{
	const struct value *v = item_get(it, k->name);

	if (v == NULL) {
		return call_fail(
			c, ERR_VALIDATION,
			"One of the required keys was not given a value: the attribute %.*s "
			"is missing in the text and cannot be taken from a shortened name",
			SLICE_ARG(k->name));
	}
	return 0;
}

/* A sentence about a value that the path replaces; empty: none. */
static struct slice
view_replaced(struct call *c, const struct key_attr *k, const struct item *given,
	      const struct item *key)
{
	const struct value *text = item_get(given, k->name);
	const struct value *path = item_get(key, k->name);
	struct buf b;

	if (text == NULL || path == NULL || value_eq(text, path)) {
		return SLICE("");
	}
	buf_init(&b, &c->arena);
	buf_fmt(&b, "stored with %.*s ", SLICE_ARG(k->name));
	value_put_json(&b, path, ITEM_PLAIN);
	buf_str(&b, ", as the path says; the text has ");
	value_put_json(&b, text, ITEM_PLAIN);
	return buf_view(&b);
}

int
view_read(struct call *c, const struct schema *s, struct slice text, const struct item *key,
	  struct item *out, struct slice *replaced)
{
	const struct json *json;
	struct item given = {0};

	text = utf8_past_mark(text);
	if (text.len > 0) {
		int r = json_parse(c, text, JSON_STRICT, &json);

		if (r < 0) {
			return r;
		}
		r = item_from_json(c, json, &given);
		if (r < 0) {
			return r;
		}
	}
	const struct key_attr *parts[] = {s->key.pk, s->key.sk};
	size_t n = 1 + key_schema_has_sort(&s->key);
	int r = 0;

	*replaced = SLICE("");
	for (size_t i = 0; i < n && r == 0; i++) {
		const struct value *v = item_get(&given, parts[i]->name);

		/* Another value than the path's is replaced; another type is an error. */
		r = v == NULL ? 0 : schema_check_value(c, NULL, parts[i], v);
	}
	for (size_t i = 0; i < n && r == 0 && replaced->len == 0; i++) {
		*replaced = view_replaced(c, parts[i], &given, key);
	}
	*out = item_with_key(&c->arena, &s->key, &given, key);
	for (size_t i = 0; i < n && r == 0; i++) {
		r = demand_key(c, parts[i], out);
	}
	return r;
}

/* ------------------------------------------------------------ checking */

/* The attributes of a partition key or sort key, as far as the item has them; @index is NULL for the table's own key. */
static int
view_check_part(struct call *c, const struct index *index, const struct key_attr part[KEY_PART_MAX],
		size_t max, const struct item *it)
{
	size_t bytes = 0;
	int r = 0;

	for (size_t i = 0; i < key_part_n(part) && r == 0; i++) {
		const struct value *v = item_get(it, part[i].name);

		if (v != NULL) {
			r = schema_check_value(c, index, &part[i], v);
			bytes += v->text.len;
		}
	}
	if (r == 0 && bytes > max) {
		return call_fail(
			c, ERR_KEY_TOO_LONG,
			"One or more parameter values were invalid: Size of %s has exceeded "
			"the maximum size limit of %zu bytes",
			max == LIMIT_PK_BYTES ? "hashkey" : "rangekey", max);
	}
	return r;
}

static int
check_keys(struct call *c, const struct index *index, const struct key_schema *k,
	   const struct item *it)
{
	int r = view_check_part(c, index, k->pk, LIMIT_PK_BYTES, it);

	return r < 0 ? r : view_check_part(c, index, k->sk, LIMIT_SK_BYTES, it);
}

int
view_check(struct call *c, const struct schema *s, const struct item *it)
{
	int r = item_check(c, it);

	if (r < 0) {
		return r;
	}
	r = check_keys(c, NULL, &s->key, it);
	for (size_t i = 0; r == 0 && i < s->n_index; i++) {
		if (s->index[i].state != INDEX_DELETING) {
			r = check_keys(c, &s->index[i], &s->index[i].key, it);
		}
	}
	return r == 0 && item_size(it) > LIMIT_ITEM_BYTES ? item_fail_size(c) : r;
}
