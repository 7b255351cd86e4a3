/*
 * request - fuzzes the HTTP front end without HTTP: several requests to one local engine in memory
 *
 * An input is lines of "OPERATION JSON".  Each request is decoded and executed, and its answer is encoded; our own
 * client must decode the answer to the result of the engine.
 */
#include "store/local/local.h"
#include "store/wire/codec/codec.h"

#include "tests/support/kv_mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BUDGET = 64 * 1024 * 1024, NOW_S = 1700000000 };

/* Parse the operation and the JSON of a line; OP_COUNT: there is none. */
static enum op_type
split(struct slice line, struct slice *body)
{
	const char *blank = line.len == 0 ? NULL : memchr(line.at, ' ', line.len);
	struct slice name = slice_of(line.at, blank == NULL ? 0 : (size_t)(blank - line.at));

	*body = blank == NULL ? (struct slice){0} : slice_skip(line, name.len + 1);
	return op_find(name);
}

/* Return true if an action has an invalid value, which is reported when the action is checked and cannot be written. */
static bool
has_fault(const struct op_in *in)
{
	bool fault = false;

	for (size_t i = 0; in->type == OP_TRANSACT_GET_ITEMS && i < in->transact_get_items.n_gets;
	     i++) {
		fault = fault || in->transact_get_items.gets[i].fault.why.len > 0;
	}
	for (size_t i = 0;
	     in->type == OP_TRANSACT_WRITE_ITEMS && i < in->transact_write_items.n_actions; i++) {
		fault = fault || in->transact_write_items.actions[i].fault.why.len > 0;
	}
	return fault;
}

/* A decoded request can be encoded and decodes to the same. */
static void
check_in(struct call *c, const struct op_in *in)
{
	if (has_fault(in)) {
		return;
	}
	struct buf once;
	struct buf twice;
	struct op_in again = {.type = in->type};

	buf_init(&once, &c->arena);
	buf_init(&twice, &c->arena);
	codec_encode_in(&once, CODEC_OWN, in);
	int r = codec_decode_in(c, CODEC_OWN, buf_view(&once), &again);

	assert(r == 0);
	codec_encode_in(&twice, CODEC_OWN, &again);
	assert(slice_eq(buf_view(&once), buf_view(&twice)));
}

static void
check_out(struct call *c, const struct op_in *in, const struct op_out *out)
{
	struct buf once;
	struct buf twice;
	struct op_out again;

	buf_init(&once, &c->arena);
	buf_init(&twice, &c->arena);
	codec_encode_out(&once, CODEC_OWN, SLICE(""), in, out);
	int r = codec_decode_out(c, buf_view(&once), in, &again);

	assert(r == 0);
	codec_encode_out(&twice, CODEC_OWN, SLICE(""), in, &again);
	assert(slice_eq(buf_view(&once), buf_view(&twice)));
}

static void
check_error(struct call *c)
{
	struct error e = c->error;
	struct buf body;

	buf_init(&body, &c->arena);
	codec_encode_error(&body, CODEC_OWN, &e);
	int r = codec_decode_error(c, buf_view(&body), error_http(e.code));

	assert(r == -(int)e.code);
	assert(c->error.place == e.place && c->error.n_reasons == e.n_reasons);
}

static void
one_request(struct engine *e, struct slice line)
{
	struct call c;
	struct slice body;
	struct op_in in = {.type = split(line, &body)};
	struct op_out out = {.type = in.type};

	if (in.type == OP_COUNT) {
		return;
	}
	call_open(&c, NOW_S * 1000ULL, BUDGET);
	int r = codec_decode_in(&c, CODEC_OWN, body, &in);

	if (r == 0) {
		check_in(&c, &in);
		r = engine_execute(e, &c, &in, &out);
	}
	if (r == 0) {
		check_out(&c, &in, &out);
	} else {
		check_error(&c);
	}
	call_close(&c);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct call c;
	struct engine *e = NULL;
	struct slice rest = slice_of((const char *)data, size);

	call_open(&c, NOW_S * 1000ULL, BUDGET);
	int r = local_open_kv(&c, kv_mem_new(), NULL, &e);

	assert(r == 0);
	while (rest.len > 0) {
		const char *end = memchr(rest.at, '\n', rest.len);
		size_t n = end == NULL ? rest.len : (size_t)(end - rest.at);

		one_request(e, slice_of(rest.at, n));
		rest = slice_skip(rest, end == NULL ? n : n + 1);
	}
	engine_close(e);
	call_close(&c);
	return 0;
}
