/* habits - from answers to items */
#include "tools/habits.h"

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
		return call_fail(c, ERR_USAGE,
				 "this is the answer of a scan or query; \"jq -c '.Items[]'\" "
				 "makes items of it");
	}
	if (item != NULL && item->type == JSON_OBJECT) {
		return call_fail(c, ERR_USAGE,
				 "this is {\"Item\":...}, as an export has it: "
				 "--from dynamodb-export");
	}
	if (is_requests(json)) {
		return call_fail(
			c, ERR_USAGE,
			"these are requests; \"jq -c '.[][].PutRequest.Item'\" makes items "
			"of them");
	}
	return 0;
}
