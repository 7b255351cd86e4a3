/* mend_value - adds and corrects types of values, and makes keys fit the key schema */
#include "store/base/text/json.h"
#include "store/base/text/near.h"
#include "store/mend/mend.h"
#include "store/mend/mend_int.h"
#include "store/model/schema.h"
#include "store/model/value.h"

/* The type that a word means: {"s": ...} and {"STRING": ...} are accepted, too. VALUE_TYPES: none. */
static enum value_type
mend_type(struct slice word)
{
	for (int type = 0; type < VALUE_TYPES; type++) {
		if (mend_stands_for(word, value_type_name((enum value_type)type))) {
			return (enum value_type)type;
		}
	}
	return VALUE_TYPES;
}

/* The type of a value that is written without one. */
static const enum value_type mend_plain_types[] = {
	[JSON_NULL] = VALUE_NULL, [JSON_FALSE] = VALUE_BOOL, [JSON_TRUE] = VALUE_BOOL,
	[JSON_NUMBER] = VALUE_N,  [JSON_STRING] = VALUE_S,   [JSON_ARRAY] = VALUE_L,
	[JSON_OBJECT] = VALUE_M,
};

static bool
mend_is_number(const struct json *json)
{
	size_t at;

	return json->type == JSON_NUMBER ||
	       (json->type == JSON_STRING && json->text.len > 0 &&
		(ascii_digit(json->text.at[0]) || json->text.at[0] == '-') &&
		json_fault(json->text, &at) == NULL);
}

static bool
mend_has_text(const struct json *json)
{
	return json->type == JSON_STRING || json->type == JSON_NUMBER;
}

static void mend_put_value(struct json_writer *w, const struct json *json, enum value_type want);
static void mend_put_values(struct mend *m, struct json_writer *w, const struct json *json,
			    bool item);

/* Whether it is an empty set, which no attribute can hold. */
static bool
mend_is_no_set(const struct json *json)
{
	const struct json *set = json->type == JSON_OBJECT && json->n == 1 ? json->child : NULL;

	return set != NULL && set->type == JSON_ARRAY && set->n == 0 && set->name.len == 2 &&
	       ascii_lower(set->name.at[1]) == 's' && mend_type(set->name) != VALUE_TYPES;
}

/* Whether @list has an equal number or text before @element. */
static bool
mend_is_again(const struct json *list, const struct json *element)
{
	const struct json *at = list->child;

	while (at != element && !(mend_has_text(at) && slice_eq(at->text, element->text))) {
		at = at->next;
	}
	return at != element;
}

static void
mend_put_content(struct json_writer *w, const struct json *json, enum value_type type)
{
	bool set = type == VALUE_SS || type == VALUE_NS || type == VALUE_BS;

	if ((type == VALUE_S || type == VALUE_N || type == VALUE_B) && mend_has_text(json)) {
		json_string(w, json->text);
	} else if (type == VALUE_BOOL && json->type == JSON_STRING &&
		   (ascii_same(json->text, SLICE("true")) ||
		    ascii_same(json->text, SLICE("false")))) {
		json_bool(w, ascii_lower(json->text.at[0]) == 't');
	} else if (type == VALUE_NULL) {
		json_bool(w, true);
	} else if (set && mend_has_text(json)) {
		json_open(w, '[');
		json_string(w, json->text);
		json_close(w);
	} else if ((set || type == VALUE_L) && json->type == JSON_ARRAY) {
		json_open(w, '[');
		json_each (child, json) {
			if (type == VALUE_L) {
				mend_put_value(w, child, VALUE_TYPES);
			} else if (!mend_has_text(child)) {
				json_value(w, child);
			} else if (!mend_is_again(json, child)) {
				json_string(w, child->text);
			}
		}
		json_close(w);
	} else if (type == VALUE_M && json->type == JSON_OBJECT) {
		mend_put_values(NULL, w, json, false);
	} else {
		json_value(w, json);
	}
}

