/* mend - see mend.h; members of the request, and mistakes outside keys and expressions */
#include "store/mend/mend.h"

#include <stdarg.h>
#include <stdio.h>

#include "store/base/core/ascii.h"
#include "store/base/text/json.h"
#include "store/base/text/near.h"
#include "store/engine/engine.h"
#include "store/mend/mend_int.h"
#include "store/model/value.h"

static struct mend_member *
mend_find(const struct mend *m, struct slice name)
{
	for (size_t i = 0; i < m->n; i++) {
		if (slice_eq(m->member[i].name, name)) {
			return (struct mend_member *)&m->member[i];
		}
	}
	return NULL;
}

const struct json *
mend_get(const struct mend *m, const char *name)
{
	const struct mend_member *found = mend_find(m, slice_from(name));

	return found == NULL ? NULL : found->json;
}

struct slice
mend_text(const struct mend *m, const char *name)
{
	const struct json *json = mend_get(m, name);

	return json == NULL || json->type != JSON_STRING ? SLICE("") : json->text;
}

struct slice
mend_raw(struct mend *m, const struct json *json)
{
	struct json_writer w;
	struct buf b;

	buf_init(&b, &m->c->arena);
	json_writer_init(&w, &b, 0);
	json_value(&w, json);
	return buf_view(&b);
}

void
mend_set(struct mend *m, struct slice name, struct slice raw)
{
	struct mend_member *to = mend_find(m, name);
	const struct json *json = NULL;

	if ((to == NULL && (raw.at == NULL || m->n == MEND_MEMBERS)) ||
	    (raw.at != NULL && json_parse(m->c, raw, JSON_LAST_WINS, &json) < 0)) {
		return;
	}
	if (to == NULL) {
		to = &m->member[m->n++];
		*to = (struct mend_member){.name = slice_copy(&m->c->arena, name)};
	} else if (raw.at != NULL && to->json != NULL && slice_eq(mend_raw(m, to->json), raw)) {
		return;
	}
	to->changed = true;
	to->json = json;
}

void
mend_set_text(struct mend *m, struct slice name, struct slice text)
{
	struct buf b;

	buf_init(&b, &m->c->arena);
	json_put_string(&b, text);
	mend_set(m, name, buf_view(&b));
}

void
mend_why(struct mend *m, const char *fmt, ...)
{
	char text[400];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (m->why.len == 0) {
		buf_str(&m->why, text);
	}
}

void
mend_write(struct mend *m, struct json_writer *w, const struct json *json, mend_by *by,
	   const void *arg)
{
	if (by(m, w, json, arg)) {
		return;
	}
	if (json->type != JSON_OBJECT && json->type != JSON_ARRAY) {
		json_value(w, json);
		return;
	}
	json_open(w, json->type == JSON_OBJECT ? '{' : '[');
	json_each (child, json) {
		if (json->type == JSON_OBJECT) {
			json_name_slice(w, child->name);
		}
		mend_write(m, w, child, by, arg);
	}
	json_close(w);
}

void
mend_each(struct mend *m, mend_by *by, const void *arg)
{
	for (size_t i = 0; i < m->n; i++) {
		struct json_writer w;
		struct buf b;

		if (m->member[i].json != NULL) {
			buf_init(&b, &m->c->arena);
			json_writer_init(&w, &b, 0);
			mend_write(m, &w, m->member[i].json, by, arg);
			mend_set(m, m->member[i].name, buf_view(&b));
		}
	}
}

bool
mend_refused(const struct mend *m, const char *part)
{
	return strstr(m->message, part) != NULL;
}

struct slice
mend_nearest(struct slice word, const char *names)
{
	struct near near = near_start(word);

	while (*names != '\0') {
		size_t n = strcspn(names, " ");

		near_try(&near, slice_of(names, n));
		names += n + (names[n] == ' ');
	}
	return near.best;
}

/* ------------------------------------------------------------ words that are one of a few */

/* Words of other tools, and of people. */
static const char *const mend_enums[][2] = {
	{"ON_DEMAND ONDEMAND on-demand PAYPERREQUEST", "PAY_PER_REQUEST"},
	{"PARTITION PARTITION_KEY PRIMARY", "HASH"},
	{"SORT SORT_KEY", "RANGE"},
	{"STRING STR TEXT", "S"},
	{"NUMBER INT INTEGER", "N"},
	{"BINARY", "B"},
	{"LIST", "L"},
	{"BOOLEAN", "BOOL"},
	{"MAP", "M"},
	{"ALL", "ALL_ATTRIBUTES"},
	{"KEYS", "KEYS_ONLY"},
	{"NEW_AND_OLD", "NEW_AND_OLD_IMAGES"},
	{"EQUALS = ==", "EQ"},
	{"!= <>", "NE"},
	{"<", "LT"},
	{"<=", "LE"},
	{">", "GT"},
	{">=", "GE"},
};

