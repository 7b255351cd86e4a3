#include "store/engine/change_line.h"

#include "tests/support/items.h"
#include "tests/support/unit_call.h"

UNIT_CALL(c);

static const struct schema schema = {
	.table = SLICE_INIT("tab"),
	.key = {.pk = {{SLICE_INIT("PK"), VALUE_S}}, .sk = {{SLICE_INIT("SK"), VALUE_N}}},
};

static struct slice
line_of(bool typed, const struct stream_record *l)
{
	struct buf out;

	buf_init(&out, &c.arena);
	change_line_put(&out, &schema, typed, l);
	return buf_view(&out);
}

static void
a_line_has_keys_and_images_which_begin_with_the_key(void)
{
	struct item old = item_of(&c, "{\"v\":1,\"SK\":2,\"PK\":\"p\"}");
	struct item updated = item_of(&c, "{\"PK\":\"p\",\"SK\":2,\"v\":\"x\\ny\"}");
	struct stream_record l = {.event = STREAM_MODIFY,
				  .seq = SLICE("007"),
				  .keys = updated,
				  .new_image = updated,
				  .old_image = old};

	CU_ASSERT_TRUE(text_is(
		line_of(false, &l),
		"{\"eventName\":\"MODIFY\",\"seq\":\"007\",\"Keys\":{\"PK\":\"p\",\"SK\":2},"
		"\"NewImage\":{\"PK\":\"p\",\"SK\":2,\"v\":\"x\\ny\"},"
		"\"OldImage\":{\"PK\":\"p\",\"SK\":2,\"v\":1}}\n"));
	l.event = STREAM_INSERT;
	l.old_image = (struct item){0};
	CU_ASSERT_TRUE(text_is(line_of(true, &l),
			       "{\"eventName\":\"INSERT\",\"seq\":\"007\","
			       "\"Keys\":{\"PK\":{\"S\":\"p\"},\"SK\":{\"N\":\"2\"}},"
			       "\"NewImage\":{\"PK\":{\"S\":\"p\"},\"SK\":{\"N\":\"2\"},"
			       "\"v\":{\"S\":\"x\\ny\"}}}\n"));
}

static void
images_that_the_stream_does_not_record_are_omitted(void)
{
	const struct stream_record l = {.event = STREAM_REMOVE,
					.seq = SLICE("1"),
					.service = true,
					.keys = item_of(&c, "{\"PK\":\"p\",\"SK\":2}")};

	CU_ASSERT_TRUE(
		text_is(line_of(false, &l),
			"{\"eventName\":\"REMOVE\",\"seq\":\"1\",\"Keys\":{\"PK\":\"p\",\"SK\":2},"
			"\"userIdentity\":{\"PrincipalId\":\"dynamodb.amazonaws.com\","
			"\"Type\":\"Service\"}}\n"));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_line_has_keys_and_images_which_begin_with_the_key),
	UNIT_TEST(images_that_the_stream_does_not_record_are_omitted),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(change_line, setup, teardown, tests);
