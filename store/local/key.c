/*
 * key - between the attributes that a request names and the values of keyspace.h
 *
 * Above it: operations on one item, ExclusiveStartKey, LastEvaluatedKey.  It
 * knows schemas and keyspace.h, no records and no kv.
 */
#include "store/local/key.h"

#include "store/model/limits.h"

static int
check_filled(struct call *c, const struct key_attr *attr, const struct value *v)
{
	if (v->text.len == 0) {
		return fail_empty_key(c, "", NULL, attr);
	}
	return 0;
}

int
key_check(struct call *c, const struct key_schema *k, const struct value *pk,
	  const struct value *sk)
{
	int r = check_filled(c, &k->pk, pk);

	if (r == 0 && sk != NULL) {
		r = check_filled(c, &k->sk, sk);
	}
	if (r < 0) {
		return r;
	}
	if (pk->text.len > LIMIT_PK_BYTES && pk->type != VALUE_N) {
		return call_fail(c, ERR_KEY_TOO_LONG,
				 "One or more parameter values were invalid: Size of hashkey has "
				 "exceeded the maximum size limit of%d bytes",
				 LIMIT_PK_BYTES);
	}
	if (sk != NULL && sk->text.len > LIMIT_SK_BYTES && sk->type != VALUE_N) {
		return call_fail(c, ERR_KEY_TOO_LONG,
				 "One or more parameter values were invalid: Aggregated size of "
				 "all range keys has exceeded the size limit of %d bytes",
				 LIMIT_SK_BYTES);
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
	size_t n = key_schema_has_sort(k) ? 2 : 1;

	*out = (struct key_values){0};
	if (key->n != n || key_from_item(k, key, &out->pk, &out->sk) != 0) {
		return key_mismatch(c);
	}
	return key_check(c, k, out->pk, out->sk);
}

static void
add_attribute(const struct key_attr **list, size_t *n, const struct key_attr *attr)
{
	for (size_t i = 0; i < *n; i++) {
		if (slice_eq(list[i]->name, attr->name)) {
			return;
		}
	}
	list[(*n)++] = attr;
}

size_t
key_attributes(const struct schema *s, const struct index *ix, const struct key_attr **out)
{
	size_t n = 0;

	add_attribute(out, &n, &s->key.pk);
	if (key_schema_has_sort(&s->key)) {
		add_attribute(out, &n, &s->key.sk);
	}
	if (ix != NULL) {
		add_attribute(out, &n, &ix->key.pk);
		if (key_schema_has_sort(&ix->key)) {
			add_attribute(out, &n, &ix->key.sk);
		}
	}
	return n;
}

static void
add_value(struct item *it, const struct key_attr *attr, const struct value *v)
{
	if (v->text.len > 0 && item_get(it, attr->name) == NULL) {
		it->at[it->n++] = (struct attr){.name = attr->name, .value = *v};
	}
}

struct item
key_to_item(struct call *c, const struct schema *s, const struct index *ix,
	    const struct key_parts *parts)
{
	struct item it = {.at = arena_new(&c->arena, struct attr, KEY_ATTRIBUTES_MAX)};

	add_value(&it, &s->key.pk, ix == NULL ? &parts->pk : &parts->base_pk);
	add_value(&it, &s->key.sk, ix == NULL ? &parts->sk : &parts->base_sk);
	if (ix != NULL) {
		add_value(&it, &ix->key.pk, &parts->pk);
		add_value(&it, &ix->key.sk, &parts->sk);
	}
	return it;
}

static bool
fits(const struct value *v, size_t max)
{
	return v == NULL || v->type == VALUE_N || (v->text.len > 0 && v->text.len <= max);
}

int
key_of_place(struct buf *out, const struct schema *s, const struct index *ix,
	     const struct item *place)
{
	const struct key_attr *attrs[KEY_ATTRIBUTES_MAX];
	struct key_values k = {0};
	int absent;

	if (ix == NULL) {
		absent = key_from_item(&s->key, place, &k.pk, &k.sk);
	} else {
		absent = key_from_item(&s->key, place, &k.base_pk, &k.base_sk);
		absent |= key_from_item(&ix->key, place, &k.pk, &k.sk);
	}
	if (absent != 0 || place->n != key_attributes(s, ix, attrs) ||
	    !fits(k.pk, LIMIT_PK_BYTES) || !fits(k.sk, LIMIT_SK_BYTES) ||
	    !fits(k.base_pk, LIMIT_PK_BYTES) || !fits(k.base_sk, LIMIT_SK_BYTES)) {
		return 1;
	}
	keyspace_item(out, s, ix, &k);
	return 0;
}

/* A request names at most some hundred items, so they are compared one by one. */
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
