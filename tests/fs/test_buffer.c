#include "fs/file/buffer.h"
#include "fs/format/view.h"

#include "tests/support/unit.h"

static struct buffer b;

static void
setup(void)
{
	buffer_init(&b);
}

static void
teardown(void)
{
	buffer_release(&b);
}

static enum buffer_verdict
append(const char *text)
{
	return buffer_write(&b, b.text.len, slice_from(text));
}

static bool
text_is(const char *text)
{
	return slice_is(buffer_text(&b), text);
}

static void
judges_a_text_as_it_grows(void)
{
	buffer_empty(&b);
	CU_ASSERT_EQUAL(b.state, BUFFER_EMPTIED);
	CU_ASSERT_EQUAL(append(" {\"a\":"), BUFFER_GOES_ON);
	CU_ASSERT_EQUAL(b.state, BUFFER_DIRTY);
	CU_ASSERT_EQUAL(append("1"), BUFFER_GOES_ON);
	CU_ASSERT_EQUAL(append("}"), BUFFER_COMPLETE);
	CU_ASSERT_EQUAL(append("\n"), BUFFER_GOES_ON);
	CU_ASSERT_EQUAL(append("x"), BUFFER_REFUSED);
	CU_ASSERT_TRUE(b.poisoned);
	CU_ASSERT_TRUE(buffer_reason(&b)[0] != '\0');
	CU_ASSERT_TRUE(text_is(" {\"a\":1}\nx"));
}

static void
refuses_a_text_that_cannot_become_an_object(void)
{
	static const char *const texts[] = {"x",         "[",    "\"a\"",         "{]", "{\"a\" 1",
					    "{\"a\":01", "{}{}", "{\"a\":\"\xff", "{,"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		buffer_empty(&b);
		CU_ASSERT_EQUAL(append(texts[i]), BUFFER_REFUSED);
	}
}

static void
only_blanks_may_be_appended_to_a_complete_item(void)
{
	buffer_load(&b, SLICE("{\"a\":1}\n"));
	CU_ASSERT_EQUAL(append(" \n"), BUFFER_COMPLETE);
	CU_ASSERT_EQUAL(append("{"), BUFFER_REFUSED);
}

static void
writes_at_other_offsets_are_judged_later(void)
{
	buffer_load(&b, SLICE("{\"a\":1}\n"));
	CU_ASSERT_EQUAL(buffer_write(&b, 5, SLICE("x")), BUFFER_GOES_ON);
	CU_ASSERT_TRUE(text_is("{\"a\":x}\n"));
	CU_ASSERT_EQUAL(append("more"), BUFFER_GOES_ON);
	CU_ASSERT_FALSE(b.poisoned);
}

static void
a_hole_is_zeros(void)
{
	buffer_empty(&b);
	CU_ASSERT_EQUAL(buffer_write(&b, 2, SLICE("x")), BUFFER_GOES_ON);
	CU_ASSERT_TRUE(slice_eq(buffer_text(&b), slice_of("\0\0x", 3)));
	buffer_resize(&b, 5);
	CU_ASSERT_TRUE(slice_eq(buffer_text(&b), slice_of("\0\0x\0\0", 5)));
	buffer_resize(&b, 1);
	CU_ASSERT_EQUAL(b.text.len, 1);
}

static void
truncating_to_nothing_ends_the_poison(void)
{
	buffer_empty(&b);
	(void)append("x");
	CU_ASSERT_EQUAL(append("y"), BUFFER_REFUSED);
	buffer_resize(&b, 1);
	CU_ASSERT_TRUE(b.poisoned);
	buffer_resize(&b, 0);
	CU_ASSERT_FALSE(b.poisoned);
	CU_ASSERT_EQUAL(b.state, BUFFER_DIRTY);
	CU_ASSERT_EQUAL(append("{}"), BUFFER_COMPLETE);
}

static void
refuses_a_text_above_the_limit(void)
{
	buffer_empty(&b);
	CU_ASSERT_EQUAL(buffer_write(&b, VIEW_TEXT_MAX, SLICE("x")), BUFFER_TOO_LONG);
	CU_ASSERT_TRUE(b.poisoned);
	CU_ASSERT_EQUAL(buffer_write(&b, SIZE_MAX, SLICE("x")), BUFFER_TOO_LONG);
	buffer_empty(&b);
	CU_ASSERT_EQUAL(buffer_write(&b, VIEW_TEXT_MAX - 1, SLICE("x")), BUFFER_GOES_ON);
	CU_ASSERT_EQUAL(b.text.len, VIEW_TEXT_MAX);
}

/* The verdict on a text does not depend on the pieces in which it is written. */
static void
the_pieces_of_a_text_do_not_matter(void)
{
	static const char text[] = "{\"k\":[1,{\"x\":\"\\u00e4\"},null],\"n\":-1.5e3}";

	for (size_t cut = 0; cut < sizeof(text) - 1; cut++) {
		buffer_empty(&b);
		enum buffer_verdict first = buffer_write(&b, 0, slice_of(text, cut));
		enum buffer_verdict second = buffer_write(&b, cut, slice_from(text + cut));

		CU_ASSERT_EQUAL(first, BUFFER_GOES_ON);
		CU_ASSERT_EQUAL(second, BUFFER_COMPLETE);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(judges_a_text_as_it_grows),
	UNIT_TEST(refuses_a_text_that_cannot_become_an_object),
	UNIT_TEST(only_blanks_may_be_appended_to_a_complete_item),
	UNIT_TEST(writes_at_other_offsets_are_judged_later),
	UNIT_TEST(a_hole_is_zeros),
	UNIT_TEST(truncating_to_nothing_ends_the_poison),
	UNIT_TEST(refuses_a_text_above_the_limit),
	UNIT_TEST(the_pieces_of_a_text_do_not_matter),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(buffer, setup, teardown, tests);
