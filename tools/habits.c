/* habits - from operations to commands, from answers to items */
#include "tools/habits.h"

#include "store/base/ascii.h"
#include "store/op/op.h"

/* Operations that have a command of another name. */
static const struct {
	enum op_type type;
	const char *command;
} renamed[] = {
	{OP_LIST_TABLES, "tables"},
	{OP_DESCRIBE_TABLE, "describe"},
	{OP_UPDATE_TABLE, "alter"},
	{OP_DELETE_TABLE, "drop"},
	{OP_PUT_ITEM, "put"},
	{OP_GET_ITEM, "get"},
	{OP_UPDATE_ITEM, "update"},
	{OP_DELETE_ITEM, "delete"},
	{OP_TRANSACT_GET_ITEMS, "transact"},
	{OP_TRANSACT_WRITE_ITEMS, "transact"},
};

enum { RENAMED = sizeof(renamed) / sizeof(renamed[0]) };

/* "put-item" as the API has it: "PutItem". */
static void
put_api_name(struct buf *out, const char *name)
{
	bool begins = true;

	for (; *name != '\0'; name++) {
		if (*name != '-') {
			buf_char(out, begins && *name >= 'a' && *name <= 'z'
					      ? (char)(*name - 'a' + 'A')
					      : *name);
		}
		begins = *name == '-';
	}
}

int
habits_command(struct call *c, const char *name)
{
	struct buf api;

	buf_init(&api, &c->arena);
	put_api_name(&api, name);
	enum op_type type = op_find(buf_view(&api));

	if (type == OP_COUNT || op_group(type) == OP_ITEMFS) {
		return 0;
	}
	for (size_t i = 0; i < RENAMED; i++) {
		if (renamed[i].type == type) {
			return call_fail(c, ERR_VALIDATION,
					 "there is no command \"%s\"; it is called %s here", name,
					 renamed[i].command);
		}
	}
	return call_fail(c, ERR_VALIDATION,
			 "there is no command \"%s\"; any operation is called with: call %s", name,
			 op_name(type));
}

static bool
has_name(const struct json *json, struct slice name)
{
	json_each (member, json) {
		if (slice_eq(member->name, name)) {
			return true;
		}
	}
	return false;
}

/* {"TABLE":[{"PutRequest":...}, ...]}: what batch-write-item takes. */
static bool
is_requests(const struct json *json)
{
	json_each (table, json) {
		json_each (request, table) {
			return table->type == JSON_ARRAY && request->type == JSON_OBJECT &&
			       json_get(request, "PutRequest") != NULL;
		}
	}
	return false;
}

int
habits_item(struct call *c, const struct json *json, const struct key_schema *key)
{
	if (json->type != JSON_OBJECT || has_name(json, key->pk[0].name)) {
		return 0;
	}
	const struct json *items = json_get(json, "Items");
	const struct json *item = json_get(json, "Item");

	if (items != NULL && items->type == JSON_ARRAY) {
		return call_fail(c, ERR_VALIDATION,
				 "this is the answer of a scan or query; \"jq -c '.Items[]'\" "
				 "makes items of it");
	}
	if (item != NULL && item->type == JSON_OBJECT) {
		return call_fail(c, ERR_VALIDATION,
				 "this is {\"Item\":...}, as an export has it: "
				 "--from dynamodb-export");
	}
	if (is_requests(json)) {
		return call_fail(
			c, ERR_VALIDATION,
			"these are requests; \"jq -c '.[][].PutRequest.Item'\" makes items "
			"of them");
	}
	return 0;
}
