/* Tests of the requests that fuse_client sends, and of errors.  The replies are in the socket before the requests. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/tree/fuse_client.h"

#include "tests/support/unit.h"

static int other; /* the mount's end of the socket */
static uint64_t unique;
static struct fuse_client client;

/* Put a reply into the socket. */
static void
reply(int e, const void *data, size_t len)
{
	char message[256];
	const struct fuse_out_header h = {
		.len = (uint32_t)(sizeof(h) + len), .error = -e, .unique = ++unique * 2};

	memcpy(message, &h, sizeof(h));
	memcpy(message + sizeof(h), data, len);
	CU_ASSERT_EQUAL_FATAL(send(other, message, h.len, 0), (ssize_t)h.len);
}

/* Take the next request: its header and what follows. */
static struct fuse_in_header
request(void *in, size_t len)
{
	char message[256];
	struct fuse_in_header h = {0};

	CU_ASSERT_TRUE_FATAL(recv(other, message, sizeof(message), MSG_DONTWAIT) >=
			     (ssize_t)(sizeof(h) + len));
	memcpy(&h, message, sizeof(h));
	memcpy(in, message + sizeof(h), len);
	return h;
}

static void
setup(void)
{
	const struct fuse_init_out out = {.major = FUSE_KERNEL_VERSION, .minor = 34};
	struct fuse_init_in in;
	int ends[2];

	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
	other = ends[1];
	unique = 0;
	reply(0, &out, sizeof(out));
	CU_ASSERT_EQUAL_FATAL(fuse_client_open(&client, ends[0]), 0);
	(void)request(&in, sizeof(in));
}

static void
teardown(void)
{
	(void)close(other);
	fuse_client_close(&client);
}

static void
a_read_is_that_of_a_program(void)
{
	struct fuse_client_file file = {.node = 7, .handle = 9, .at = 100};
	struct fuse_read_in in;
	struct slice out;

	reply(0, "x", 1);
	CU_ASSERT_EQUAL(fuse_client_read(&client, &file, &out), 0);
	CU_ASSERT_TRUE(slice_is(out, "x"));
	struct fuse_in_header h = request(&in, sizeof(in));

	CU_ASSERT_EQUAL(h.opcode, FUSE_READ);
	CU_ASSERT_EQUAL(h.nodeid, 7);
	CU_ASSERT_EQUAL(in.fh, 9);
	CU_ASSERT_EQUAL(in.offset, 100);
	CU_ASSERT_EQUAL(in.read_flags, FUSE_READ_LOCKOWNER);
	CU_ASSERT_NOT_EQUAL(in.lock_owner, 0);
	/* The mount would take a pid for a program that opens files in a row. */
	CU_ASSERT_EQUAL(h.pid, 0);
}

static void
what_is_removed_after_its_lookup_is_missing(void)
{
	struct fuse_client_file file = {.node = 7};
	struct fuse_attr attr;
	struct slice out;

	for (int i = 0; i < 5; i++) {
		reply(ESTALE, "", 0);
	}
	CU_ASSERT_EQUAL(fuse_client_attributes(&client, 7, &attr), ENOENT);
	CU_ASSERT_EQUAL(fuse_client_open_file(&client, 7, &file), ENOENT);
	CU_ASSERT_EQUAL(fuse_client_open_directory(&client, 7, &file), ENOENT);
	CU_ASSERT_EQUAL(fuse_client_read(&client, &file, &out), ENOENT);
	CU_ASSERT_EQUAL(fuse_client_entries(&client, &file, false, &out), ENOENT);
}

static void
what_is_removed_while_it_is_read_is_stale(void)
{
	struct fuse_client_file file = {.node = 7, .at = 100};
	struct slice out;

	reply(ESTALE, "", 0);
	CU_ASSERT_EQUAL(fuse_client_read(&client, &file, &out), ESTALE);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_read_is_that_of_a_program),
	UNIT_TEST(what_is_removed_after_its_lookup_is_missing),
	UNIT_TEST(what_is_removed_while_it_is_read_is_stale),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(fuse_client, setup, teardown, tests);
