/* key_text - see key_text.h */
#include "store/model/key_text.h"

#include "store/base/core/utf8.h"
#include "store/base/text/base64.h"
#include "store/model/number.h"

static int
key_text_binary(struct call *c, const struct key_attr *attr, struct slice text, struct value *out)
{
	struct buf bytes;

	buf_init(&bytes, &c->arena);
	if (!base64_decode(&bytes, text)) {
		return call_fail(c, ERR_USAGE, "%.*s is binary: \"%.*s\" is not base64",
				 SLICE_ARG(attr->name), SLICE_ARG(text));
	}
	out->text = buf_view(&bytes);
	return 0;
}

int
key_text_parse(struct call *c, const struct key_attr *attr, struct slice text, struct value *out)
{
	*out = (struct value){.type = attr->type, .text = text};
	if (text.len == 0) {
		return call_fail(c, ERR_USAGE, "%.*s is a key and must not be empty",
				 SLICE_ARG(attr->name));
	}
	if (attr->type == VALUE_N) {
		return number_canonical(c, text, &out->text);
	}
	if (attr->type == VALUE_B) {
		return key_text_binary(c, attr, text, out);
	}
	if (!utf8_valid(text)) {
		return call_fail(c, ERR_USAGE, "%.*s is a string: these bytes are not UTF-8",
				 SLICE_ARG(attr->name));
	}
	return 0;
}

struct slice
key_text_of(struct arena *a, const struct value *v)
{
	struct buf b;

	if (v->type != VALUE_B) {
		return v->text;
	}
	buf_init(&b, a);
	base64_encode(&b, v->text);
	return buf_view(&b);
}