bool
mend_stands_for(struct slice word, const char *ours)
{
	for (size_t i = 0; i < sizeof(mend_enums) / sizeof(mend_enums[0]); i++) {
		const char *names = strcmp(mend_enums[i][1], ours) == 0 ? mend_enums[i][0] : "";

		while (*names != '\0') {
			size_t n = strcspn(names, " ");

			if (ascii_same(word, slice_of(names, n))) {
				return true;
			}
			names += n + (names[n] == ' ');
		}
	}
	return ascii_same(word, slice_from(ours));
}

/* A text of the request and where it stands: the last part of its path in the message. */
struct mend_word {
	struct slice member;
	struct slice from;
	struct slice to;
};

static bool
mend_put_word(struct mend *m, struct json_writer *w, const struct json *json, const void *arg)
{
	const struct mend_word *word = arg;
	bool is = json->type == JSON_STRING && ascii_same(json->name, word->member) &&
		  slice_eq(json->text, word->from);

	(void)m;
	if (is) {
		json_string(w, word->to);
	}
	return is;
}

/* @set: "A, B, C]" */
static struct slice
mend_choice(struct mend *m, struct slice word, const char *set)
{
	size_t end = strcspn(set, "]");
	struct near near = near_start(word);

	for (size_t at = 0; at < end;) {
		size_t n = strcspn(set + at, ", ]");

		struct slice ours = slice_of(set + at, n);

		if (mend_stands_for(word, slice_cstr(&m->c->arena, ours))) {
			return ours;
		}
		near_try(&near, ours);
		at += n + strspn(set + at + n, ", ");
	}
	return near.best;
}

/* KeyType and AttributeType, each with a word of the other one. */
static struct slice
mend_swapped(struct mend *m, const char *path, struct slice member, struct slice word)
{
	bool key = ascii_same(member, SLICE("KeyType"));

	if (key && word.len == 1 && strchr("SNB", word.at[0]) != NULL) {
		mend_why(m, "KeyType and AttributeType are swapped");
		return strstr(path, "chema.1.") == path + strcspn(path, ".") - 5 ? SLICE("HASH")
										 : SLICE("RANGE");
	}
	if (!ascii_same(member, SLICE("AttributeType")) ||
	    mend_nearest(word, "HASH RANGE").len == 0) {
		return SLICE("");
	}
	for (const char *at = m->message; (at = strstr(at, "Value '")) != NULL; at++) {
		if (strchr("SNB", at[7]) != NULL && at[8] == '\'') {
			return slice_of(at + 7, 1);
		}
	}
	return SLICE("S");
}

/* "Value 'a' at 'b.1.member.c' failed ... enum value set: [D, E]" */
static void
mend_choices(struct mend *m)
{
	static const char set[] = "enum value set: [";

	for (const char *at = m->message; (at = strstr(at, "Value '")) != NULL;) {
		const char *path = strstr(at, "' at '");
		const char *end = path == NULL ? NULL : strchr(path + 6, '\'');
		const char *next = strstr(at + 1, "; Value ");
		const char *choices = strstr(at, set);

		if (end == NULL) {
			return;
		}
		if (choices != NULL && (next == NULL || choices < next)) {
			const char *dot = memrchr(path + 6, '.', (size_t)(end - path - 6));
			const char *name = dot == NULL ? path + 6 : dot + 1;
			struct mend_word word = {
				.member = slice_of(name, (size_t)(end - name)),
				.from = slice_of(at + 7, (size_t)(path - at - 7)),
			};

			word.to = mend_swapped(m, path + 6, word.member, word.from);
			word.to = word.to.len > 0
					  ? word.to
					  : mend_choice(m, word.from, choices + sizeof(set) - 1);
			if (word.to.len > 0) {
				mend_each(m, mend_put_word, &word);
			}
		}
		at = end;
	}
}

/* ReturnValues has messages of its own. */
static void
mend_returns(struct mend *m)
{
	if (mend_refused(m, "ReturnValues can only be ALL_OLD or NONE")) {
		mend_why(m, "only an update returns new values");
		mend_set_text(m, SLICE("ReturnValues"), SLICE("ALL_OLD"));
	} else if (mend_refused(m, "[ALL_OLD, UPDATED_OLD, ALL_NEW")) {
		struct slice to = mend_nearest(mend_text(m, "ReturnValues"),
					       "ALL_NEW UPDATED_NEW ALL_OLD UPDATED_OLD NONE");

		if (to.len > 0) {
			mend_set_text(m, SLICE("ReturnValues"), to);
		}
	}
}

