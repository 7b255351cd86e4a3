/* habits - from answers and requests to items */
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

/* The member @name, if it is an object. */
static const struct json *
object_in(const struct json *json, const char *name)
{
	const struct json *found = json_get(json, name);

	return found != NULL && found->type == JSON_OBJECT ? found : NULL;
}

int
habits_item(struct call *c, const struct json *json, const struct key_schema *key,
	    const struct json **out)
{
	*out = NULL;
	if (json->type != JSON_OBJECT || has_name(json, key->pk[0].name)) {
		return 0;
	}
	const struct json *put = object_in(json, "PutRequest");
	const struct json *items = json_get(json, "Items");

	*out = object_in(put == NULL ? json : put, "Item");
	if (*out != NULL) {
		return 0;
	}
	if (object_in(json, "DeleteRequest") != NULL) {
		return call_fail(c, ERR_USAGE,
				 "a DeleteRequest is no item: itemctl call BatchWriteItem FILE "
				 "does what requests say");
	}
	if (items != NULL && items->type == JSON_ARRAY) {
		return call_fail(c, ERR_USAGE,
				 "this is the answer of a scan or query; \"jq -c '.Items[]'\" "
				 "makes items of several of them");
	}
	return 0;
}
