/* codec_test - shared by the suites of the codec: round trips between two ends of ItemFS */
#ifndef TESTS_WIRE_CODEC_TEST_H
#define TESTS_WIRE_CODEC_TEST_H

#include "store/wire/codec/codec.h"

/* State of one test, opened and closed by the two functions below. */
struct codec_test {
	struct call c;
	struct buf body;
};
extern struct codec_test codec;

void codec_setup(void);
void codec_teardown(void);

/* Encode and decode; encoding the result again must give the same bytes. */
struct op_in codec_through_in(const struct op_in *in);
struct op_out codec_through_out(const struct op_in *in, const struct op_out *answer);

/* An item with values of every type, a key, placeholders. */
struct item codec_thing(void);
struct item codec_key(void);
struct placeholders codec_holders(void);

/* Placeholders of a request that has only a projection. */
struct placeholders codec_names_only(void);

void codec_same_holders(const struct placeholders *a, const struct placeholders *b);

#define SAME_SLICE(a, b) CU_ASSERT_TRUE(slice_eq((a), (b)))
#define SAME_ITEM(a, b) CU_ASSERT_TRUE(item_eq(&(a), &(b)))
#define SAME_VALUE(a, b) CU_ASSERT_TRUE(value_eq(&(a), &(b)))

#endif
