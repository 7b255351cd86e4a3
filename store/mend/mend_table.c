/* mend_table - corrects definitions of tables: name, attributes, billing, order of the key schema */
#include "store/base/text/json.h"
#include "store/mend/mend_int.h"
#include "store/model/value.h"

/* Whether @json contains a KeySchema, of the table or of an index, with the attribute @name. */
static bool
mend_in_key(const struct json *json, struct slice name)
{
	json_each (child, json) {
		const struct json *attribute = json_get(child, "KeyType") == NULL
						       ? NULL
						       : json_get(child, "AttributeName");

		if ((attribute != NULL && slice_eq(attribute->text, name)) ||
		    mend_in_key(child, name)) {
			return true;
		}
	}
	return false;
}

/* Whether @name is in a KeySchema of the request. */
static bool
mend_keyed(const struct mend *m, struct slice name)
{
	bool is = false;

	for (size_t i = 0; i < m->n; i++) {
		is = is || (m->member[i].json != NULL && mend_in_key(m->member[i].json, name));
	}
	return is;
}

/* Appends a row to @rows for each key attribute in @json that has none. */
static void
mend_define(struct mend *m, const struct json *json, struct buf *rows)
{
	json_each (child, json) {
		const struct json *name = json_get(child, "KeyType") == NULL
						  ? NULL
						  : json_get(child, "AttributeName");
		struct buf row;

		mend_define(m, child, rows);
		if (name == NULL) {
			continue;
		}
		buf_init(&row, &m->c->arena);
		buf_str(&row, "{\"AttributeName\":");
		json_put_string(&row, name->text);
		buf_str(&row, ",\"AttributeType\":");
		if (rows->len == 0 || memmem(rows->at, rows->len, row.at, row.len) == NULL) {
			enum value_type type = mend_key_type(m, name->text);

			mend_why(
				m,
				"%.*s is a key attribute: its type, S, N or B, must be defined, too",
				SLICE_ARG(name->text));
			buf_fmt(rows, "%s%.*s\"%s\"}", rows->len == 0 ? "" : ",",
				SLICE_ARG(buf_view(&row)),
				type == VALUE_TYPES ? "S" : value_type_name(type));
		}
	}
}

/* Makes AttributeDefinitions define all attributes of keys and, in CreateTable, no others. */
static void
mend_definitions(struct mend *m)
{
	const struct json *given = mend_get(m, "AttributeDefinitions");
	struct buf rows;
	struct buf b;

	if ((m->type != OP_CREATE_TABLE && m->type != OP_UPDATE_TABLE) ||
	    (given == NULL && m->type == OP_CREATE_TABLE) ||
	    (m->type == OP_UPDATE_TABLE && !mend_refused(m, "AttributeDefinitions"))) {
		return;
	}
	buf_init(&rows, &m->c->arena);
	buf_init(&b, &m->c->arena);
	json_each (row, given) {
		const struct json *name = json_get(row, "AttributeName");
		bool needed =
			name == NULL || mend_keyed(m, name->text) || m->type == OP_UPDATE_TABLE;

		if (needed) {
			buf_str(&rows, rows.len == 0 ? "" : ",");
			buf_slice(&rows, mend_raw(m, row));
		} else {
			mend_why(m, "%.*s is not a key attribute: only key attributes are defined",
				 SLICE_ARG(name->text));
		}
	}
	for (size_t i = 0; i < m->n; i++) {
		mend_define(m, m->member[i].json, &rows);
	}
	if (rows.len > 0) {
		buf_fmt(&b, "[%.*s]", SLICE_ARG(buf_view(&rows)));
		mend_set(m, SLICE("AttributeDefinitions"), buf_view(&b));
	}
}

/* Makes a refused TableName valid: 3 to 255 letters, digits, "_", "." and "-". */
static void
mend_table_name(struct mend *m)
{
	struct slice name = mend_text(m, "TableName");
	struct buf b;

	if (!mend_refused(m, "' at 'tableName' failed") || name.len == 0) {
		return;
	}
	buf_init(&b, &m->c->arena);
	for (size_t i = 0; i < name.len; i++) {
		char ch = name.at[i];

		buf_char(&b, ascii_word(ch) || strchr(".-", ch) != NULL ? ch : '_');
	}
	buf_str(&b, name.len < 3 ? "-table" : "");
	b.len = b.len > 255 ? 255 : b.len;
	mend_why(m, "the name of a table has 3 to 255 letters, digits, _, . and -");
	mend_set_text(m, SLICE("TableName"), buf_view(&b));
}

void
mend_of_table(struct mend *m)
{
	mend_table_name(m);
	if (m->type == OP_CREATE_TABLE && mend_get(m, "BillingMode") == NULL &&
	    mend_get(m, "ProvisionedThroughput") == NULL) {
		mend_set_text(m, SLICE("BillingMode"), SLICE("PAY_PER_REQUEST"));
	} else if (mend_refused(m, "when BillingMode is PAY_PER_REQUEST")) {
		mend_set(m, SLICE("ProvisionedThroughput"), (struct slice){0});
	}
	if (mend_refused(m, "first KeySchemaElement is not a HASH")) {
		const struct json *rows = mend_get(m, "KeySchema");
		struct buf b;

		buf_init(&b, &m->c->arena);
		if (rows != NULL && rows->n == 2) {
			buf_fmt(&b, "[%.*s,", SLICE_ARG(mend_raw(m, rows->child->next)));
			buf_fmt(&b, "%.*s]", SLICE_ARG(mend_raw(m, rows->child)));
			mend_set(m, SLICE("KeySchema"), buf_view(&b));
		} else if (rows != NULL && rows->n == 1) {
			mend_put_rows(m, &b, "KeySchema", true);
			mend_set(m, SLICE("KeySchema"), buf_view(&b));
		}
	}
	mend_definitions(m);
}
