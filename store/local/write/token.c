/*
 * token - records of idempotency tokens, and the canonical form of requests
 *
 * Canonical form: each text is written after its length, each list after its number of elements. Attributes are sorted
 * by name, set members by value.
 */
#include "store/local/write/token.h"

#include "store/base/text/sha256.h"
#include "store/model/limits.h"

void
token_encode(struct buf *out, const struct token *t)
{
	buf_u64be(out, t->done_ms);
	buf_put(out, t->digest, sizeof(t->digest));
}

int
token_decode(struct call *c, struct slice record, struct token *out)
{
	if (record.len != sizeof(out->done_ms) + sizeof(out->digest)) {
		return call_fail(c, ERR_CORRUPT, "the record of a transaction's token is damaged");
	}
	out->done_ms = slice_be(slice_of(record.at, sizeof(out->done_ms)));
	memcpy(out->digest, record.at + sizeof(out->done_ms), sizeof(out->digest));
	return 0;
}

bool
token_expired(const struct token *t, uint64_t now_ms)
{
	return now_ms >= t->done_ms && now_ms - t->done_ms >= LIMIT_TOKEN_MS;
}

/* ------------------------------------------------------------ canonical form */

/* The order of two pointers to objects that begin with a slice: attributes, or aliases of names. */
static int
token_order(const void *a, const void *b)
{
	return slice_cmp(**(const struct slice *const *)a, **(const struct slice *const *)b);
}

static int
token_member_order(const void *a, const void *b)
{
	return slice_cmp(((const struct value *)a)->text, ((const struct value *)b)->text);
}

static void token_put_value(struct arena *a, struct buf *out, const struct value *v);

static void
token_put_item(struct arena *a, struct buf *out, const struct item *it)
{
	const struct attr **sorted = arena_new(a, const struct attr *, it->n);

	for (size_t i = 0; i < it->n; i++) {
		sorted[i] = &it->at[i];
	}
	qsort(sorted, it->n, sizeof(void *), token_order);
	buf_varint(out, it->n);
	for (size_t i = 0; i < it->n; i++) {
		buf_text(out, sorted[i]->name);
		token_put_value(a, out, &sorted[i]->value);
	}
}

static void
token_put_list(struct arena *a, struct buf *out, const struct values *list, bool is_set)
{
	struct value *members = arena_new(a, struct value, list->n);

	if (list->n > 0) {
		memcpy(members, list->at, list->n * sizeof(*members));
	}
	if (is_set) {
		qsort(members, list->n, sizeof(*members), token_member_order);
	}
	buf_varint(out, list->n);
	for (size_t i = 0; i < list->n; i++) {
		token_put_value(a, out, &members[i]);
	}
}

static void
token_put_value(struct arena *a, struct buf *out, const struct value *v)
{
	buf_char(out, (char)v->type);
	switch (v->type) {
	case VALUE_S:
	case VALUE_N:
	case VALUE_B:
		buf_text(out, v->text);
		break;
	case VALUE_BOOL:
		buf_char(out, v->truth);
		break;
	case VALUE_M:
		token_put_item(a, out, &v->map);
		break;
	case VALUE_L:
	case VALUE_SS:
	case VALUE_NS:
	case VALUE_BS:
		token_put_list(a, out, &v->list, value_is_set(v->type));
		break;
	case VALUE_NULL:
	case VALUE_TYPES:
		break;
	}
}

static void
put_placeholders(struct arena *a, struct buf *out, const struct placeholders *ph)
{
	const struct name_alias **sorted = arena_new(a, const struct name_alias *, ph->n_names);

	for (size_t i = 0; i < ph->n_names; i++) {
		sorted[i] = &ph->names[i];
	}
	qsort(sorted, ph->n_names, sizeof(void *), token_order);
	buf_varint(out, ph->n_names);
	for (size_t i = 0; i < ph->n_names; i++) {
		buf_text(out, sorted[i]->alias);
		buf_text(out, sorted[i]->name);
	}
	token_put_item(a, out, &ph->values);
}

void
token_digest(struct call *c, const struct transact_write_items_in *in, uint8_t digest[SHA256_BYTES])
{
	struct buf form = {.arena = &c->arena};

	buf_varint(&form, in->n_actions);
	for (size_t i = 0; i < in->n_actions; i++) {
		const struct transact_action *a = &in->actions[i];

		buf_char(&form, (char)a->kind);
		buf_char(&form, (char)a->return_on_failure);
		buf_text(&form, a->table);
		token_put_item(&c->arena, &form, &a->item);
		buf_text(&form, a->condition);
		if (a->kind == TRANSACT_UPDATE) {
			buf_text(&form, a->update);
		}
		put_placeholders(&c->arena, &form, &a->ph);
	}
	sha256(buf_view(&form), digest);
}

int
token_dead(struct call *c, struct slice record, uint64_t now_ms, bool *dead)
{
	struct token token = {0};
	int r = token_decode(c, record, &token);

	*dead = r == 0 && token_expired(&token, now_ms);
	return r;
}
