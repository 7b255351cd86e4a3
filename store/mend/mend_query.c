/* mend_query - chooses the index of a query, and divides its conditions between key condition and filter */
#include <assert.h>

#include "store/base/core/ascii.h"
#include "store/base/text/json.h"
#include "store/base/text/near.h"
#include "store/mend/mend_int.h"
#include "store/model/schema.h"
#include "store/model/value.h"

enum { MEND_PARTS = 16 };

/* One of the conditions that AND joins. */
struct mend_part {
	struct slice text;
	struct slice name; /* of its only attribute; empty: it has none, or several */
	char sign[12]; /* "=", "<", ..., "BETWEEN", "begins_with"; "": no other operator is known */
};

/* Conditions of a request. */
struct mend_parts {
	struct mend_part at[MEND_PARTS];
	size_t n;
	size_t n_key; /* the first n_key are of the key condition, the others of the filter */
	bool whole;   /* there is an OR or NOT, or there are too many: they cannot be divided */
};

/* The attribute that @word, a name or a placeholder, means. */
static struct slice
mend_attribute(const struct mend *m, struct slice word)
{
	const struct json *name = json_get_slice(mend_get(m, "ExpressionAttributeNames"), word);

	return name == NULL ? word : name->text;
}

static size_t
mend_word_end(struct slice text, size_t at)
{
	at += at < text.len && (text.at[at] == '#' || text.at[at] == ':');
	while (at < text.len && ascii_word(text.at[at])) {
		at++;
	}
	return at;
}

/* Reads the comparison at the start of @text; Return: the bytes to skip, at least 1. */
static size_t
mend_read_sign(struct slice text, char sign[12])
{
	size_t n = 0;

	while (n < text.len && strchr("=<>", text.at[n]) != NULL && text.at[n] != '\0') {
		n++;
	}
	if (n > 0 && n < 3) {
		memcpy(sign, text.at, n);
		sign[n] = '\0';
	}
	return n > 0 ? n : 1;
}

/* Whether @word is an attribute, rather than a value or a part of BETWEEN. */
static bool
mend_is_attribute(struct slice word)
{
	return word.at[0] != ':' && !ascii_digit(word.at[0]) && !ascii_same(word, SLICE("AND"));
}

/* Sets name and sign of a condition that has one attribute and one operator. */
static void
mend_read_part(const struct mend *m, struct mend_part *part)
{
	struct slice text = part->text;
	size_t names = 0;

	for (size_t at = 0; at < text.len;) {
		size_t end = mend_word_end(text, at);
		struct slice word = slice_of(text.at + at, end - at);

		if (end == at) {
			at += mend_read_sign(slice_skip(text, at), part->sign);
			continue;
		}
		at = end;
		if (ascii_same(word, SLICE("BETWEEN"))) {
			strcpy(part->sign, "BETWEEN");
		} else if (slice_is(word, "begins_with")) {
			strcpy(part->sign, "begins_with");
		} else if (end < text.len && text.at[end] == '(') {
			names += 2; /* another function */
		} else if (mend_is_attribute(word)) {
			part->name = mend_attribute(m, word);
			names += 1 + (end < text.len && strchr(".[", text.at[end]) != NULL);
		}
	}
	part->name = names == 1 && part->sign[0] != '\0' ? part->name : SLICE("");
}

static void
mend_add_part(const struct mend *m, struct mend_parts *parts, struct slice text)
{
	text = ascii_trim(text);
	if (text.len == 0) {
		return;
	}
	if (parts->n == MEND_PARTS) {
		parts->whole = true;
		return;
	}
	parts->at[parts->n] = (struct mend_part){.text = text};
	mend_read_part(m, &parts->at[parts->n++]);
}

