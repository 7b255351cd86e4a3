#include "tests/wire/codec_test.h"

#include "tests/support/unit.h"
#include "tests/wire/wire_test.h"

struct codec_test codec;

void
codec_setup(void)
{
	call_open(&codec.c, 0, 16 << 20);
	buf_init(&codec.body, NULL);
}

void
codec_teardown(void)
{
	buf_release(&codec.body);
	call_close(&codec.c);
}

struct op_in
codec_through_in(const struct op_in *in)
{
	struct op_in out = {.type = in->type};
	struct buf again;

	buf_clear(&codec.body);
	codec_encode_in(&codec.body, CODEC_OWN, in);
	int r = codec_decode_in(&codec.c, CODEC_OWN, buf_view(&codec.body), &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	buf_init(&again, &codec.c.arena);
	codec_encode_in(&again, CODEC_OWN, &out);
	CU_ASSERT_TRUE(slice_eq(buf_view(&again), buf_view(&codec.body)));
	return out;
}

struct op_out
codec_through_out(const struct op_in *in, const struct op_out *answer)
{
	struct op_out out = {.type = in->type};
	struct buf again;

	buf_clear(&codec.body);
	codec_encode_out(&codec.body, CODEC_OWN, SLICE(""), in, answer);
	int r = codec_decode_out(&codec.c, buf_view(&codec.body), in, &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	buf_init(&again, &codec.c.arena);
	codec_encode_out(&again, CODEC_OWN, SLICE(""), in, &out);
	CU_ASSERT_TRUE(slice_eq(buf_view(&again), buf_view(&codec.body)));
	return out;
}

struct item
codec_thing(void)
{
	return wire_item(
		&codec.c,
		"{\"PK\":{\"S\":\"a\\\"b\\n\\u00e9\"},\"N\":{\"N\":\"-12.5\"},\"B\":{\"B\":"
		"\"AAEC/w==\"},\"T\":{\"BOOL\":true},\"F\":{\"BOOL\":false},\"Z\":{"
		"\"NULL\":true},\"L\":{\"L\":[{\"S\":\"\"},{\"L\":[]}]},\"M\":{\"M\":{"
		"\"k\":{\"N\":\"0\"}}},\"SS\":{\"SS\":[\"x\",\"y\"]},\"NS\":{\"NS\":"
		"[\"1\",\"2\"]},\"BS\":{\"BS\":[\"AA==\",\"AQ==\"]}}");
}

struct item
codec_key(void)
{
	return wire_item(&codec.c, "{\"PK\":{\"S\":\"p#1\"},\"SK\":{\"N\":\"7\"}}");
}

struct placeholders
codec_holders(void)
{
	static const struct name_alias names[] = {
		{SLICE_INIT("#a"), SLICE_INIT("Name")},
		{SLICE_INIT("#b"), SLICE_INIT("a.b")},
	};

	return (struct placeholders){
		.names = names,
		.n_names = 2,
		.names_given = true,
		.values = wire_item(&codec.c, "{\":v\":{\"S\":\"x\"},\":w\":{\"NS\":[\"1\"]}}"),
		.values_given = true,
	};
}

struct placeholders
codec_names_only(void)
{
	struct placeholders ph = codec_holders();

	ph.values = (struct item){0};
	ph.values_given = false;
	return ph;
}

void
codec_same_holders(const struct placeholders *a, const struct placeholders *b)
{
	CU_ASSERT_EQUAL_FATAL(a->n_names, b->n_names);
	for (size_t i = 0; i < a->n_names; i++) {
		SAME_SLICE(a->names[i].alias, b->names[i].alias);
		SAME_SLICE(a->names[i].name, b->names[i].name);
	}
	SAME_ITEM(a->values, b->values);
	CU_ASSERT_EQUAL(a->names_given, b->names_given);
	CU_ASSERT_EQUAL(a->values_given, b->values_given);
}
