#include <sys/socket.h>

#include "store/base/text/unpack.h"

#include "tests/support/unit.h"

/* "hello\n" and "you\n", each compressed by gzip. */
#define HEAD "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"
#define HELLO HEAD "\xcb\x48\xcd\xc9\xc9\xe7\x02\x00\x20\x30\x3a\x36\x06\x00\x00\x00"
#define YOU HEAD "\xab\xcc\x2f\xe5\x02\x00\xba\xd8\x65\xc6\x04\x00\x00\x00"

static int
file_of(struct slice bytes)
{
	char name[] = "/tmp/unpack-XXXXXX";
	int fd = mkstemp(name);

	(void)unlink(name);
	CU_ASSERT_EQUAL(write(fd, bytes.at, bytes.len), (ssize_t)bytes.len);
	(void)lseek(fd, 0, SEEK_SET);
	return fd;
}

/* Read everything, at most @step bytes at a time.  Return: the result of the last read */
static ssize_t
all(struct slice bytes, size_t step, char *out, bool *packed)
{
	struct unpack *u = unpack_open(file_of(bytes));
	size_t len = 0;
	ssize_t n;

	while ((n = unpack_read(u, out + len, step)) > 0) {
		len += (size_t)n;
	}
	out[len] = '\0';
	*packed = unpack_packed(u);
	if (n == 0) {
		CU_ASSERT_EQUAL(unpack_bytes(u), bytes.len);
		CU_ASSERT_EQUAL(unpack_read(u, out + len, step), 0);
	}
	unpack_close(u);
	return n;
}

static void
reads(struct slice bytes, const char *text, bool compressed)
{
	for (size_t step = 1; step < 20; step += 9) {
		char out[64];
		bool packed = !compressed;

		CU_ASSERT_EQUAL(all(bytes, step, out, &packed), 0);
		CU_ASSERT_STRING_EQUAL(out, text);
		CU_ASSERT_EQUAL(packed, compressed);
	}
}

static void
reads_plain_and_compressed_files(void)
{
	reads(SLICE(""), "", false);
	reads(SLICE("x"), "x", false);
	reads(SLICE("\x1f"), "\x1f", false);
	reads(SLICE("hello you, here"), "hello you, here", false);
	reads(SLICE(HELLO), "hello\n", true);
	reads(SLICE(HELLO YOU), "hello\nyou\n", true);
	reads(SLICE(HELLO "\0\0\0"), "hello\n", true);
}

static void
damaged(struct slice bytes)
{
	char out[64];
	bool packed;

	CU_ASSERT_EQUAL(all(bytes, 16, out, &packed), UNPACK_DAMAGED);
}

static void
notices_trailing_garbage_and_damage(void)
{
	char bytes[] = HELLO YOU;
	size_t first = sizeof(HELLO) - 1;

	damaged(SLICE(HELLO "x"));
	damaged(SLICE(HELLO "\0\0x"));
	damaged(SLICE(HELLO "hello"));
	for (size_t cut = first + 1; cut < sizeof(bytes) - 1; cut++) {
		damaged(slice_of(bytes, cut));
	}
	for (size_t cut = 2; cut < first; cut++) {
		damaged(slice_of(bytes, cut));
	}
	for (size_t at = first; at < sizeof(bytes) - 1; at++) {
		if (at - first < 4 || at - first > 9) { /* not the time and system fields */
			bytes[at] ^= '\x11';
			damaged(slice_of(bytes, sizeof(bytes) - 1));
			bytes[at] ^= '\x11';
		}
	}
}

/* The bytes that are in the socket are returned before more arrive. */
static void
does_not_wait_for_more_than_is_available(void)
{
	int fd[2];
	char out[64];

	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	struct unpack *u = unpack_open(fd[0]);

	CU_ASSERT_EQUAL(write(fd[1], "abc", 3), 3);
	CU_ASSERT_EQUAL(unpack_read(u, out, sizeof(out)), 3);
	CU_ASSERT_EQUAL(write(fd[1], "de", 2), 2);
	CU_ASSERT_EQUAL(unpack_read(u, out, sizeof(out)), 2);
	(void)close(fd[1]);
	CU_ASSERT_EQUAL(unpack_read(u, out, sizeof(out)), 0);
	unpack_close(u);
}

static void
reports_that_a_file_cannot_be_read(void)
{
	struct unpack *u = unpack_open(-1);
	char out[4];

	CU_ASSERT_EQUAL(unpack_read(u, out, sizeof(out)), UNPACK_IO);
	unpack_close(u);
	unpack_close(NULL);
}

static void
begins_with_the_given_bytes(void)
{
	struct unpack *u = unpack_open(file_of(SLICE(" there")));
	char out[64];

	unpack_give(u, SLICE("hello"));
	CU_ASSERT_EQUAL(unpack_bytes(u), 0);
	CU_ASSERT_TRUE(slice_is(unpack_peek(u, 3), "hel"));
	CU_ASSERT_EQUAL(unpack_read(u, out, sizeof(out)), 5);
	CU_ASSERT_EQUAL(unpack_read(u, out + 5, sizeof(out) - 5), 6);
	CU_ASSERT_TRUE(slice_is(slice_of(out, 11), "hello there"));
	CU_ASSERT_EQUAL(unpack_bytes(u), 11);
	CU_ASSERT_EQUAL(unpack_read(u, out, sizeof(out)), 0);
	unpack_close(u);
}

static void
the_beginning_can_be_inspected_before_it_is_read(void)
{
	struct unpack *u = unpack_open(file_of(SLICE(HELLO)));
	char out[64];

	CU_ASSERT_TRUE(slice_is(unpack_peek(u, 2), "\x1f\x8b"));
	CU_ASSERT_EQUAL(unpack_peek(u, 100).len, sizeof(HELLO) - 1);
	CU_ASSERT_EQUAL(unpack_read(u, out, sizeof(out)), 6);
	unpack_close(u);

	u = unpack_open(file_of(SLICE(HELLO)));
	CU_ASSERT_EQUAL(unpack_peek(u, 4).len, 4);
	unpack_plain(u);
	CU_ASSERT_FALSE(unpack_waits(u));
	CU_ASSERT_EQUAL(unpack_read(u, out, sizeof(out)), sizeof(HELLO) - 1);
	CU_ASSERT_EQUAL(memcmp(out, HELLO, sizeof(HELLO) - 1), 0);
	CU_ASSERT_FALSE(unpack_packed(u));
	CU_ASSERT_EQUAL(unpack_read(u, out, sizeof(out)), 0);
	unpack_close(u);

	u = unpack_open(-1);
	CU_ASSERT_EQUAL(unpack_peek(u, 4).len, 0);
	CU_ASSERT_EQUAL(unpack_read(u, out, sizeof(out)), UNPACK_IO);
	unpack_close(u);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(reads_plain_and_compressed_files),
	UNIT_TEST(notices_trailing_garbage_and_damage),
	UNIT_TEST(does_not_wait_for_more_than_is_available),
	UNIT_TEST(the_beginning_can_be_inspected_before_it_is_read),
	UNIT_TEST(begins_with_the_given_bytes),
	UNIT_TEST(reports_that_a_file_cannot_be_read),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(unpack, NULL, NULL, tests);
