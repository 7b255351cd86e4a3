/*
 * key - conversion between the key attributes in a request and the values of keyspace.h
 *
 * Operations on one item, ExclusiveStartKey and LastEvaluatedKey use it. It depends on schemas and keyspace.h, and
 * neither on records nor on the kv.
 */
#include "store/local/records/key.h"

#include "store/local/records/keyspace.h"
#include "store/model/item.h"
#include "store/model/limits.h"
#include "store/model/schema.h"

/* Number of values of one part of a key, and their bytes that count for its limit. Numbers are always shorter. */
struct measure {
	size_t n;
	size_t bytes;
};

/* Measure the values up to the first one that is empty.  Return: true if none is empty */
static bool
measure(const struct key_attr part[KEY_PART_MAX], const struct value *const *v, struct measure *out)
{
	*out = (struct measure){0};
	for (; out->n < KEY_PART_MAX && part[out->n].name.len > 0; out->n++) {
		const struct value *value = v[out->n];

		if (value->text.len == 0) {
			return false;
		}
		out->bytes += value->type == VALUE_N ? 0 : value->text.len;
	}
	return true;
}

int
key_check(struct call *c, const struct key_schema *k, const struct key_values *v)
{
	struct measure pk;
	struct measure sk;

	if (!measure(k->pk, v->at, &pk)) {
		return fail_empty_key(c, "", NULL, &k->pk[pk.n]);
	}
	if (!measure(k->sk, v->at + pk.n, &sk)) {
		return fail_empty_key(c, "", NULL, &k->sk[sk.n]);
	}
	if (pk.bytes > LIMIT_PK_BYTES) {
		return call_fail(c, ERR_KEY_TOO_LONG,
				 "One or more parameter values were invalid: Size of hashkey has "
				 "exceeded the maximum size limit of%d bytes",
				 LIMIT_PK_BYTES);
	}
	if (sk.bytes > LIMIT_SK_BYTES) {
		return call_fail(c, ERR_KEY_TOO_LONG,
				 "One or more parameter values were invalid: Aggregated size of "
				 "all range keys has exceeded the size limit of %d bytes",
				 LIMIT_SK_BYTES);
	}
	return 0;
}

int
key_check_filled(struct call *c, const struct key_schema *k, const struct item *it)
{
	for (size_t i = 0; i < KEY_ATTRS_MAX; i++) {
		const struct key_attr *a = key_slot(k, i);
		const struct value *v = a->name.len == 0 ? NULL : item_get(it, a->name);

		if (v != NULL && v->type == a->type && v->text.len == 0) {
			return fail_empty_key(c, "", NULL, a);
		}
	}
	return 0;
}

int
key_mismatch(struct call *c)
{
	return call_fail(c, ERR_VALIDATION, "The provided key element does not match the schema");
}

int
key_from_request(struct call *c, const struct key_schema *k, const struct item *key,
		 struct key_values *out)
{
	out->n = 0;
	if (key_from_item(k, key, out) != 0 || key->n != out->n) {
		return key_mismatch(c);
	}
	return key_check(c, k, out);
}

static bool
lists(const struct key_attr *const *list, size_t n, struct slice name)
{
	for (size_t i = 0; i < n; i++) {
		if (slice_eq(list[i]->name, name)) {
			return true;
		}
	}
	return false;
}

size_t
key_attributes(const struct schema *s, const struct index *ix,
	       const struct key_attr *out[KEY_VALUES_MAX])
{
	size_t all = schema_place(s, ix, out);
	size_t n = 0;

	for (size_t i = 0; i < all; i++) {
		if (!lists(out, n, out[i]->name)) {
			out[n++] = out[i];
		}
	}
	return n;
}

/* The table's attributes come first, as in DynamoDB. */
struct item
key_to_item(struct call *c, const struct schema *s, const struct index *ix,
	    const struct values *values)
{
	const struct key_attr *attrs[KEY_VALUES_MAX];
	struct item it = {.at = arena_new(&c->arena, struct attr, KEY_VALUES_MAX)};
	size_t n = schema_place(s, ix, attrs);
	size_t own = ix == NULL ? 0 : key_schema_n(&ix->key);

	for (size_t i = 0; i < n; i++) {
		size_t k = (own + i) % n;

		if (k < values->n && item_get(&it, attrs[k]->name) == NULL) {
			it.at[it.n++] = (struct attr){attrs[k]->name, values->at[k]};
		}
	}
	return it;
}

/* Whether the values of a key, which begin at @v, are neither empty nor too long. */
static bool
key_fits(const struct key_schema *k, const struct value *const *v)
{
	struct measure pk;
	struct measure sk;

	return measure(k->pk, v, &pk) && pk.bytes <= LIMIT_PK_BYTES &&
	       measure(k->sk, v + pk.n, &sk) && sk.bytes <= LIMIT_SK_BYTES;
}

int
key_of_place(struct buf *out, const struct schema *s, const struct index *ix,
	     const struct item *place)
{
	const struct key_attr *attrs[KEY_VALUES_MAX];
	struct key_values k = {.n = 0};

	if (ix != NULL && key_from_item(&ix->key, place, &k) != 0) {
		return 1;
	}
	size_t own = k.n;

	if (key_from_item(&s->key, place, &k) != 0 || place->n != key_attributes(s, ix, attrs) ||
	    (ix != NULL && !key_fits(&ix->key, k.at)) || !key_fits(&s->key, k.at + own)) {
		return 1;
	}
	buf_slice(out, keyspace_item(out->arena, s, ix, &k));
	return 0;
}

static int
key_check_part(struct call *c, const struct key_attr *part, const struct item *place)
{
	size_t n = key_part_n(part);
	bool fits = true;

	for (size_t i = 0; i < n; i++) {
		const struct value *v = item_get(place, part[i].name);

		if (v == NULL) {
			return call_fail(c, ERR_VALIDATION, "The provided starting key is invalid");
		}
		fits = fits && v->type == part[i].type;
	}
	return fits ? 0 : key_mismatch(c);
}

int
key_check_place(struct call *c, const struct schema *s, const struct index *ix,
		const struct item *place)
{
	const struct key_attr *attrs[KEY_VALUES_MAX];

	return place->n == key_attributes(s, ix, attrs)
		       ? key_check_part(c, schema_key(s, ix)->pk, place)
		       : call_fail(c, ERR_VALIDATION, "The provided starting key is invalid");
}

int
key_check_place_sort(struct call *c, const struct key_schema *queried, const struct item *place)
{
	return key_check_part(c, queried->sk, place);
}

/* Compare all pairs of keys: a request has at most about a hundred. */
static bool
key_repeats(const struct slice *keys, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < i; k++) {
			if (slice_eq(keys[i], keys[k])) {
				return true;
			}
		}
	}
	return false;
}

int
key_check_distinct(struct call *c, const struct slice *keys, size_t n)
{
	return key_repeats(keys, n) ? call_fail(c, ERR_VALIDATION,
						"Provided list of item keys contains duplicates")
				    : 0;
}

int
key_check_actions(struct call *c, const struct slice *keys, size_t n)
{
	return key_repeats(keys, n) ? call_fail(c, ERR_VALIDATION,
						"Transaction request cannot include multiple "
						"operations on one item")
				    : 0;
}
