/*
 * plan - conversion of a key condition to a half-open run of LevelDB keys
 *
 * expr_key_condition() makes the condition; read_page.c reads the run.
 *
 * Let E(x) = esc(x) 00 01. P is the collection's prefix, followed by E(x) of each sort attribute that comes before the
 * last one with a condition.
 *
 *   none          [P, after P)
 *   = a           [P E(a), after P E(a))
 *   < a           [P, P E(a))
 *   <= a          [P, after P E(a))
 *   > a           [after P E(a), after P)
 *   >= a          [P E(a), after P)
 *   between a, b  [P E(a), after P E(b)); an open end as with > a, < b; empty if a is greater than b
 *   begins a      [P esc(a), after P esc(a))
 *
 * In the key of an index entry, E(a) is followed by further sort attributes and by the table's key, so "= a" is a run
 * there, too.
 */
#include "store/local/read/plan.h"

#include "store/local/records/key.h"
#include "store/local/records/keyspace.h"
#include "store/model/item.h"
#include "store/model/schema.h"

static struct slice
sorted(struct call *c, struct slice prefix, const struct value *sk, bool closed)
{
	struct buf b = {.arena = &c->arena};

	buf_slice(&b, prefix);
	keyspace_sort(&b, sk, closed);
	return buf_view(&b);
}

void
plan_whole(struct call *c, const struct schema *s, const struct index *ix, struct plan *out)
{
	struct slice all = keyspace_head(&c->arena, KEYSPACE_ITEM, s, ix);

	*out = (struct plan){
		.schema = s, .ix = ix, .lo = all, .hi = keyspace_after(&c->arena, all)};
}

void
plan_collection(struct call *c, const struct schema *s, const struct index *ix,
		const struct keycond *k, struct plan *out)
{
	struct slice all = keyspace_item(&c->arena, s, ix, &k->equal);
	struct slice from = all;
	struct slice to = all; /* the last prefix in the run */

	*out = (struct plan){.schema = s, .ix = ix};
	switch (k->op) {
	case KEYCOND_NONE:
		break;
	case KEYCOND_EQ:
		from = to = sorted(c, all, k->a, true);
		break;
	case KEYCOND_LT:
		out->hi = sorted(c, all, k->a, true);
		break;
	case KEYCOND_LE:
		to = sorted(c, all, k->a, true);
		break;
	case KEYCOND_GT:
		from = keyspace_after(&c->arena, sorted(c, all, k->a, true));
		break;
	case KEYCOND_GE:
		from = sorted(c, all, k->a, true);
		break;
	case KEYCOND_BETWEEN:
		from = sorted(c, all, k->a, true);
		to = sorted(c, all, k->b, true);
		if (k->open_a) {
			from = keyspace_after(&c->arena, from);
		}
		if (k->open_b) {
			out->hi = to;
		}
		break;
	case KEYCOND_BEGINS_WITH:
		from = to = sorted(c, all, k->a, false);
		break;
	}
	out->lo = from;
	if (out->hi.len == 0) {
		out->hi = keyspace_after(&c->arena, to);
	}
}

/* Whether @start satisfies the conditions on sort attributes, with any partition key. */
static bool
meets(struct call *c, const struct plan *p, const struct keycond *k, const struct item *start)
{
	const struct key_schema *key = schema_key(p->schema, p->ix);
	struct item moved = item_copy(&c->arena, start);
	struct buf b = {.arena = &c->arena};

	for (size_t i = 0; i < key_part_n(key->pk); i++) {
		for (size_t j = 0; j < moved.n; j++) {
			if (slice_eq(moved.at[j].name, key->pk[i].name)) {
				moved.at[j].value = *k->equal.at[i];
			}
		}
	}
	return key_of_place(&b, p->schema, p->ix, &moved) == 0 &&
	       slice_cmp(buf_view(&b), p->lo) >= 0 && slice_cmp(buf_view(&b), p->hi) < 0;
}

/* Fail with the reason why @start is outside the run: another collection, or the sort condition. */
static int
outside(struct call *c, const struct plan *p, const struct keycond *k, const struct item *start)
{
	size_t n_pk = key_part_n(schema_key(p->schema, p->ix)->pk);

	if (k->op == KEYCOND_NONE && k->equal.n == n_pk) {
		return call_fail(c, ERR_VALIDATION,
				 "The provided starting key is outside query boundaries based on "
				 "provided conditions");
	}
	return call_fail(c, ERR_VALIDATION,
			 meets(c, p, k, start)
				 ? "The query can return at most one row and cannot be restarted"
				 : "The provided starting key does not match the range key "
				   "predicate");
}

/* Whether a key attribute of the table is missing or has another type. */
static bool
mistyped(const struct plan *p, const struct item *start)
{
	for (size_t i = 0; i < KEY_ATTRS_MAX; i++) {
		const struct key_attr *a = key_slot(&p->schema->key, i);
		const struct value *v = a->name.len == 0 ? NULL : item_get(start, a->name);

		if (a->name.len > 0 && (v == NULL || v->type != a->type)) {
			return true;
		}
	}
	return false;
}

/* Fail with the reason why @start is invalid; the message names an attribute whose value is empty. */
static int
invalid(struct call *c, const struct plan *p, const struct keycond *k, const struct item *start)
{
	const struct key_attr *attrs[KEY_VALUES_MAX];
	size_t n = key_attributes(p->schema, p->ix, attrs);

	for (size_t i = 0; i < n; i++) {
		const struct value *v = item_get(start, attrs[i]->name);

		if (start->n == n && v != NULL && v->type == attrs[i]->type && v->text.len == 0) {
			bool own = key_schema_has(&p->schema->key, attrs[i]->name);

			return fail_empty_key(c, "The provided starting key is invalid: ",
					      own ? NULL : p->ix, attrs[i]);
		}
	}
	return call_fail(c, ERR_VALIDATION, "The provided starting key is invalid%s",
			 (k == NULL || (start->n == n && mistyped(p, start)))
				 ? ": The provided key element does not match the schema"
				 : "");
}

int
plan_start(struct call *c, struct plan *p, const struct keycond *k, const struct item *start)
{
	struct buf b = {.arena = &c->arena};

	if (key_of_place(&b, p->schema, p->ix, start) != 0) {
		return invalid(c, p, k, start);
	}
	struct slice key = buf_view(&b);

	if (k != NULL && (slice_cmp(key, p->lo) < 0 || slice_cmp(key, p->hi) >= 0)) {
		return outside(c, p, k, start);
	}
	if (p->backward) {
		p->hi = key;
	} else {
		buf_char(&b, 0); /* the smallest key after it */
		p->lo = buf_view(&b);
	}
	return 0;
}

/* ------------------------------------------------------------ FNV-1a with a finalizer */

static const uint64_t FNV_OFFSET = UINT64_C(0xcbf29ce484222325);
static const uint64_t FNV_PRIME = UINT64_C(0x100000001b3);

uint32_t
segment_of(struct slice partition, uint32_t total)
{
	uint64_t h = FNV_OFFSET;

	assert(total > 0);
	for (size_t i = 0; i < partition.len; i++) {
		h = (h ^ (unsigned char)partition.at[i]) * FNV_PRIME;
	}
	h ^= h >> 33;
	h *= UINT64_C(0xff51afd7ed558ccd);
	h ^= h >> 33;
	return (uint32_t)(((h >> 32) * total) >> 32);
}
