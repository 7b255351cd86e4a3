/* Tests of the owner with sockets in place of mounts: replies, and when the sockets end. */
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <sys/socket.h>

#include "store/engine/engine.h"

#include "fs/daemon/device.h"
#include "fs/daemon/join.h"
#include "fs/daemon/options.h"
#include "fs/daemon/owner.h"
#include "fs/daemon/owner_int.h"

#include "tests/support/fixture.h"
#include "tests/support/unit.h"

enum {
	ANSWER_MS = 120000, /* until a test fails because there is no answer */
	ROOM_MIN = 1, /* for SO_SNDBUF: the kernel takes the least that it allows, a few KiB */
	PIECE = 128 * 1024,  /* bytes of a READ */
	BUDGET = 8 << 20,    /* bytes */
	REPLY_MAX = 1 << 18, /* bytes */
	NAME_BYTES = 64,     /* of a request */
	HEADER = (int)sizeof(struct fuse_out_header),
};

/* A client at the other end of a session's socket. */
struct reader {
	int fd;
	int device; /* the session's end */
	uint64_t unique;
};

static struct call c;
static char top[UNIT_FOLDER_BYTES];
static char store[UNIT_FOLDER_BYTES + 8];
static struct owner *owner;
static pthread_t runner;
static char reply[REPLY_MAX];

static struct reader
reader_new(void)
{
	int ends[2];

	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
	return (struct reader){.fd = ends[0], .device = ends[1]};
}

/* Wait for a message.  Return: its bytes, in reply; 0: the end of the socket; -1: nothing comes */
static ssize_t
reader_hear(const struct reader *r)
{
	struct pollfd fd = {.fd = r->fd, .events = POLLIN};

	return poll(&fd, 1, ANSWER_MS) == 1 ? recv(r->fd, reply, sizeof(reply), 0) : -1;
}

/* Is the socket open, without a message? */
static bool
reader_waits(const struct reader *r)
{
	return recv(r->fd, reply, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN;
}

/* Send a request.  Return: as reader_hear(); < 0 also: the errno of the reply */
static ssize_t
reader_ask(struct reader *r, uint32_t code, uint64_t node, const void *in, size_t len)
{
	char message[sizeof(struct fuse_in_header) + sizeof(struct fuse_init_in) + NAME_BYTES];
	const struct fuse_in_header h = {.len = (uint32_t)(sizeof(h) + len),
					 .opcode = code,
					 .unique = ++r->unique,
					 .nodeid = node};
	struct fuse_out_header out;

	memcpy(message, &h, sizeof(h));
	memcpy(message + sizeof(h), in, len);
	CU_ASSERT_EQUAL_FATAL(send(r->fd, message, h.len, MSG_NOSIGNAL), (ssize_t)h.len);
	ssize_t n = reader_hear(r);

	if (n < HEADER) {
		return n;
	}
	memcpy(&out, reply, sizeof(out));
	return out.error != 0 ? out.error : n;
}

static bool
reader_begin(struct reader *r)
{
	const struct fuse_init_in in = {.major = FUSE_KERNEL_VERSION, .minor = 34};

	return reader_ask(r, FUSE_INIT, 0, &in, sizeof(in)) > 0;
}

static uint64_t
reader_look_up(struct reader *r, uint64_t directory, const char *name)
{
	struct fuse_entry_out found = {0};

	if (reader_ask(r, FUSE_LOOKUP, directory, name, strlen(name) + 1) > 0) {
		memcpy(&found, reply + HEADER, sizeof(found));
	}
	return found.nodeid;
}

/* Read the beginning of the large item.  Return: as reader_ask() */
static ssize_t
reader_read(struct reader *r)
{
	const struct fuse_open_in how = {.flags = O_RDONLY};
	struct fuse_open_out opened = {0};
	uint64_t node = reader_look_up(r, reader_look_up(r, FUSE_ROOT_ID, "sim"), "large.json");

	CU_ASSERT_NOT_EQUAL(node, 0);
	CU_ASSERT_TRUE(reader_ask(r, FUSE_OPEN, node, &how, sizeof(how)) > 0);
	memcpy(&opened, reply + HEADER, sizeof(opened));

	const struct fuse_read_in in = {.fh = opened.fh, .size = PIECE};

	return reader_ask(r, FUSE_READ, node, &in, sizeof(in));
}

static void
limit_room(int device)
{
	const int room = ROOM_MIN;

	CU_ASSERT_EQUAL(setsockopt(device, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room)), 0);
}

/* ------------------------------------------------------------ the owner */

/* Put an item whose file has more bytes than a READ. */
static void
put_large(void)
{
	const char *json = arena_print(&c.arena, "{\"pk\":\"large\",\"v\":\"%0*d\"}", 2 * PIECE, 0);

	fixture.e = owner->engine;
	call_open(&fixture.c, 1795251662345, BUDGET);
	CU_ASSERT_EQUAL_FATAL(fixture_table("sim pk:S"), 0);
	CU_ASSERT_EQUAL_FATAL(fixture_put("sim", json), 0);
	call_close(&fixture.c);
	fixture.e = NULL;
}

