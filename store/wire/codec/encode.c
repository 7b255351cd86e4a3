/*
 * encode - struct op_in to JSON in the client, and struct op_out to JSON in the server
 *
 * The inverse of decode.c.  Appends to a buffer and cannot fail.
 */
#include <assert.h>

#include "store/base/text/json.h"
#include "store/wire/codec/shape.h"

void
codec_encode_in(struct buf *body, enum codec_peer peer, const struct op_in *in)
{
	struct codec_writer w = {.peer = peer};

	arena_init(&w.arena, SIZE_MAX);
	json_writer_init(&w.json, body, 0);
	json_open(&w.json, '{');
	shape_write(&w, shape_of_request(in->type), &in->create_table);
	json_close(&w.json);
	arena_drop(&w.arena);
}

static const char items_begin[] = "{\"Items\":[";

void
codec_encode_ahead(struct buf *body, struct op_in *in)
{
	struct read_in *read = in->type == OP_QUERY  ? &in->query.read
			       : in->type == OP_SCAN ? &in->scan.read
						     : NULL;

	assert(body->len == 0);
	if (read != NULL && read->select != SELECT_COUNT) {
		buf_str(body, items_begin);
		read->text =
			(struct page_text){.out = body, .form = ITEM_TYPED, .between = SLICE(",")};
	}
}

bool
codec_says_nothing(enum op_type type)
{
	return type == OP_TAG_RESOURCE || type == OP_UNTAG_RESOURCE;
}

/* Return whether the engine has appended the items to the body. */
static bool
encode_has_items(const struct op_in *in, const struct op_out *out)
{
	return (in->type == OP_QUERY && out->query.page.in_text) ||
	       (in->type == OP_SCAN && out->scan.page.in_text);
}

void
codec_encode_out(struct buf *body, enum codec_peer peer, struct slice region,
		 const struct op_in *in, const struct op_out *out)
{
	/* The members of the union have the same address. */
	struct codec_writer w = {.peer = peer, .region = region, .in = &in->create_table};

	if (codec_says_nothing(in->type) && peer == CODEC_FOREIGN) {
		return;
	}
	arena_init(&w.arena, SIZE_MAX);
	json_writer_init(&w.json, body, 0);
	if (encode_has_items(in, out)) {
		assert(body->len >= sizeof(items_begin) - 1);
		buf_char(body, ']');
		json_reopen(&w.json, '{');
	} else {
		buf_clear(body);
		json_open(&w.json, '{');
	}
	shape_write(&w, shape_of_answer(in->type), &out->create_table);
	json_close(&w.json);
	arena_drop(&w.arena);
}
