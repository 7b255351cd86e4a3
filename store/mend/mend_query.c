/* mend_query - chooses the index of a query, and divides its conditions between key condition and filter */
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

static bool
mend_is_sign(char ch)
{
	return ch == '=' || ch == '<' || ch == '>';
}

/* Reads the comparison at the start of @text; Return: its length. */
static size_t
mend_read_sign(struct slice text, char sign[12])
{
	size_t n = 1;

	while (n < text.len && mend_is_sign(text.at[n])) {
		n++;
	}
	if (n < 3) {
		memcpy(sign, text.at, n);
		sign[n] = '\0';
	}
	return n;
}

/* Sets name and sign of a condition that has one attribute and one operator. */
static void
mend_read_part(const struct mend *m, struct mend_part *part)
{
	struct slice text = part->text;
	struct slice word;
	size_t names = 0;

	for (size_t at = 0; (word = mend_word(text, &at)).len > 0;) {
		char next = at < text.len ? text.at[at] : ' ';

		if (mend_is_sign(word.at[0])) {
			at += mend_read_sign(slice_skip(text, at - 1), part->sign) - 1;
		} else if (ascii_same(word, SLICE("BETWEEN"))) {
			strcpy(part->sign, "BETWEEN");
		} else if (slice_is(word, "begins_with")) {
			strcpy(part->sign, "begins_with");
		} else if (ascii_word(word.at[word.len - 1]) && next == '(') {
			names += 2; /* another function */
		} else if (mend_is_name(word) && !ascii_same(word, SLICE("AND"))) {
			part->name = mend_attribute(m, word);
			names += 1 + (next == '.' || next == '[');
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
	struct slice word;
	size_t from = 0;
	int depth = 0;
	bool between = false;

	for (size_t at = 0; (word = mend_word(text, &at)).len > 0;) {
		depth += slice_is(word, "(") - slice_is(word, ")");
		if (depth == 0 &&
		    (ascii_same(word, SLICE("OR")) || ascii_same(word, SLICE("NOT")))) {
			parts->whole = true;
		}
		if (ascii_same(word, SLICE("BETWEEN"))) {
			between = depth == 0;
		} else if (depth == 0 && ascii_same(word, SLICE("AND"))) {
			if (!between) {
				mend_add_part(m, parts,
					      slice_of(text.at + from,
						       (size_t)(word.at - text.at) - from));
				from = at;
			}
			between = false;
		}
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
		if (key_schema_has(key, mend_attribute(m, mend_word(text, &at)))) {
			return true;
		}
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

/* Replaces attribute names in the key condition by similar names of key attributes. */
static void
mend_near_names(struct mend *m, struct mend_parts *parts, const struct key_schema *key)
{
	for (size_t i = 0; i < parts->n; i++) {
		struct slice name = parts->at[i].name;
		struct near near = near_start(name);
		struct slice text = mend_text(m, "KeyConditionExpression");
		struct slice word = text;

		key_each (a, key) {
			near_try(&near, a->name);
		}
		for (size_t at = 0; word.len > 0 && !slice_eq(word, name);) {
			word = mend_word(text, &at);
		}
		if (near.best.len > 0 && !key_schema_has(key, name) && word.len > 0) {
			mend_set_text(m, SLICE("KeyConditionExpression"),
				      mend_with(m, text, word, near.best));
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
	struct slice index = ix == NULL ? SLICE("") : ix->name;
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
	if (slice_eq(mend_text(m, "IndexName"), index) &&
	    parts->n_key == 1 + (size_t)(sk != NULL) && pk < parts->at + parts->n_key &&
	    (sk == NULL || sk < parts->at + parts->n_key)) {
		return true; /* nothing to change */
	}
	mend_set_text(m, SLICE("IndexName"), index);
	mend_set_text(m, SLICE("KeyConditionExpression"), buf_view(&condition));
	mend_set_text(m, SLICE("FilterExpression"), buf_view(&filter));
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
	const struct index *ix = schema_index(m->schema, mend_text(m, "IndexName"));
	bool given = slice_starts(json->name, SLICE(":")) && json->name.len > 1 && value != NULL &&
		     value->type == JSON_STRING;

	for (size_t i = 0; given && i < parts->n; i++) {
		const struct mend_part *part = &parts->at[i];
		const struct key_attr *a = key_schema_attr(schema_key(m->schema, ix), part->name);
		size_t at;

		if (a != NULL && a->type != VALUE_B &&
		    (a->type == VALUE_S || json_fault(value->text, &at) == NULL) &&
		    memmem(part->text.at, part->text.len, json->name.at, json->name.len) != NULL) {
			json_open(w, '{');
			json_name(w, value_type_name(a->type));
			json_string(w, value->text);
			json_close(w);
			return true;
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