/* Writes a value with the type @want if it can have it, else with its own; VALUE_TYPES: its own. */
static void
mend_put_value(struct json_writer *w, const struct json *json, enum value_type want)
{
	enum value_type type = json->type == JSON_OBJECT && json->n == 1
				       ? mend_type(json->child->name)
				       : VALUE_TYPES;
	const struct json *content = type == VALUE_TYPES ? json : json->child;

	type = type == VALUE_TYPES ? mend_plain_types[json->type] : type;
	if ((want == VALUE_S && mend_has_text(content)) ||
	    (want == VALUE_N && mend_is_number(content))) {
		type = want;
	}
	json_open(w, '{');
	json_name(w, value_type_name(type));
	mend_put_content(w, content, type);
	json_close(w);
}

enum value_type
mend_key_type(const struct mend *m, struct slice name)
{
	const struct key_attr *a = m->schema == NULL ? NULL : schema_key_attr(m->schema, name);

	return a == NULL ? VALUE_TYPES : a->type;
}

static void
mend_put_values(struct mend *m, struct json_writer *w, const struct json *json, bool item)
{
	json_open(w, '{');
	json_each (child, json) {
		if (!mend_is_no_set(child)) {
			json_name_slice(w, child->name);
			mend_put_value(w, child,
				       item ? mend_key_type(m, child->name) : VALUE_TYPES);
		}
	}
	json_close(w);
}

/* Whether @keys has the same key before @key. */
static bool
mend_is_same_key(struct mend *m, const struct json *keys, const struct json *key)
{
	const struct json *at = keys->child;

	while (at != key && !slice_eq(mend_raw(m, at), mend_raw(m, key))) {
		at = at->next;
	}
	return at != key;
}

/* Writes the Value in "AttributeUpdates": {"a": {"Value": 5}}. */
static bool
mend_put_update(struct mend *m, struct json_writer *w, const struct json *json, const void *arg)
{
	(void)m;
	(void)arg;
	if (slice_is(json->name, "Value")) {
		mend_put_value(w, json, VALUE_TYPES);
		return true;
	}
	return false;
}

/* Writes objects and lists of values, anywhere in a request. */
static bool
mend_put_members(struct mend *m, struct json_writer *w, const struct json *json, const void *arg)
{
	bool item = slice_is(json->name, "Item") || slice_is(json->name, "Key") ||
		    slice_is(json->name, "ExclusiveStartKey");

	(void)arg;
	bool keys = slice_is(json->name, "Keys");

	if ((keys || slice_is(json->name, "Parameters")) && json->type == JSON_ARRAY) {
		json_open(w, '[');
		json_each (child, json) {
			if (!keys) {
				mend_put_value(w, child, VALUE_TYPES);
			} else if (child->type == JSON_OBJECT &&
				   !mend_is_same_key(m, json, child)) {
				mend_put_values(m, w, child, true);
			}
		}
		json_close(w);
		return true;
	}
	if (json->type == JSON_OBJECT &&
	    (item || slice_is(json->name, "ExpressionAttributeValues"))) {
		mend_put_values(m, w, json, item);
		return true;
	}
	if (slice_is(json->name, "AttributeUpdates")) {
		mend_write(m, w, json, mend_put_update, NULL);
		return true;
	}
	return false;
}

/* Writes {"Table": [KEY, ...]} of BatchGetItem as {"Table": {"Keys": [KEY, ...]}}. */
static bool
mend_put_batch(struct mend *m, struct json_writer *w, const struct json *json, const void *arg)
{
	(void)arg;
	if (!slice_is(json->name, "RequestItems") || json->type != JSON_OBJECT) {
		return false;
	}
	json_open(w, '{');
	json_each (table, json) {
		bool bare = table->type == JSON_ARRAY;

		json_name_slice(w, table->name);
		if (bare) {
			json_open(w, '{');
			json_name(w, "Keys");
		}
		mend_write(m, w, table, mend_put_members, NULL);
		if (bare) {
			json_close(w);
		}
	}
	json_close(w);
	return true;
}

