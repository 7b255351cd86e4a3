#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "store/base/system/folder.h"

#include "fs/daemon/join.h"

#include "tests/support/unit.h"

static struct call c;
static char top[UNIT_FOLDER_BYTES];
static char store[512]; /* a directory in top */
static int listener;

static void
setup(void)
{
	call_open(&c, 0, 8 * 1024 * 1024);
	unit_make_folder(top, "join");
	(void)snprintf(store, sizeof(store), "%s/store", top);
	(void)mkdir(store, 0700);
	listener = -1;
}

static void
teardown(void)
{
	if (listener >= 0) {
		(void)close(listener);
	}
	folder_remove(top);
	call_close(&c);
}

/* The requesting side, in its own thread; the owner answers in the test's thread. */
struct asker {
	struct call call;
	struct join_request in;
	struct join_answer answer;
	char sentence[64];
	int r;
};

static void *
ask(void *arg)
{
	struct asker *a = arg;
	int conn;

	call_open(&a->call, 0, 1024 * 1024);
	a->r = join_connect(&a->call, store, &conn);
	if (a->r == 0) {
		a->r = join_ask(&a->call, conn, &a->in, &a->answer);
		if (a->r == 0) {
			(void)snprintf(a->sentence, sizeof(a->sentence), "%s", a->answer.sentence);
		}
		(void)close(conn);
	}
	call_close(&a->call);
	return NULL;
}

static int
accept_one(void)
{
	int conn = -1;

	(void)fcntl(listener, F_SETFL, 0);
	conn = join_accept(listener);
	if (conn >= 0) {
		(void)fcntl(conn, F_SETFL, 0);
	}
	return conn;
}

static void
round_trip(void)
{
	struct asker a = {.in = {.point = "/some where",
				 .options = "table=a\\,b,",
				 .number = 1ULL << 40,
				 .terminal = "1 2 /dev/pts/3"}};
	struct join_request got;
	struct stat st;
	int ends[2];
	pthread_t thread;
	int r = join_listen(&c, store, &listener);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(pipe(ends), 0);
	a.in.device = ends[1];
	CU_ASSERT_EQUAL(pthread_create(&thread, NULL, ask, &a), 0);

	int conn = accept_one();

	CU_ASSERT_FALSE(join_is_foreign(conn));
	r = join_receive(&c, conn, &got);
	CU_ASSERT_EQUAL(r, 0);
	if (r == 0) {
		CU_ASSERT_STRING_EQUAL(got.point, "/some where");
		CU_ASSERT_STRING_EQUAL(got.options, "table=a\\,b,");
		CU_ASSERT_EQUAL(got.number, 1ULL << 40);
		CU_ASSERT_STRING_EQUAL(got.terminal, "1 2 /dev/pts/3");
		/* The descriptor is a duplicate of the pipe's. */
		char byte = 0;

		CU_ASSERT_NOT_EQUAL(got.device, ends[1]);
		CU_ASSERT_EQUAL(write(got.device, "x", 1), 1);
		CU_ASSERT_EQUAL(read(ends[0], &byte, 1), 1);
		CU_ASSERT_EQUAL(byte, 'x');
		CU_ASSERT_EQUAL(fcntl(got.device, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
		(void)close(got.device);
	}
	join_reply(conn, &(struct join_answer){ERR_NO_TABLE, "no such table"});
	(void)pthread_join(thread, NULL);
	CU_ASSERT_EQUAL(a.r, 0);
	CU_ASSERT_EQUAL(a.answer.status, ERR_NO_TABLE);
	CU_ASSERT_STRING_EQUAL(a.sentence, "no such table");
	(void)close(conn);
	(void)close(ends[0]);
	(void)close(ends[1]);
	char path[600];

	(void)snprintf(path, sizeof(path), "%s/%s", store, JOIN_SOCKET);
	CU_ASSERT_EQUAL(stat(path, &st), 0);
	CU_ASSERT_EQUAL(st.st_mode & 07777, 0600);
}

static void
carries_a_request_a_descriptor_and_an_answer(void)
{
	round_trip();
}

static void
reaches_a_store_with_a_path_longer_than_a_socket_address(void)
{
	char deep[512];

	(void)rmdir(store);
	(void)snprintf(store, sizeof(store), "%s/%0200d", top, 1);
	(void)snprintf(deep, sizeof(deep), "%s", store);
	CU_ASSERT_EQUAL(mkdir(deep, 0700), 0);
	round_trip();
}

static void
finds_nobody_where_nobody_listens(void)
{
	int conn;

	CU_ASSERT_EQUAL(join_connect(&c, store, &conn), JOIN_NOBODY);
	CU_ASSERT_EQUAL(join_listen(&c, store, &listener), 0);
	(void)close(listener);
	listener = -1;
	/* The socket exists, but nobody listens. */
	CU_ASSERT_EQUAL(join_connect(&c, store, &conn), JOIN_NOBODY);
	CU_ASSERT_EQUAL(join_listen(&c, store, &listener), 0);
}

static void
finds_nobody_when_the_owner_exits_without_an_answer(void)
{
	struct asker a = {.in = {.point = "", .options = "", .device = -1, .terminal = ""}};
	pthread_t thread;

	CU_ASSERT_EQUAL(join_listen(&c, store, &listener), 0);
	CU_ASSERT_EQUAL(pthread_create(&thread, NULL, ask, &a), 0);
	(void)close(accept_one());
	(void)pthread_join(thread, NULL);
	CU_ASSERT_EQUAL(a.r, JOIN_NOBODY);
}

static const struct {
	const char *bytes;
	size_t len;
} malformed[] = {
	{"x", 1},      {"\0", 1},        {"/mnt\0ro", 7},       {"/mnt\0ro\0", 8},
	{"\0a\0x", 4}, {"\0a\0x\0y", 6}, {"/mnt\0ro\0x\0", 10}, /* well-formed, but without a descriptor */
	{"/mnt", 5},
};

static void
refuses_a_malformed_request(void)
{
	for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++) {
		struct join_request got;
		int ends[2];

		CU_ASSERT_EQUAL(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
		CU_ASSERT_EQUAL(send(ends[0], malformed[i].bytes, malformed[i].len, 0),
				(ssize_t)malformed[i].len);
		CU_ASSERT_EQUAL(join_receive(&c, ends[1], &got), -ERR_VALIDATION);
		(void)close(ends[0]);
		(void)close(ends[1]);
	}
}

static void
refuses_a_message_that_is_too_long(void)
{
	char *options = arena_new(&c.arena, char, JOIN_MESSAGE_MAX + 1);
	struct join_request in = {.point = "", .options = options, .device = -1, .terminal = ""};
	struct join_answer answer;

	memset(options, 'x', JOIN_MESSAGE_MAX);
	CU_ASSERT_EQUAL(join_ask(&c, -1, &in, &answer), -ERR_VALIDATION);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(carries_a_request_a_descriptor_and_an_answer),
	UNIT_TEST(reaches_a_store_with_a_path_longer_than_a_socket_address),
	UNIT_TEST(finds_nobody_where_nobody_listens),
	UNIT_TEST(finds_nobody_when_the_owner_exits_without_an_answer),
	UNIT_TEST(refuses_a_malformed_request),
	UNIT_TEST(refuses_a_message_that_is_too_long),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(join, setup, teardown, tests);