/* Divides @text at each AND outside parentheses, except the AND of BETWEEN. */
static void
mend_split(const struct mend *m, struct mend_parts *parts, struct slice text)
{
	size_t from = 0;
	int depth = 0;
	bool between = false;

	for (size_t at = 0; at < text.len;) {
		size_t end = mend_word_end(text, at);
		struct slice word = slice_of(text.at + at, end - at);

		if (end == at) {
			depth += (text.at[at] == '(') - (text.at[at] == ')');
			at++;
			continue;
		}
		if (depth == 0 &&
		    (ascii_same(word, SLICE("OR")) || ascii_same(word, SLICE("NOT")))) {
			parts->whole = true;
		}
		if (ascii_same(word, SLICE("BETWEEN"))) {
			between = depth == 0;
		} else if (depth == 0 && ascii_same(word, SLICE("AND"))) {
			if (!between) {
				mend_add_part(m, parts, slice_of(text.at + from, at - from));
				from = end;
			}
			between = false;
		}
		at = end;
	}
	mend_add_part(m, parts, slice_skip(text, from));
}

/* The part that is a condition on the key attribute @name, with "=" if @equal; NULL: none. */
static struct mend_part *
mend_part_of(struct mend_parts *parts, struct slice name, bool equal)
{
	for (size_t i = 0; i < parts->n && name.len > 0; i++) {
		struct mend_part *part = &parts->at[i];

		if (slice_eq(part->name, name) && strcmp(part->sign, "<>") != 0 &&
		    (!equal || strcmp(part->sign, "=") == 0)) {
			return part;
		}
	}
	return NULL;
}

/* Whether @text names a key attribute. */
static bool
mend_names(const struct mend *m, struct slice text, const struct key_schema *key)
{
	for (size_t at = 0; at < text.len;) {
		size_t end = mend_word_end(text, at);

		if (end > at &&
		    key_schema_has(key, mend_attribute(m, slice_of(text.at + at, end - at)))) {
			return true;
		}
		at = end > at ? end : at + 1;
	}
	return false;
}

/* Replaces an unknown IndexName by a similar one, removes it, or lists the indexes. */
static void
mend_index_name(struct mend *m)
{
	struct slice name = mend_text(m, "IndexName");
	struct near near = near_start(name);
	struct buf names;

	if (name.len == 0 || m->schema == NULL || schema_index(m->schema, name) != NULL) {
		return;
	}
	buf_init(&names, &m->c->arena);
	for (size_t i = 0; i < m->schema->n_index; i++) {
		near_try(&near, m->schema->index[i].name);
		buf_fmt(&names, "%s%.*s", i == 0 ? "" : ", ", SLICE_ARG(m->schema->index[i].name));
	}
	if (near.best.len > 0) {
		mend_set_text(m, SLICE("IndexName"), near.best);
	} else if (names.len == 0) {
		mend_why(m, "%.*s has no indexes", SLICE_ARG(m->schema->table));
		mend_set(m, SLICE("IndexName"), (struct slice){0});
	} else {
		mend_why(m, "the indexes of %.*s are: %.*s", SLICE_ARG(m->schema->table),
			 SLICE_ARG(buf_view(&names)));
	}
}

/* Return: where @name stands in @text as a word of its own, or NULL */
static const char *
mend_find_name(struct slice text, struct slice name)
{
	const char *end = text.at + text.len;
	const char *at = memmem(text.at, text.len, name.at, name.len);

	while (at != NULL) {
		const char *after = at + name.len;
		bool inside = at > text.at && (ascii_word(at[-1]) || strchr(":#", at[-1]) != NULL);

		if (!inside && (after == end || !ascii_word(*after))) {
			return at;
		}
		at = memmem(at + 1, (size_t)(end - at) - 1, name.at, name.len);
	}
	return NULL;
}

