/* lacking - see lacking.h */
#include "tools/lacking.h"

#include "store/base/ascii.h"
#include "store/base/json.h"
#include "store/base/near.h"
#include "store/model/item_json.h"

#include "tools/hints.h"
#include "tools/suggest.h"
#include "tools/typed_line.h"
#include "tools/words.h"

/* Is it an answer, a request or a line of an export: has it a list or a map under a name of theirs? */
static bool
lacking_is_envelope(const struct item *it, struct slice table)
{
	static const char names[] =
		"Items Item Responses RequestItems PutRequest DeleteRequest Keys NewImage";

	for (size_t i = 0; i < it->n; i++) {
		enum value_type type = it->at[i].value.type;
		struct slice name = it->at[i].name;

		if ((slice_eq(name, table) || words_in(names, name)) &&
		    (type == VALUE_L || type == VALUE_M)) {
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

/* "Type mismatch for key Id expected: N", "for Index Key Dept Expected: S": the typed line with the other type. */
static void
lacking_type(const struct ctl *ctl, struct call *c, const struct item *it)
{
	const char *name = strcasestr(c->error.message, " key ");
	const char *type = strcasestr(c->error.message, " expected: ");
	struct slice typed = slice_from(ctl->words.at[ctl->words.n - 1]);
	size_t at;

	if (name == NULL || type == NULL || type < name || ctl->words.n != 2) {
		return;
	}
	name += strlen(" key ");
	struct attr *attrs = arena_new(&c->arena, struct attr, it->n + 1);
	struct item fixed = {.at = attrs, .n = it->n};
	struct buf json, line;
	bool changed = false;

	for (size_t i = 0; i < it->n; i++) {
		struct value *v = &attrs[i].value;

		attrs[i] = it->at[i];
		if (type > name &&
		    slice_eq(it->at[i].name, slice_of(name, (size_t)(type - name)))) {
			bool number = v->type == VALUE_S && v->text.len > 0 &&
				      (ascii_digit(v->text.at[0]) || v->text.at[0] == '-') &&
				      json_fault(v->text, &at) == NULL;
			char to = type[strlen(" expected: ")];

			changed = (to == 'N' && number) || (to == 'S' && v->type == VALUE_N);
			v->type = to == 'N' ? VALUE_N : VALUE_S;
		}
	}
	buf_init(&json, &c->arena);
	buf_init(&line, &c->arena);
	item_put_json(&json, &fixed, ITEM_PLAIN);

	if (changed && typed_line_with(&line, typed, buf_view(&json))) {
		suggest_line(c, buf_view(&line));
	}
}

void
lacking_say(struct ctl *ctl, struct call *c, struct slice table, const struct item *it)
{
	const struct schema *schema = NULL;
	struct call own;
	struct buf b;

	if (c->error.code != ERR_VALIDATION || ctl->fill != NULL) {
		return;
	}
	if (strstr(c->error.message, "Type mismatch for ") != NULL) {
		lacking_type(ctl, c, it);
		return;
	}
	if (strstr(c->error.message, "Missing the key") == NULL) {
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
