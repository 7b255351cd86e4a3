/*
 * codec_write - writes members of a JSON body
 *
 * Items go directly from the value tree into the body's buffer.  Only the few members around them pass through the
 * JSON writer.
 */
#include <stdio.h>

#include "store/base/core/utf8.h"
#include "store/base/text/json.h"
#include "store/model/item_json.h"
#include "store/wire/codec/codec_int.h"

/* Let the JSON writer append its comma, and return its buffer, to which the caller appends a value. */
static struct buf *
by_hand(struct codec_writer *w)
{
	json_raw(&w->json, SLICE(""));
	return w->json.out;
}

void
codec_open(struct codec_writer *w, const char *name, char bracket)
{
	json_name(&w->json, name);
	json_open(&w->json, bracket);
}

bool
codec_open_own(struct codec_writer *w)
{
	if (w->peer == CODEC_OWN) {
		codec_open(w, "ItemFS", '{');
	}
	return w->peer == CODEC_OWN;
}

void
codec_put_string(struct codec_writer *w, const char *name, struct slice s)
{
	if (s.len > 0) {
		json_name(&w->json, name);
		json_string(&w->json, s);
	}
}

void
codec_put_text(struct codec_writer *w, struct slice s)
{
	if (utf8_valid(s)) {
		json_string(&w->json, s);
		return;
	}
	struct buf ascii;

	buf_init(&ascii, NULL);
	buf_slice(&ascii, s);
	for (size_t i = 0; i < ascii.len; i++) {
		if ((unsigned char)ascii.at[i] > 0x7f) {
			ascii.at[i] = '?';
		}
	}
	json_string(&w->json, buf_view(&ascii));
	buf_release(&ascii);
}

void
codec_put_time(struct codec_writer *w, uint64_t ms)
{
	char text[40];
	int n = snprintf(text, sizeof(text), "%llu.%03u", (unsigned long long)(ms / 1000),
			 (unsigned)(ms % 1000));

	json_raw(&w->json, slice_of(text, (size_t)n));
}

void
codec_put_element(struct codec_writer *w, const struct item *it)
{
	item_put_json(by_hand(w), it, ITEM_TYPED);
}

void
codec_put_item(struct codec_writer *w, const char *name, const struct item *it)
{
	json_name(&w->json, name);
	codec_put_element(w, it);
}

void
codec_put_member(struct codec_writer *w, const struct value *v)
{
	value_put_json(by_hand(w), v, ITEM_TYPED);
}