/* Replaces attribute names in the key condition by similar names of key attributes. */
static void
mend_near_names(struct mend *m, struct mend_parts *parts, const struct key_schema *key)
{
	for (size_t i = 0; i < parts->n; i++) {
		struct mend_part *part = &parts->at[i];
		struct near near = near_start(part->name);
		struct slice text = mend_text(m, "KeyConditionExpression");
		const char *at;
		struct buf b;

		for (size_t k = 0; k < KEY_ATTRS_MAX && part->name.len > 0; k++) {
			if (key_slot(key, k)->name.len > 0) {
				near_try(&near, key_slot(key, k)->name);
			}
		}
		at = near.best.len == 0 || key_schema_has(key, part->name)
			     ? NULL
			     : mend_find_name(text, part->name);
		if (at != NULL) {
			buf_init(&b, &m->c->arena);
			buf_put(&b, text.at, (size_t)(at - text.at));
			buf_slice(&b, near.best);
			buf_slice(&b, slice_skip(text, (size_t)(at - text.at) + part->name.len));
			mend_set_text(m, SLICE("KeyConditionExpression"), buf_view(&b));
		}
	}
}

static void
mend_join(struct buf *out, struct slice text)
{
	buf_str(out, out->len == 0 ? "" : " AND ");
	buf_slice(out, text);
}

/*
 * Divides the conditions into a key condition of @ix and a filter; @ix NULL: the table. Return: false if the key
 * condition lacks the partition key, or the filter would have a key attribute.
 */
static bool
mend_divide(struct mend *m, struct mend_parts *parts, const struct index *ix)
{
	const struct key_schema *key = schema_key(m->schema, ix);
	const struct mend_part *pk = mend_part_of(parts, key->pk[0].name, true);
	const struct mend_part *sk = mend_part_of(parts, key->sk[0].name, false);
	struct buf condition;
	struct buf filter;

	if (pk == NULL || parts->whole || key_part_n(key->pk) > 1) {
		return false;
	}
	buf_init(&condition, &m->c->arena);
	buf_init(&filter, &m->c->arena);
	mend_join(&condition, pk->text);
	for (size_t i = 0; i < parts->n; i++) {
		const struct mend_part *part = &parts->at[i];

		if (part == sk) {
			mend_join(&condition, part->text);
		} else if (part != pk) {
			mend_join(&filter, part->text);
		}
	}
	if (mend_names(m, buf_view(&filter), key)) {
		return false;
	}
	if (slice_eq(mend_text(m, "IndexName"), ix == NULL ? SLICE("") : ix->name) &&
	    parts->n_key == 1 + (size_t)(sk != NULL) && pk < parts->at + parts->n_key &&
	    (sk == NULL || sk < parts->at + parts->n_key)) {
		return true; /* nothing to change */
	}
	if (!slice_eq(mend_text(m, "IndexName"), ix == NULL ? SLICE("") : ix->name)) {
		if (ix == NULL) {
			mend_set(m, SLICE("IndexName"), (struct slice){0});
		} else {
			mend_set_text(m, SLICE("IndexName"), ix->name);
		}
	}
	mend_set_text(m, SLICE("KeyConditionExpression"), buf_view(&condition));
	if (filter.len > 0) {
		mend_set_text(m, SLICE("FilterExpression"), buf_view(&filter));
	} else if (mend_get(m, "FilterExpression") != NULL) {
		mend_set(m, SLICE("FilterExpression"), (struct slice){0});
	}
	return true;
}

/* Makes the query a scan with all conditions as its filter, because no key condition is possible. */
static void
mend_scan(struct mend *m, struct slice condition, struct slice filter)
{
	struct buf b;

	buf_init(&b, &m->c->arena);
	if (condition.len > 0 && filter.len > 0) {
		buf_fmt(&b, "(%.*s) AND (%.*s)", SLICE_ARG(condition), SLICE_ARG(filter));
	} else {
		buf_fmt(&b, "%.*s%.*s", SLICE_ARG(condition), SLICE_ARG(filter));
	}
	mend_why(m, "a query needs %.*s = VALUE; a scan reads all items",
		 SLICE_ARG(m->schema->key.pk[0].name));
	m->type = OP_SCAN;
	mend_set(m, SLICE("KeyConditionExpression"), (struct slice){0});
	mend_set(m, SLICE("ScanIndexForward"), (struct slice){0});
	mend_set_text(m, SLICE("FilterExpression"), buf_view(&b));
}

