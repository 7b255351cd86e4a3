/* lacking - see lacking.h */
#include "tools/advice/lacking.h"

#include "store/base/text/json.h"
#include "store/mend/mend.h"
#include "store/model/item_json.h"

#include "tools/advice/hints.h"
#include "tools/advice/suggest.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

/* Return true for an answer, a request or a line of an export: a member with one of their names is a list or map. */
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

bool
lacking_put(const struct ctl *ctl, struct call *own, struct slice table, const char *member,
	    const char *message, const struct item *it, struct slice typed, struct buf *out)
{
	struct mend m = {.c = own, .engine = ctl->engine, .type = OP_PUT_ITEM, .message = message};
	const struct json *json = NULL;
	struct item fixed;
	struct buf text = {.arena = &own->arena};
	struct buf plain = {.arena = &own->arena};

	buf_str(&text, "{\"TableName\":");
	json_put_string(&text, table);
	buf_fmt(&text, ",\"%s\":", member);
	item_put_json(&text, it, ITEM_TYPED);
	buf_char(&text, '}');
	if (json_parse(own, buf_view(&text), JSON_LAST_WINS, &json) < 0 ||
	    !mend_request(&m, json) || !m.member[1].changed ||
	    item_from_json(own, m.member[1].json, &fixed) < 0) {
		return false;
	}
	buf_slice(out, buf_view(&m.why));
	item_put_json(&plain, &fixed, ITEM_PLAIN);
	return (!slice_is(typed, "-") &&
		typed_line_said(out, out->len > 0 ? ": " : "", typed, buf_view(&plain))) ||
	       out->len > 0;
}

void
lacking_say(struct ctl *ctl, struct call *c, struct slice table, const struct item *it)
{
	bool lacks = strstr(c->error.message, "Missing the key") != NULL;

	if (c->error.code != ERR_VALIDATION || ctl->fill != NULL ||
	    (!lacks && strstr(c->error.message, "Type mismatch for ") == NULL)) {
		return;
	}
	call_scope(own, c->now_ms);
	struct buf b = {.arena = &own.arena};

	if (lacks && lacking_is_envelope(it, table)) {
		hints_import(&b, table);
	} else {
		/* With several items, or standard input, the typed line does not have the item alone. */
		const char *typed = ctl->words.n == 2 ? ctl->words.at[1] : "-";

		(void)lacking_put(ctl, &own, table, "Item", c->error.message, it, slice_from(typed),
				  &b);
	}
	if (b.len > 0) {
		suggest_line(c, buf_view(&b));
	}
}
