/*
 * response - fuzzes the answers of a remote server: any bytes, to every operation
 *
 * Input: the name of an operation, a blank, and the body of its answer; the body is also decoded as that of an
 * error.
 */
#include "store/wire/codec/codec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BUDGET = 64 * 1024 * 1024 };

/* Return a request with the members that its answer is matched against. */
static struct op_in
request(enum op_type type)
{
	static const struct batch_get gets[] = {{.table = SLICE_INIT("one")},
						{.table = SLICE_INIT("two")}};
	static const struct transact_get pair[2];
	struct op_in in = {.type = type};

	if (type == OP_BATCH_GET_ITEM) {
		in.batch_get_item = (struct batch_get_item_in){.tables = gets, .n_tables = 2};
	} else if (type == OP_TRANSACT_GET_ITEMS) {
		in.transact_get_items = (struct transact_get_items_in){.gets = pair, .n_gets = 2};
	} else if (type == OP_PUT_ITEM) {
		in.put_item.write.return_values = RETURN_ALL_OLD;
	} else if (type == OP_UPDATE_ITEM) {
		in.update_item.write.return_values = RETURN_UPDATED_NEW;
	} else if (type == OP_DELETE_ITEM) {
		in.delete_item.write.return_values = RETURN_ALL_OLD;
	}
	return in;
}

static void
try_answer(enum op_type type, struct slice body)
{
	struct call c;
	struct op_in in = request(type);
	struct op_out out;

	call_open(&c, 0, BUDGET);
	int r = codec_decode_out(&c, body, &in, &out);

	assert(r <= 0 && -r == (int)c.error.code);
	if (r == 0) {
		struct buf once;
		struct buf twice;
		struct op_out again;

		buf_init(&once, &c.arena);
		buf_init(&twice, &c.arena);
		codec_encode_out(&once, CODEC_OWN, SLICE(""), &in, &out);
		r = codec_decode_out(&c, buf_view(&once), &in, &again);
		assert(r == 0);
		codec_encode_out(&twice, CODEC_OWN, SLICE(""), &in, &again);
		assert(slice_eq(buf_view(&once), buf_view(&twice)));
	}
	call_close(&c);
}

static void
try_error(int status, struct slice body)
{
	struct call c;

	call_open(&c, 0, BUDGET);
	int r = codec_decode_error(&c, body, status);

	assert(r < 0 && -r == (int)c.error.code && c.error.message != NULL);
	call_close(&c);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	const char *blank = size == 0 ? NULL : memchr(text, ' ', size);

	if (blank == NULL) {
		return 0;
	}
	struct slice name = slice_of(text, (size_t)(blank - text));
	struct slice body = slice_skip(slice_of(text, size), name.len + 1);
	enum op_type type = op_find(name);

	if (type != OP_COUNT) {
		try_answer(type, body);
		try_error(error_http(ERR_VALIDATION), body);
		try_error(error_http(ERR_IO), body);
	}
	return 0;
}