/* ------------------------------------------------------------ members that are missing */

/* The key of the table, with VALUE for what it holds. */
static void
mend_put_key(struct mend *m, struct buf *out)
{
	const struct key_schema *key = m->schema == NULL ? NULL : &m->schema->key;

	if (key == NULL) {
		buf_str(out, "{\"PK\":{\"S\":\"VALUE\"}}");
		return;
	}
	for (size_t i = 0; i < KEY_ATTRS_MAX; i++) {
		const struct key_attr *a = key_slot(key, i);

		if (a->name.len > 0) {
			buf_str(out, i == 0 ? "{" : ",");
			json_put_string(out, a->name);
			buf_fmt(out, ":{\"%s\":\"%s\"}", value_type_name(a->type),
				a->type == VALUE_N ? "0" : "VALUE");
		}
	}
	buf_char(out, '}');
}

void
mend_put_rows(struct mend *m, struct buf *out, const char *from, bool schema)
{
	const struct json *rows = mend_get(m, from);
	size_t n = 0;

	buf_char(out, '[');
	json_each (row, rows) {
		const struct json *name = json_get(row, "AttributeName");

		if (name != NULL && n < 2) {
			buf_str(out, n == 0 ? "{\"AttributeName\":" : ",{\"AttributeName\":");
			json_put_string(out, name->text);
			buf_fmt(out, ",\"%s\":\"%s\"}", schema ? "KeyType" : "AttributeType",
				!schema  ? "S"
				: n == 0 ? "HASH"
					 : "RANGE");
			n++;
		}
	}
	if (n == 0) {
		buf_fmt(out, "{\"AttributeName\":\"PK\",\"%s\":\"%s\"}",
			schema ? "KeyType" : "AttributeType", schema ? "HASH" : "S");
	}
	buf_char(out, ']');
}

/* What each member may look like; KEY: the key of the table. */
static const struct {
	const char *member;
	enum op_type type; /* OP_COUNT: any */
	const char *json;
} mend_members[] = {
	{"Key", OP_COUNT, "KEY"},
	{"Item", OP_COUNT, "KEY"},
	{"TableName", OP_COUNT, "\"TABLE\""},
	{"Statement", OP_COUNT, "\"SELECT * FROM TABLE\""},
	{"BackupName", OP_COUNT, "\"NAME\""},
	{"TargetTableName", OP_COUNT, "\"NAME\""},
	{"RequestItems", OP_BATCH_GET_ITEM, "{\"TABLE\":{\"Keys\":[KEY]}}"},
	{"RequestItems", OP_BATCH_WRITE_ITEM, "{\"TABLE\":[{\"PutRequest\":{\"Item\":KEY}}]}"},
	{"TransactItems", OP_TRANSACT_GET_ITEMS,
	 "[{\"Get\":{\"TableName\":\"TABLE\",\"Key\":KEY}}]"},
	{"TransactItems", OP_TRANSACT_WRITE_ITEMS,
	 "[{\"Put\":{\"TableName\":\"TABLE\",\"Item\":KEY}}]"},
	{"TimeToLiveSpecification", OP_COUNT, "{\"Enabled\":true,\"AttributeName\":\"NAME\"}"},
	{"PointInTimeRecoverySpecification", OP_COUNT, "{\"PointInTimeRecoveryEnabled\":true}"},
	{"Tags", OP_COUNT, "[{\"Key\":\"NAME\",\"Value\":\"VALUE\"}]"},
};

/* @json with a table that there is, and its key. */
static void
mend_fill(struct mend *m, struct buf *out, const char *json)
{
	struct list_tables_in in = {.limit = 1};
	struct list_tables_out tables = {0};
	struct describe_table_out d = {0};
	struct slice table = mend_text(m, "TableName");

	if (m->engine != NULL && table.len == 0 && strstr(json, "TABLE") != NULL &&
	    engine_list_tables(m->engine, m->c, &in, &tables) == 0 && tables.n_names > 0) {
		struct describe_table_in which = {.table = tables.names[0]};

		table = tables.names[0];
		m->schema = engine_describe_table(m->engine, m->c, &which, &d) == 0 ? d.table.schema
										    : NULL;
	}
	while (*json != '\0') {
		if (strncmp(json, "KEY", 3) == 0) {
			mend_put_key(m, out);
			json += 3;
		} else if (strncmp(json, "TABLE", 5) == 0 && table.len > 0) {
			buf_slice(out, table);
			json += 5;
		} else {
			buf_char(out, *json++);
		}
	}
}

