/* Tests of a long text of which only a part is in memory. */
#include "fs/made/text_window.h"

#include "tests/support/unit.h"

#define ROOM ((size_t)128 * 1024)
#define PARTS 1000

static struct text_window text;

static void
setup(void)
{
	text = (struct text_window){0};
}

static void
teardown(void)
{
	text_window_release(&text);
}

static void
append(const char *bytes, size_t room)
{
	struct piece *p = text_window_new(&text);

	(void)buf_room(&p->text, room);
	buf_str(&p->text, bytes);
	text_window_append(&text, p);
}

static size_t
count(void)
{
	size_t n = 0;

	for (const struct piece *p = text.first; p != NULL; p = p->next) {
		n++;
	}
	return n;
}

/* Return true if the bytes from @offset on begin with these. */
static bool
has(uint64_t offset, const char *bytes)
{
	struct iovec parts[PARTS];
	uint64_t end;
	size_t len = strlen(bytes);
	size_t at = 0;
	bool same = true;
	int n = text_window_find(&text, offset, len, parts, PARTS, &end);

	for (int i = 0; i < n; at += parts[i++].iov_len) {
		same = same && memcmp(bytes + at, parts[i].iov_base, parts[i].iov_len) == 0;
	}
	return same && at == len && end == offset + len;
}

static void
short_texts_share_their_memory(void)
{
	for (size_t i = 0; i < 100000; i++) {
		append("a line\n", ROOM);
	}
	CU_ASSERT_EQUAL(text.end, 700000);
	CU_ASSERT_TRUE(count() <= 700000 / ROOM + 1);
	for (uint64_t at = 0; at < 699993; at += 7777) {
		CU_ASSERT_TRUE(has(at, "a line\na"));
	}
}

static void
a_long_text_has_its_own_memory(void)
{
	append("ab", 2);
	size_t cap = text.last->text.cap;
	const char *there = text.last->text.at;

	while (text.last->text.len < cap) {
		append("c", ROOM);
	}
	CU_ASSERT_EQUAL(count(), 1);
	CU_ASSERT_PTR_EQUAL(text.last->text.at, there);
	append("def", ROOM);
	CU_ASSERT_EQUAL(count(), 2);
	CU_ASSERT_EQUAL(text.last->at, cap);
	CU_ASSERT_TRUE(has(cap - 1, "cdef"));
	CU_ASSERT_TRUE(has(0, "abc"));
}

static void
an_empty_text_is_no_piece(void)
{
	append("", ROOM);
	CU_ASSERT_EQUAL(count(), 0);
	append("x", ROOM);
	append("", ROOM);
	CU_ASSERT_EQUAL(count(), 1);
	CU_ASSERT_TRUE(text.end == 1 && has(0, "x"));
}

static void
forgets_pieces_but_the_last(void)
{
	static char full[ROOM + 1];

	memset(full, 'f', ROOM);
	for (size_t i = 0; i < 8; i++) {
		append(full, ROOM);
	}
	CU_ASSERT_EQUAL(count(), 8);
	text_window_forget(&text, 3 * ROOM + 1);
	CU_ASSERT_EQUAL(count(), 5);
	CU_ASSERT_EQUAL(text.first->at, 3 * ROOM);
	CU_ASSERT_TRUE(has(3 * ROOM + 1, full));
	text_window_forget(&text, UINT64_MAX);
	CU_ASSERT_EQUAL(count(), 1);
	CU_ASSERT_EQUAL(text.first->at, 7 * ROOM);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(short_texts_share_their_memory),
	UNIT_TEST(a_long_text_has_its_own_memory),
	UNIT_TEST(an_empty_text_is_no_piece),
	UNIT_TEST(forgets_pieces_but_the_last),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(text_window, setup, teardown, tests);
