/*
 * codec - whole bodies: JSON to struct op_in and struct op_out, and back
 *
 * The file of each operation's family defines its members.  The engine checks limits and key schemas later
 * (op/validate.h).  Encoding cannot fail.
 */
#include "store/base/text/json.h"
#include "store/op/op.h"
#include "store/op/order.h"
#include "store/op/validate.h"
#include "store/wire/codec/codec_int.h"
#include "store/wire/codec/shape.h"

enum { ANSWER_BYTES = 512 }; /* enough for most answers, so that they need no larger buffer later */

static const struct {
	const struct shape *const *request;
	const struct shape *const *answer;
} decode_shapes[OP_COUNT] = {
#define OP(NAME, name, Name, kind, group, meter, check) \
	[OP_##NAME] = {&codec_request_to_##name, &codec_answer_to_##name},
#include "store/op/op.def"
#undef OP
};

const struct shape *
shape_of_request(enum op_type type)
{
	return type < OP_COUNT ? *decode_shapes[type].request : &shape_nothing;
}

const struct shape *
shape_of_answer(enum op_type type)
{
	return type < OP_COUNT ? *decode_shapes[type].answer : &shape_nothing;
}

/* Return whether the answer of an operation has an empty body, without even braces. */
static bool
codec_says_nothing(enum op_type type)
{
	return type == OP_TAG_RESOURCE || type == OP_UNTAG_RESOURCE;
}

/* ------------------------------------------------------------ from JSON */

/* End reading.  If a value could not be read, report instead the first error of the checks that precede values. */
static int
decode_end(struct codec_reader *r, const struct op_in *in)
{
	int status = codec_reader_end(r);

	if (r->deferred.code == 0 || r->n_faults > 0 || r->missing.len > 0) {
		return status;
	}
	r->c->error = (struct error){0};
	int before = r->deep ? order_check_deep(r->c, in) : 0;

	r->bare = before < 0;
	if (before == 0) {
		before = order_check_before(r->c, in, r->part);
	}
	if (before == 0) {
		r->c->error = r->deferred;
	}
	return before < 0 ? before : status;
}

int
codec_decode_in(struct call *c, enum codec_peer peer, struct slice body, struct op_in *in)
{
	struct codec_reader r;
	const struct json *root = NULL;
	int status = codec_reader_open(&r, c, peer, body, &root);

	if (status < 0) {
		return status;
	}
	*in = (struct op_in){.type = in->type};
	c->older = op_is_older(in->type);
	assert(in->type < OP_COUNT);
	status = shape_read_request(&r, shape_of_request(in->type), root, &in->create_table);
	if (status < 0) {
		return status;
	}
	status = decode_end(&r, in);
	bool single =
		in->type == OP_PUT_ITEM || in->type == OP_UPDATE_ITEM || in->type == OP_DELETE_ITEM;

	return single && !r.bare ? validate_envelop(c, status) : status;
}

int
codec_decode_out(struct call *c, struct slice body, const struct op_in *in, struct op_out *out)
{
	struct codec_reader r;
	const struct json *root = NULL;

	if (body.len == 0 && codec_says_nothing(in->type)) {
		body = SLICE("{}");
	}
	int status = codec_reader_open(&r, c, CODEC_OWN, body, &root);

	if (status < 0) {
		return status;
	}
	*out = (struct op_out){.type = in->type};
	r.in = in;
	status = shape_read(&r, shape_of_answer(in->type), root, &out->create_table);
	return status < 0 ? status : codec_reader_end(&r);
}

/* ------------------------------------------------------------ to JSON */

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
		(void)buf_room(body, ANSWER_BYTES);
		json_open(&w.json, '{');
	}
	shape_write(&w, shape_of_answer(in->type), &out->create_table);
	json_close(&w.json);
	arena_drop(&w.arena);
}
