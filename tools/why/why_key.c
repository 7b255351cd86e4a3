/* why_key - see why_key.h; fs/format/path.h defines how the mount spells values */
#include "tools/why/why_key.h"

#include "store/base/text/base64.h"
#include "store/base/text/json.h"
#include "store/model/number.h"
#include "store/model/value.h"

#include "tools/system/call_scope.h"
#include "tools/why/why_names.h"

/* The first element of @list whose member @name is @value; NULL: none */
static const struct json *
why_key_find(const struct json *list, const char *name, struct slice value)
{
	json_each (entry, list) {
		const struct json *is = json_get(entry, name);

		if (is != NULL && slice_eq(is->text, value)) {
			return entry;
		}
	}
	return NULL;
}

static bool
why_key_of_schema(const struct json *schema, const struct json *types, struct why_key *out)
{
	static const struct slice kinds[] = {SLICE_INIT("HASH"), SLICE_INIT("RANGE")};

	for (size_t i = 0; schema != NULL && schema->n <= 2 && i < 2; i++) {
		const struct json *part = why_key_find(schema, "KeyType", kinds[i]);
		const struct json *name = json_get(part, "AttributeName");
		const struct json *type =
			name == NULL ? NULL
				     : json_get(why_key_find(types, "AttributeName", name->text),
						"AttributeType");

		if (type != NULL) {
			out->names[i] = name->text;
			out->types[i] = value_type_from_name(type->text);
		}
	}
	return out->names[0].len > 0;
}

bool
why_key_read(struct call *c, const char *root, struct slice index, struct why_key *out)
{
	static const char *const lists[] = {"GlobalSecondaryIndexes", "LocalSecondaryIndexes"};
	const struct json *table = NULL;

	*out = (struct why_key){0};
	if (json_parse(c, why_names_read(c, root, SLICE(".table.json")), JSON_LAST_WINS, &table) !=
		    0 ||
	    json_get(table, "TableName") == NULL) {
		return false;
	}
	const struct json *keyed = index.len == 0 ? table : NULL;

	for (size_t i = 0; keyed == NULL && i < sizeof(lists) / sizeof(lists[0]); i++) {
		keyed = why_key_find(json_get(table, lists[i]), "IndexName", index);
	}
	out->table = json_get(table, "TableName")->text;
	return why_key_of_schema(json_get(keyed, "KeySchema"),
				 json_get(table, "AttributeDefinitions"), out);
}

/*
 * Append bytes in lower-case hex.  @value is read as hex, as Base64 if it ends with '=', else as the bytes themselves.
 */
static void
why_key_put_bytes(struct buf *out, struct slice value)
{
	cleanup(buf_release) struct buf bytes = {0};
	size_t digits = 0;

	while (digits < value.len &&
	       (ascii_digit(value.at[digits]) ||
		(ascii_lower(value.at[digits]) >= 'a' && ascii_lower(value.at[digits]) <= 'f'))) {
		digits++;
	}
	if (digits == value.len && digits % 2 == 0) {
		for (size_t i = 0; i < digits; i++) {
			buf_char(out, ascii_lower(value.at[i]));
		}
		return;
	}
	bool coded =
		value.len > 0 && value.at[value.len - 1] == '=' && base64_decode(&bytes, value);
	struct slice plain = coded ? buf_view(&bytes) : value;

	for (size_t i = 0; i < plain.len; i++) {
		buf_fmt(out, "%02x", (unsigned)(unsigned char)plain.at[i]);
	}
}

/* Append the canonical form of a number, unless @value has it or is no number; else return false. */
static bool
why_key_put_number(struct slice value, struct buf *out)
{
	struct slice canonical;
	call_scope(own, 0);

	if (number_canonical(&own, value, &canonical) != 0 || slice_eq(canonical, value)) {
		return false;
	}
	buf_slice(out, canonical);
	return true;
}

const char *
why_key_respell(const struct why_key *key, size_t part, struct slice value, struct buf *out)
{
	assert(part < 2);
	struct slice name = key->names[part];
	struct slice rest = slice_starts(value, name) ? slice_skip(value, name.len) : value;
	bool named = name.len > 0 && rest.len > 1 && rest.len < value.len && rest.at[0] == '=';
	size_t before = out->len;

	value = named ? slice_skip(rest, 1) : value;
	if (name.len > 0 && key->types[part] == VALUE_N && why_key_put_number(value, out)) {
		return "each number has only one name here";
	}
	if (name.len > 0 && key->types[part] == VALUE_B) {
		why_key_put_bytes(out, value);
		if (!slice_eq(slice_skip(buf_view(out), before), value)) {
			return "a binary key is written in lower-case hex";
		}
		out->len = before;
	}
	if (named && out->len == before) {
		buf_slice(out, value);
		return "the name is only the value of the key";
	}
	return NULL;
}
