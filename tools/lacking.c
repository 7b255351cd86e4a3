/* lacking - see lacking.h */
#include "tools/lacking.h"

#include "store/base/ascii.h"
#include "store/base/near.h"

#include "tools/hints.h"
#include "tools/suggest.h"

/* Is it an answer, a request or a line of an export: has it a list or a map under a name of theirs? */
static bool
lacking_is_envelope(const struct item *it, struct slice table)
{
	static const char *const names[] = {"Items",        "Item",       "Responses",
					    "RequestItems", "PutRequest", "DeleteRequest",
					    "Keys",         "NewImage"};

	for (size_t i = 0; i < it->n; i++) {
		enum value_type type = it->at[i].value.type;
		bool found = slice_eq(it->at[i].name, table);

		for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++) {
			found |= slice_is(it->at[i].name, names[k]);
		}
		if (found && (type == VALUE_L || type == VALUE_M)) {
			return true;
		}
	}
	return false;
}

static const struct key_attr *
lacking_attr(const struct key_schema *key, const struct item *it)
{
	for (size_t i = 0; i < KEY_ATTRS_MAX; i++) {
		const struct key_attr *attr = key_slot(key, i);

		if (attr->name.len > 0 && item_get(it, attr->name) == NULL) {
			return attr;
		}
	}
	return NULL;
}

static void
lacking_key(struct buf *out, const struct key_schema *key, const struct item *it)
{
	const struct key_attr *attr = lacking_attr(key, it);

	if (attr == NULL) {
		return;
	}
	struct near near = near_start(attr->name);

	for (size_t i = 0; i < it->n; i++) {
		if (!key_schema_has(key, it->at[i].name)) {
			near_try(&near, it->at[i].name);
		}
	}
	buf_fmt(out, "the item lacks the key attribute %.*s, of type %s", SLICE_ARG(attr->name),
		value_type_name(attr->type));
	if (near.best.len > 0) {
		buf_fmt(out, "; it has %.*s%s", SLICE_ARG(near.best),
			ascii_same(near.best, attr->name) ? ", which differs in case" : "");
	}
}

void
lacking_say(struct ctl *ctl, struct call *c, struct slice table, const struct item *it)
{
	const struct schema *schema = NULL;
	struct call own;
	struct buf b;

	if (c->error.code != ERR_VALIDATION || ctl->fill != NULL ||
	    strstr(c->error.message, "Missing the key") == NULL) {
		return;
	}
	call_open(&own, c->now_ms, CTL_BUDGET);
	buf_init(&b, &own.arena);
	if (lacking_is_envelope(it, table)) {
		hints_import(&b, table);
	} else if (ctl_schema(ctl, &own, table, &schema) == 0) {
		lacking_key(&b, &schema->key, it);
	}
	if (b.len > 0) {
		suggest_line(c, buf_view(&b));
	}
	call_close(&own);
}
