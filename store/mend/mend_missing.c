/* mend_missing - members that are missing, of the request and of the objects in it */
#include "store/base/text/json.h"
#include "store/engine/engine.h"
#include "store/mend/mend_int.h"
#include "store/model/schema.h"
#include "store/model/value.h"

/* Appends a key of the table with the value VALUE, or 0 for a number. */
static void
mend_put_key(struct mend *m, struct buf *out)
{
	const struct key_schema *key = m->schema == NULL ? NULL : &m->schema->key;

	if (key == NULL) {
		buf_str(out, "{\"PK\":{\"S\":\"VALUE\"}}");
		return;
	}
	key_each (a, key) {
		buf_str(out, a == key->pk ? "{" : ",");
		json_put_string(out, a->name);
		buf_fmt(out, ":{\"%s\":\"%s\"}", value_type_name(a->type),
			a->type == VALUE_N ? "0" : "VALUE");
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

/* An example for each member. mend_fill() replaces KEY and TABLE. */
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

/* Appends @json with the name and key of the request's table, or of an existing table. */
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

/* Completes an index without Projection and a time to live without its attribute, and corrects short names in rows. */
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

/* The message is "Value null at 'key' failed to satisfy constraint: Member must not be null". */
void
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
