/* item_json - fuzzes item texts: the early check and the parser must agree; a parsed item must survive both forms */
#include "store/base/core/utf8.h"
#include "store/model/item_json.h"

enum { CALL_BUDGET = 1 << 24 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static enum json_state
check(struct slice text, size_t piece)
{
	struct json_check *k = json_check_new();
	enum json_state s = JSON_OPEN;

	for (size_t n = 0; n < text.len;) {
		n = text.len - n < piece ? text.len : n + piece;
		s = json_check_text(k, slice_of(text.at, n));
	}
	assert((s == JSON_BROKEN) == (json_check_reason(k)[0] != '\0'));
	json_check_free(k);
	return s;
}

static void
check_form(struct call *c, const struct item *it, enum item_form form)
{
	const struct json *json = NULL;
	struct item back;
	struct buf text;

	buf_init(&text, &c->arena);
	item_put_json(&text, it, form);
	assert(form != ITEM_PLAIN || item_json_length(it) == text.len);
	int r = json_parse(c, buf_view(&text), JSON_STRICT, &json);

	assert(r == 0);
	r = form == ITEM_TYPED ? item_from_typed_json(c, json, &back)
			       : item_from_json(c, json, &back);
	assert(r == 0 && item_eq(it, &back) && item_size(it) == item_size(&back));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice text = {(const char *)data, size};
	enum json_state whole = check(text, size + 1);
	const struct json *json = NULL;
	struct call c;
	struct item it;

	assert(whole == check(text, 1) && whole == check(text, 7));
	text = utf8_past_mark(text); /* the mount does it, too */
	call_open(&c, 0, CALL_BUDGET);
	bool object = json_parse(&c, text, JSON_LAST_WINS, &json) == 0 && json->type == JSON_OBJECT;

	assert(object == (whole == JSON_WHOLE));
	if (object && item_from_json(&c, json, &it) == 0) {
		check_form(&c, &it, ITEM_PLAIN);
		/* Typed JSON has no attribute without a name, as in DynamoDB. */
		if (item_get(&it, SLICE("")) == NULL) {
			check_form(&c, &it, ITEM_TYPED);
		}
		it = item_copy(&c.arena, &it);
		check_form(&c, &it, ITEM_PLAIN);
	}
	call_close(&c);
	call_open(&c, 0, CALL_BUDGET);
	if (json_parse(&c, text, JSON_STRICT, &json) == 0 &&
	    item_from_typed_json(&c, json, &it) == 0) {
		/* Typed JSON has no attribute without a name, as in DynamoDB. */
		if (item_get(&it, SLICE("")) == NULL) {
			check_form(&c, &it, ITEM_TYPED);
		}
	}
	call_close(&c);
	return 0;
}