static void
mend_missing_one(struct mend *m, struct slice name)
{
	struct buf b;

	buf_init(&b, &m->c->arena);
	if (ascii_same(name, SLICE("AttributeDefinitions")) ||
	    ascii_same(name, SLICE("KeySchema"))) {
		bool schema = ascii_lower(name.at[0]) == 'k';

		mend_put_rows(m, &b, schema ? "AttributeDefinitions" : "KeySchema", schema);
		mend_set(m, schema ? SLICE("KeySchema") : SLICE("AttributeDefinitions"),
			 buf_view(&b));
		return;
	}
	for (size_t i = 0; i < sizeof(mend_members) / sizeof(mend_members[0]); i++) {
		if (ascii_same(name, slice_from(mend_members[i].member)) &&
		    (mend_members[i].type == OP_COUNT || mend_members[i].type == m->type)) {
			mend_fill(m, &b, mend_members[i].json);
			mend_set(m, slice_from(mend_members[i].member), buf_view(&b));
			return;
		}
	}
}

/* An index without Projection, a time to live without its attribute; rows of a key with shorter names. */
static bool
mend_put_nested(struct mend *m, struct json_writer *w, const struct json *json, const void *arg)
{
	bool index = json_get(json, "IndexName") != NULL && json_get(json, "KeySchema") != NULL &&
		     json_get(json, "Projection") == NULL;
	bool expires = slice_is(json->name, "TimeToLiveSpecification") &&
		       json->type == JSON_OBJECT && json_get(json, "AttributeName") == NULL;
	const struct json *key = json_get(json, "KeyType");
	const struct json *named = json_get(json, "Name");
	const struct json *type = json_get(json, "Type");

	(void)m;
	if (named != NULL && json_get(json, "AttributeName") == NULL &&
	    (type != NULL || key != NULL)) {
		bool is_key = key != NULL || type->text.len > 1;

		json_open(w, '{');
		json_name(w, "AttributeName");
		json_value(w, named);
		json_name(w, is_key ? "KeyType" : "AttributeType");
		json_value(w, key != NULL ? key : type);
		json_close(w);
		return true;
	}
	if (!index && !expires) {
		return false;
	}
	json_open(w, '{');
	json_each (child, json) {
		json_name_slice(w, child->name);
		mend_write(m, w, child, mend_put_nested, arg);
	}
	json_name(w, index ? "Projection" : "AttributeName");
	json_raw(w, index ? SLICE("{\"ProjectionType\":\"ALL\"}") : SLICE("\"NAME\""));
	json_close(w);
	return true;
}

/* "Value null at 'key' failed to satisfy constraint: Member must not be null" */
static void
mend_missing(struct mend *m)
{
	static const char null[] = "Value null at '";

	for (const char *at = m->message; (at = strstr(at, null)) != NULL;) {
		at += sizeof(null) - 1;
		struct slice path = slice_of(at, strcspn(at, "'"));

		if (slice_chr(path, '.') == NULL) {
			mend_missing_one(m, path);
		} else {
			mend_each(m, mend_put_nested, NULL);
		}
	}
}

/* ------------------------------------------------------------ */

static void
mend_describe(struct mend *m)
{
	struct describe_table_in in = {.table = mend_text(m, "TableName")};
	struct describe_table_out out = {0};

	if (m->engine != NULL && in.table.len > 0 && m->type != OP_CREATE_TABLE &&
	    engine_describe_table(m->engine, m->c, &in, &out) == 0) {
		m->schema = out.table.schema;
	}
}

bool
mend_changes(const struct mend *m)
{
	bool changes = false;

	for (size_t i = 0; i < m->n; i++) {
		changes = changes || m->member[i].changed;
	}
	return changes;
}

void
mend_json(const struct mend *m, struct buf *out)
{
	struct json_writer w;

	json_writer_init(&w, out, 0);
	json_open(&w, '{');
	for (size_t i = 0; i < m->n; i++) {
		if (m->member[i].json != NULL) {
			json_name_slice(&w, m->member[i].name);
			json_value(&w, m->member[i].json);
		}
	}
	json_close(&w);
}

bool
mend_request(struct mend *m, const struct json *request)
{
	buf_init(&m->why, &m->c->arena);
	if (request == NULL || request->type != JSON_OBJECT || m->message == NULL) {
		return false;
	}
	json_each (child, request) {
		if (m->n == MEND_MEMBERS) {
			return false;
		}
		m->member[m->n++] = (struct mend_member){.name = child->name, .json = child};
	}
	mend_describe(m);
	mend_choices(m);
	mend_returns(m);
	mend_missing(m);
	mend_values(m);
	mend_keys(m);
	if (!mend_expressions(m)) {
		return false;
	}
	mend_query(m);
	mend_of_table(m);
	return mend_changes(m) || m->why.len > 0;
}