static void
setup(void)
{
	call_open(&c, 0, BUDGET);
	unit_make_folder(top, "owner");
	(void)snprintf(store, sizeof(store), "%s/store", top);
	CU_ASSERT_EQUAL_FATAL(owner_open(&c, store, true, &owner), 0);
	put_large();
}

static void
teardown(void)
{
	(void)owner_close(owner);
	unit_remove_folder(top);
	call_close(&c);
}

static void
serve(const struct reader *r)
{
	const struct options o = {.kernel = "", .ro = true};

	CU_ASSERT_EQUAL_FATAL(owner_start(&c, owner, &o, DEVICE_SOCKET, r->device, ""), 0);
}

static void *
run(void *arg)
{
	owner_run(arg, false);
	return NULL;
}

static void
serve_until_the_end(const struct reader *r)
{
	serve(r);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&runner, NULL, run, owner), 0);
}

static void
join(struct reader *r)
{
	const struct join_request in = {
		.point = DEVICE_SOCKET, .options = "ro,", .device = r->device, .terminal = ""};
	struct join_answer answer = {.status = -1};
	int conn;

	CU_ASSERT_EQUAL_FATAL(join_connect(&c, store, &conn), 0);
	CU_ASSERT_EQUAL(join_ask(&c, conn, &in, &answer), 0);
	CU_ASSERT_EQUAL(answer.status, 0);
	(void)close(conn);
	(void)close(r->device);
	CU_ASSERT_TRUE(reader_begin(r));
}

static void
close_owner(void)
{
	int reader = owner_close(owner);

	owner = NULL;
	cleanup_fd(&reader);
}

/* ------------------------------------------------------------ tests */

static void
a_reader_waits_until_the_store_is_closed(void)
{
	struct reader r = reader_new();

	serve_until_the_end(&r);
	CU_ASSERT_TRUE(reader_begin(&r));
	(void)shutdown(r.fd, SHUT_WR);
	(void)pthread_join(runner, NULL);
	CU_ASSERT_TRUE(reader_waits(&r));
	close_owner();
	CU_ASSERT_EQUAL(reader_hear(&r), 0);
	(void)close(r.fd);
}

/* The first of two readers need not wait; @own_first: it is the owner's own, not the one that joined. */
static void
end_one_of_two(bool own_first)
{
	struct reader own = reader_new(), other = reader_new();
	struct reader *first = own_first ? &own : &other;
	struct reader *last = own_first ? &other : &own;

	serve_until_the_end(&own);
	CU_ASSERT_TRUE(reader_begin(&own));
	join(&other);
	(void)shutdown(first->fd, SHUT_WR);
	CU_ASSERT_EQUAL(reader_hear(first), 0);
	CU_ASSERT_TRUE(reader_read(last) == HEADER + PIECE);
	(void)shutdown(last->fd, SHUT_WR);
	(void)pthread_join(runner, NULL);
	CU_ASSERT_TRUE(reader_waits(last));
	close_owner();
	CU_ASSERT_EQUAL(reader_hear(last), 0);
	(void)close(own.fd);
	(void)close(other.fd);
}

static void
only_the_last_reader_waits(void)
{
	end_one_of_two(true);
}

static void
a_reader_that_joined_does_not_end_the_wait_of_the_first(void)
{
	end_one_of_two(false);
}

static void
a_reply_has_room_in_the_socket(void)
{
	struct reader r = reader_new();

	limit_room(r.device);
	serve(&r);
	CU_ASSERT_TRUE(reader_begin(&r));
	CU_ASSERT_TRUE(reader_read(&r) == HEADER + PIECE);
	(void)close(r.fd);
}

static void
a_reply_that_cannot_be_sent_ends_the_socket(void)
{
	struct reader r = reader_new();

	serve(&r);
	CU_ASSERT_TRUE(reader_begin(&r));
	limit_room(r.device);
	CU_ASSERT_EQUAL(reader_read(&r), 0);
	(void)close(r.fd);
}

static void
an_owner_that_is_ended_logs_no_line_about_a_reader(void)
{
	struct reader r = reader_new();
	FILE *log = tmpfile();
	int before = dup(STDERR_FILENO);

	CU_ASSERT_PTR_NOT_NULL_FATAL(log);
	serve(&r);
	CU_ASSERT_TRUE(reader_begin(&r));
	owner->term = true;
	(void)dup2(fileno(log), STDERR_FILENO);
	close_owner();
	(void)dup2(before, STDERR_FILENO);
	CU_ASSERT_EQUAL(lseek(fileno(log), 0, SEEK_END), 0);
	(void)fclose(log);
	(void)close(before);
	(void)close(r.fd);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_reader_waits_until_the_store_is_closed),
	UNIT_TEST(only_the_last_reader_waits),
	UNIT_TEST(a_reader_that_joined_does_not_end_the_wait_of_the_first),
	UNIT_TEST(a_reply_has_room_in_the_socket),
	UNIT_TEST(a_reply_that_cannot_be_sent_ends_the_socket),
	UNIT_TEST(an_owner_that_is_ended_logs_no_line_about_a_reader),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(owner, setup, teardown, tests);
