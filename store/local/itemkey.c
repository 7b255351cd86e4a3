/* itemkey - DynamoDB's sentences about keys of items; keyspace.c makes bytes of what passed here */
#include "store/local/itemkey.h"

#include "store/local/key.h"

static int
item_attr(struct call *c, const struct key_attr *a, const struct item *it, const struct value **out)
{
	const struct value *v = item_get(it, a->name);

	if (v == NULL) {
		return call_fail(c, ERR_VALIDATION,
				 "One or more parameter values were invalid: Missing the key %.*s "
				 "in the item",
				 SLICE_ARG(a->name));
	}
	if (v->type != a->type) {
		return call_fail(c, ERR_VALIDATION,
				 "One or more parameter values were invalid: Type mismatch for key "
				 "%.*s expected: %s actual: %s",
				 SLICE_ARG(a->name), value_type_name(a->type),
				 value_type_name(v->type));
	}
	*out = v;
	return 0;
}

int
itemkey_of_table(struct call *c, const struct schema *s, const struct item *it,
		 struct key_values *out)
{
	*out = (struct key_values){0};
	int r = item_attr(c, &s->key.pk, it, &out->pk);

	if (r == 0 && key_schema_has_sort(&s->key)) {
		r = item_attr(c, &s->key.sk, it, &out->sk);
	}
	return r < 0 ? r : key_check(c, &s->key, out->pk, out->sk);
}

static int
wrong_type(struct call *c, const struct index *ix, const struct key_attr *a, enum value_type actual)
{
	return call_fail(c, ERR_VALIDATION,
			 "One or more parameter values were invalid: Type mismatch for Index Key "
			 "%.*s Expected: %s Actual: %s IndexName: %.*s",
			 SLICE_ARG(a->name), value_type_name(a->type), value_type_name(actual),
			 SLICE_ARG(ix->name));
}

static int
entry_attr(struct call *c, const struct index *ix, const struct key_attr *a, const struct item *it,
	   const struct value **out)
{
	const struct value *v = item_get(it, a->name);

	*out = v;
	if (v == NULL) {
		return 0;
	}
	if (v->type != a->type) {
		return wrong_type(c, ix, a, v->type);
	}
	if (v->text.len == 0) {
		return fail_empty_key(c, "", ix, a);
	}
	return 0;
}

int
itemkey_of_index(struct call *c, const struct index *ix, const struct item *it,
		 const struct key_values *base, struct key_values *out)
{
	bool has_sort = key_schema_has_sort(&ix->key);

	*out = (struct key_values){.base_pk = base->pk, .base_sk = base->sk};
	int r = entry_attr(c, ix, &ix->key.pk, it, &out->pk);

	if (r == 0 && has_sort) {
		r = entry_attr(c, ix, &ix->key.sk, it, &out->sk);
	}
	if (r < 0) {
		return r;
	}
	if (out->pk == NULL || (has_sort && out->sk == NULL)) {
		return 1;
	}
	return key_check(c, &ix->key, out->pk, out->sk);
}

/* ------------------------------------------------------------ updates */

static int
update_attr(struct call *c, const struct index *ix, const struct key_attr *a,
	    const struct expr_update *u)
{
	enum value_type type;
	enum update_effect effect = expr_update_effect(u, a->name, &type);

	if (effect == UPDATES_PART) {
		return call_fail(c, ERR_VALIDATION,
				 "Key attributes must be scalars; list random access '[]' and map "
				 "lookup '.' are not allowed: IndexKey: %.*s",
				 SLICE_ARG(a->name));
	}
	return type == VALUE_TYPES || type == a->type ? 0 : wrong_type(c, ix, a, type);
}

int
itemkey_check_update(struct call *c, const struct index *ix, const struct expr_update *u)
{
	int r = update_attr(c, ix, &ix->key.pk, u);

	return r < 0 || !key_schema_has_sort(&ix->key) ? r : update_attr(c, ix, &ix->key.sk, u);
}

static int
updated_attr(struct call *c, const struct key_attr *a, const struct expr_update *u,
	     const struct item *it)
{
	enum value_type type;
	const struct value *v = item_get(it, a->name);

	if (v == NULL || expr_update_effect(u, a->name, &type) == UPDATES_NOTHING) {
		return 0;
	}
	if (v->type != a->type) {
		return call_fail(c, ERR_VALIDATION,
				 "The update expression attempted to update the secondary index "
				 "key to unsupported type");
	}
	if (v->text.len == 0) {
		return call_fail(c, ERR_VALIDATION,
				 "One or more parameter values are not valid. The update "
				 "expression attempted to update a secondary index key to a value "
				 "that is not supported. The AttributeValue for a key attribute "
				 "cannot contain an empty %s value.",
				 v->type == VALUE_B ? "binary" : "string");
	}
	return 0;
}

int
itemkey_check_updated(struct call *c, const struct index *ix, const struct expr_update *u,
		      const struct item *it)
{
	struct key_values k;
	int r = updated_attr(c, &ix->key.pk, u, it);

	if (r == 0 && key_schema_has_sort(&ix->key)) {
		r = updated_attr(c, &ix->key.sk, u, it);
	}
	if (r < 0 || key_from_item(&ix->key, it, &k.pk, &k.sk) != 0) {
		return r;
	}
	return key_check(c, &ix->key, k.pk, k.sk);
}