void
mend_values(struct mend *m)
{
	size_t before = m->why.len;
	bool untyped = mend_refused(m, "value type") || mend_refused(m, "field type") ||
		       mend_refused(m, "converted to") ||
		       mend_refused(m, "AttributeValue is empty");

	if (m->type == OP_BATCH_GET_ITEM) {
		mend_each(m, mend_put_batch, NULL);
	}
	mend_each(m, mend_put_members, NULL);
	if (mend_changes(m) &&
	    (mend_refused(m, "set  may not be empty") || mend_refused(m, "Input collection ["))) {
		mend_why(m, "a set has at least one element, and each only once");
	} else if (mend_changes(m) && mend_refused(m, "item keys contains duplicates")) {
		mend_why(m, "request each key only once");
	} else if (before == 0 && untyped && mend_changes(m)) {
		mend_why(m, "each value needs its type, such as {\"S\":\"text\"} or {\"N\":\"5\"}");
	}
}

/* ------------------------------------------------------------ keys */

/*
 * The member of @given that is meant to be the key attribute @a: the one with its name, or the most similar one that is
 * no key attribute. If @only, the first such member will do. NULL: none.
 */
static const struct json *
mend_given(const struct mend *m, const struct json *given, const struct key_attr *a, bool only)
{
	const struct json *found = json_get_slice(given, a->name);
	struct near near = near_start(a->name);

	json_each (child, found != NULL ? NULL : given) {
		if (!key_schema_has(&m->schema->key, child->name)) {
			near_try(&near, child->name);
			if (only && found == NULL) {
				found = child;
			}
		}
	}
	return near.best.len > 0 ? json_get_slice(given, near.best) : found;
}

/* Makes @member have the key attributes of the table; @rest: it is an item, and its other attributes follow. */
static void
mend_value_mend_key(struct mend *m, struct slice member, bool rest)
{
	assert(m->schema != NULL);
	const struct key_schema *key = &m->schema->key;
	const struct json *given = mend_get(m, slice_cstr(&m->c->arena, member));
	const struct json *used[KEY_ATTRS_MAX] = {0};
	struct json_writer w;
	struct buf what;
	struct buf b;
	size_t n = 0;

	if (given == NULL || given->type != JSON_OBJECT) {
		return;
	}
	buf_init(&b, &m->c->arena);
	buf_init(&what, &m->c->arena);
	json_writer_init(&w, &b, 0);
	json_open(&w, '{');
	key_each (a, key) {
		buf_fmt(&what, "%s%.*s (%s)", n == 0 ? "" : " and ", SLICE_ARG(a->name),
			value_type_name(a->type));
		used[n] = mend_given(m, given, a, !rest && given->n == 1 && key_schema_n(key) == 1);
		json_name_slice(&w, a->name);
		if (used[n] != NULL) {
			mend_put_value(&w, used[n], a->type);
		} else {
			json_open(&w, '{');
			json_name(&w, value_type_name(a->type));
			json_string(&w, a->type == VALUE_N ? SLICE("0") : SLICE("VALUE"));
			json_close(&w);
		}
		n++;
	}
	json_each (child, rest ? given : NULL) {
		bool taken = false;

		for (size_t i = 0; i < n; i++) {
			taken = taken || used[i] == child;
		}
		if (!taken) {
			json_name_slice(&w, child->name);
			json_value(&w, child);
		}
	}
	json_close(&w);
	mend_why(m, "the key of %.*s is %.*s", SLICE_ARG(m->schema->table),
		 SLICE_ARG(buf_view(&what)));
	mend_set(m, member, buf_view(&b));
}

void
mend_keys(struct mend *m)
{
	if (m->schema == NULL) {
		return;
	}
	if (mend_refused(m, "key element does not match the schema") ||
	    mend_refused(m, "number of conditions on the keys is invalid")) {
		mend_value_mend_key(m, SLICE("Key"), false);
	} else if (mend_refused(m, "Missing the key ") ||
		   mend_refused(m, "Type mismatch for key ")) {
		mend_value_mend_key(m, SLICE("Item"), true);
	}
}