/* Gives a value that is compared with a key attribute the type of this attribute. */
static bool
mend_put_key_type(struct mend *m, struct json_writer *w, const struct json *json, const void *arg)
{
	const struct mend_parts *parts = arg;
	const struct json *value = json->type == JSON_OBJECT && json->n == 1 ? json->child : NULL;

	for (size_t i = 0; json->name.len > 1 && json->name.at[0] == ':' && i < parts->n; i++) {
		const struct mend_part *part = &parts->at[i];
		const struct index *ix = schema_index(m->schema, mend_text(m, "IndexName"));
		const struct key_schema *key = schema_key(m->schema, ix);
		size_t at;

		for (size_t k = 0; k < KEY_ATTRS_MAX && value != NULL; k++) {
			const struct key_attr *a = key_slot(key, k);
			bool suits = a->type == VALUE_S || json_fault(value->text, &at) == NULL;

			if (a->name.len > 0 && slice_eq(a->name, part->name) &&
			    value->type == JSON_STRING && a->type != VALUE_B && suits &&
			    memmem(part->text.at, part->text.len, json->name.at, json->name.len) !=
				    NULL) {
				json_open(w, '{');
				json_name(w, value_type_name(a->type));
				json_string(w, value->text);
				json_close(w);
				return true;
			}
		}
	}
	return false;
}

/* Corrects key condition, index and filter of a query whose table is known. */
static void
mend_of_key(struct mend *m)
{
	assert(m->schema != NULL);
	struct slice condition = mend_text(m, "KeyConditionExpression");
	struct slice filter = mend_text(m, "FilterExpression");
	const struct index *ix = schema_index(m->schema, mend_text(m, "IndexName"));
	struct mend_parts parts = {0};
	bool done = false;

	mend_split(m, &parts, condition);
	mend_near_names(m, &parts, schema_key(m->schema, ix));
	condition = mend_text(m, "KeyConditionExpression");
	parts = (struct mend_parts){0};
	mend_split(m, &parts, condition);
	parts.n_key = parts.n;
	mend_split(m, &parts, filter);
	if (parts.n == 0) {
		if (mend_refused(m, "KeyConditionExpression parameter must be specified")) {
			struct buf b;

			buf_init(&b, &m->c->arena);
			buf_fmt(&b, "%.*s = :pk", SLICE_ARG(schema_key(m->schema, ix)->pk[0].name));
			mend_set_text(m, SLICE("KeyConditionExpression"), buf_view(&b));
			(void)mend_expressions(m);
		}
		return;
	}
	done = mend_divide(m, &parts, ix) || (ix != NULL && mend_divide(m, &parts, NULL));
	for (size_t i = 0; i < m->schema->n_index && !done; i++) {
		done = mend_divide(m, &parts, &m->schema->index[i]);
	}
	if (!done) {
		mend_scan(m, condition, filter);
	} else if (mend_refused(m, "parameter type does not match schema type")) {
		mend_each(m, mend_put_key_type, &parts);
	}
}

void
mend_query(struct mend *m)
{
	if (m->type != OP_QUERY && m->type != OP_SCAN) {
		return;
	}
	mend_index_name(m);
	if (mend_refused(m, "Consistent reads are not supported on global")) {
		mend_why(m, "reads of a global index are never strongly consistent");
		mend_set(m, SLICE("ConsistentRead"), (struct slice){0});
	}
	if (m->type == OP_QUERY && m->schema != NULL &&
	    (mend_text(m, "IndexName").len == 0 ||
	     schema_index(m->schema, mend_text(m, "IndexName")) != NULL) &&
	    mend_get(m, "KeyConditions") == NULL) {
		mend_of_key(m);
	}
}
