/* itemkey - checks of key attributes with DynamoDB's messages; keyspace.c encodes keys that passed them */
#include "store/local/records/itemkey.h"

#include "store/expr/expr.h"
#include "store/local/records/key.h"
#include "store/model/item.h"
#include "store/model/schema.h"
#include "store/model/value.h"

static int
item_attr(struct call *c, const struct key_attr *a, const struct item *it, struct key_values *out)
{
	const struct value *v = item_get(it, a->name);

	if (v == NULL) {
		return call_fail(c, ERR_VALIDATION,
				 "One or more parameter values were invalid: Missing the key %.*s "
				 "in the item",
				 SLICE_ARG(a->name));
	}
	out->at[out->n++] = v;
	return v->type == a->type ? 0 : fail_key_type(c, NULL, a, v->type);
}

int
itemkey_of_table(struct call *c, const struct schema *s, const struct item *it,
		 struct key_values *out)
{
	out->n = 0;
	int r = item_attr(c, s->key.pk, it, out);

	if (r == 0 && key_schema_has_sort(&s->key)) {
		r = item_attr(c, s->key.sk, it, out);
	}
	return r < 0 ? r : key_check(c, &s->key, out);
}

int
itemkey_of_index(struct call *c, const struct index *ix, const struct item *it,
		 const struct key_values *base, struct key_values *out)
{
	int r = 0;

	out->n = 0;
	for (size_t i = 0; i < KEY_ATTRS_MAX && r == 0; i++) {
		const struct key_attr *a = key_slot(&ix->key, i);
		const struct value *v = a->name.len == 0 ? NULL : item_get(it, a->name);

		if (v != NULL) {
			r = schema_check_value(c, ix, a, v);
			out->at[out->n++] = v;
		}
	}
	if (r < 0) {
		return r;
	}
	if (out->n < key_schema_n(&ix->key)) {
		return 1;
	}
	key_append(out, base);
	return key_check(c, &ix->key, out);
}

/* ------------------------------------------------------------ updates */

static int
update_attr(struct call *c, const struct index *ix, const struct key_attr *a,
	    const struct expr_update *u)
{
	enum value_type type;
	enum update_effect effect = expr_update_effect(u, a->name, &type);

	if (effect == UPDATES_PART) {
		return expr_fail_scalar(c, false, a->name);
	}
	return type == VALUE_TYPES || type == a->type ? 0 : fail_key_type(c, ix, a, type);
}

int
itemkey_check_update(struct call *c, const struct index *ix, const struct expr_update *u)
{
	int r = 0;

	if (ix->state == INDEX_DELETING) {
		return 0;
	}

	for (size_t i = 0; i < KEY_ATTRS_MAX && r == 0; i++) {
		if (key_slot(&ix->key, i)->name.len > 0) {
			r = update_attr(c, ix, key_slot(&ix->key, i), u);
		}
	}
	return r;
}

static int
updated_attr(struct call *c, const struct index *ix, const struct key_attr *a,
	     const struct expr_update *u, const struct item *it)
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
	if (v->text.len == 0 && expr_update_is_legacy(u)) {
		return fail_empty_key(c, "", ix, a);
	}
	if (v->text.len == 0) {
		return call_whole(
			c, call_fail(c, ERR_VALIDATION,
				     "One or more parameter values are not valid. The update "
				     "expression attempted to update a secondary index key to a "
				     "value that is not supported. The AttributeValue for a key "
				     "attribute cannot contain an empty %s value.",
				     v->type == VALUE_B ? "binary" : "string"));
	}
	return 0;
}

static bool
updates_key(const struct key_schema *k, const struct expr_update *u)
{
	enum value_type type;

	for (size_t i = 0; i < KEY_ATTRS_MAX; i++) {
		struct slice name = key_slot(k, i)->name;

		if (name.len > 0 && expr_update_effect(u, name, &type) != UPDATES_NOTHING) {
			return true;
		}
	}
	return false;
}

int
itemkey_check_updated(struct call *c, const struct index *ix, const struct expr_update *u,
		      const struct item *it)
{
	struct key_values k = {.n = 0};
	int r = 0;

	if (ix->state == INDEX_DELETING || !updates_key(&ix->key, u)) {
		return 0; /* values older than the index are not checked */
	}

	for (size_t i = 0; i < KEY_ATTRS_MAX && r == 0; i++) {
		if (key_slot(&ix->key, i)->name.len > 0) {
			r = updated_attr(c, ix, key_slot(&ix->key, i), u, it);
		}
	}
	if (r < 0 || key_from_item(&ix->key, it, &k) != 0) {
		return r;
	}
	return key_check(c, &ix->key, &k);
}
