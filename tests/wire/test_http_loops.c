/* The loops of a server on TCP: their number, how they share the connections, and their end while they are busy. */
#include <fcntl.h>
#include <microhttpd.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "tests/support/unit.h"
#include "tests/support/wait_again.h"
#include "tests/wire/server_fixture.h"

enum { LOOPS_MAX = 4, SPARE = 64 /* see server.c */ };

#define HEALTH "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"

static struct {
	atomic_bool loses; /* a loop has no memory for a connection of TCP, and closes it */
	atomic_uint own;   /* connections without a client, with which lost ones are searched */
	unsigned cpus;     /* processors that the machine has */
	bool large;        /* it may have more of them than a cpu_set_t holds */
	int loops;         /* number of loops that were to start */
	int fails_from;    /* this one of them, and all later ones, cannot start; 0: all can */
} made = {.cpus = LOOPS_MAX};

static void
setup(void)
{
	made.loses = false;
	made.own = 0;
	made.cpus = LOOPS_MAX;
	made.large = false;
	made.fails_from = 0;
	server_fixture_open();
}

/* NOLINTBEGIN(bugprone-reserved-identifier): the linker's names */

struct MHD_Daemon *__wrap_MHD_start_daemon(unsigned flags, uint16_t port,
					   MHD_AcceptPolicyCallback accepts, void *accepts_arg,
					   MHD_AccessHandlerCallback access, void *access_arg, ...);
enum MHD_Result __real_MHD_add_connection(struct MHD_Daemon *daemon, int fd,
					  const struct sockaddr *from, socklen_t n);
enum MHD_Result __wrap_MHD_add_connection(struct MHD_Daemon *daemon, int fd,
					  const struct sockaddr *from, socklen_t n);
int __wrap_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *cpus);

struct MHD_Daemon *
__wrap_MHD_start_daemon(unsigned flags, uint16_t port, MHD_AcceptPolicyCallback accepts,
			void *accepts_arg, MHD_AccessHandlerCallback access, void *access_arg, ...)
{
	struct MHD_Daemon *daemon = NULL;
	va_list options;

	va_start(options, access_arg);
	made.loops++;
	if (made.fails_from == 0 || made.loops < made.fails_from) {
		daemon = MHD_start_daemon_va(flags, port, accepts, accepts_arg, access, access_arg,
					     options);
	}
	va_end(options);
	return daemon;
}

enum MHD_Result
__wrap_MHD_add_connection(struct MHD_Daemon *daemon, int fd, const struct sockaddr *from,
			  socklen_t n)
{
	if (atomic_load(&made.loses) && from->sa_family == AF_INET) {
		(void)close(fd);
		return MHD_YES;
	}
	enum MHD_Result r = __real_MHD_add_connection(daemon, fd, from, n);

	atomic_fetch_add(&made.own, from->sa_family != AF_INET);
	return r;
}

int
__wrap_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *cpus)
{
	(void)pid;
	if (made.large && size <= sizeof(*cpus)) {
		errno = EINVAL;
		return -1;
	}
	CPU_ZERO_S(size, cpus);
	for (unsigned i = 0; i < made.cpus; i++) {
		CPU_SET_S(i, size, cpus);
	}
	return 0;
}

/* NOLINTEND(bugprone-reserved-identifier) */

/* Start another server on TCP that keeps @most connections; 0: as many as it can. */
static int
start(unsigned most, struct server **s)
{
	const struct server_options o = {
		.listen = "127.0.0.1:0",
		.limits = {.most = most, .stop_ms = SERVER_FIXTURE_STOP_MS}};

	*s = NULL;
	made.loops = 0;
	return server_start(&server_fixture.c, &server_fixture.fake.engine, &o, s);
}

/* Is a new client of the server answered? */
static bool
answers(const struct server *s)
{
	(void)wire_talk(NULL, server_port(s), HEALTH, strlen(HEALTH), server_fixture.answer,
			sizeof(server_fixture.answer));
	return server_fixture_status() == 200;
}

/* ------------------------------------------------------------ the number of loops */

static void
each_processor_has_a_loop(void)
{
	struct server *s;

	made.cpus = LOOPS_MAX - 1;
	CU_ASSERT_EQUAL_FATAL(start(0, &s), 0);
	CU_ASSERT_EQUAL(made.loops, LOOPS_MAX - 1);
	server_stop(s);
}

static void
a_large_machine_has_at_most_four_loops(void)
{
	struct server *s;

	made.large = true;
	made.cpus = CPU_SETSIZE + 1;
	CU_ASSERT_EQUAL_FATAL(start(0, &s), 0);
	CU_ASSERT_EQUAL(made.loops, LOOPS_MAX);
	server_stop(s);
}

static void
a_server_goes_on_with_the_loops_that_start(void)
{
	struct server *s;

	made.fails_from = 2;
	CU_ASSERT_EQUAL_FATAL(start(0, &s), 0);
	CU_ASSERT_TRUE(answers(s));
	server_stop(s);
}

static void
a_server_without_a_loop_does_not_start(void)
{
	struct server *s;

	made.fails_from = 1;
	CU_ASSERT_EQUAL(start(0, &s), -ERR_IO);
	CU_ASSERT_PTR_NULL(s);
	wire_forget(&server_fixture.c);
}

static int
lowest_free_descriptor(void)
{
	int fd = dup(STDOUT_FILENO);

	(void)close(fd);
	return fd;
}

/* libmicrohttpd closes the listener of the Unix socket after some errors, but not after all. */
static void
a_server_that_does_not_start_closes_its_socket(void)
{
	char path[sizeof(server_fixture.path) + 1];
	const struct server_options o = {.socket = path};
	struct server *s = NULL;

	(void)snprintf(path, sizeof(path), "%s2", server_fixture.path);
	made.loops = 0;
	made.fails_from = 1;
	int free_before = lowest_free_descriptor();

	CU_ASSERT_EQUAL(server_start(&server_fixture.c, &server_fixture.fake.engine, &o, &s),
			-ERR_IO);
	CU_ASSERT_EQUAL(lowest_free_descriptor(), free_before);
	CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
	wire_forget(&server_fixture.c);
}

/* ------------------------------------------------------------ connections */

/* Send @n requests on connections of their own, and read their answers when the engine has all of them. */
static void
ask_concurrently(int port, unsigned n)
{
	const char *request =
		server_fixture_post("DynamoDB_20120810.GetItem", SERVER_FIXTURE_GET_ITEM);
	int fd[LOOPS_MAX];

	fake_engine_hold(&server_fixture.fake);
	for (unsigned i = 0; i < n; i++) {
		fd[i] = wire_connect(NULL, port);
		(void)send(fd[i], request, strlen(request), MSG_NOSIGNAL);
	}
	fake_engine_wait_inside(&server_fixture.fake, n);
	fake_engine_open(&server_fixture.fake);
	for (unsigned i = 0; i < n; i++) {
		(void)wire_read(fd[i], server_fixture.answer, sizeof(server_fixture.answer));
		CU_ASSERT_EQUAL(server_fixture_status(), 200);
		(void)close(fd[i]);
	}
	CU_ASSERT_EQUAL(server_fixture.fake.most_inside, n);
}

/* Of as many connections as there are loops, each loop gets one, also when idle ones exist. */
static void
connections_are_spread_over_the_loops(void)
{
	int port = server_port(server_fixture.tcp);
	int idle[2 * LOOPS_MAX];

	for (int i = 0; i < 2 * LOOPS_MAX; i++) {
		idle[i] = wire_connect(NULL, port);
	}
	server_fixture.fake.submit = FAKE_AT_ONCE; /* in the loop */
	ask_concurrently(port, LOOPS_MAX);
	for (int i = 0; i < 2 * LOOPS_MAX; i++) {
		(void)close(idle[i]);
	}
}

/* Let the loops lose @n connections of the server. */
static void
lose_connections(const struct server *s, int n)
{
	char byte;

	atomic_store(&made.loses, true);
	for (int i = 0; i < n; i++) {
		int fd = wire_connect(NULL, server_port(s));
		ssize_t got = recv(fd, &byte, 1, 0);

		CU_ASSERT_EQUAL_FATAL(got, 0);
		(void)close(fd);
	}
	atomic_store(&made.loses, false);
}

/* A loop does not report a connection that it has lost.  Those must not fill the server for ever. */
static void
lost_connections_leave_room(void)
{
	struct server *s;

	CU_ASSERT_EQUAL_FATAL(start(1, &s), 0);
	lose_connections(s, 1 + SPARE + 1);
	CU_ASSERT_TRUE(answers(s));
	server_stop(s);
}

/* Connect and send a request. */
static int
begin(const struct server *s)
{
	int fd = wire_connect(NULL, server_port(s));

	(void)send(fd, HEALTH, strlen(HEALTH), MSG_NOSIGNAL);
	return fd;
}

/* Read the answer.  Return: its status; 0: none */
static unsigned
read_status(int fd)
{
	(void)wire_read(fd, server_fixture.answer, sizeof(server_fixture.answer));
	return server_fixture_status();
}

/* A client waits, and the only place that is left gets free ten times a second. */
static void
lost_connections_leave_room_while_clients_come_and_go(void)
{
	enum { TRIES = 600, WAIT_MS = 100 };
	struct server *s;
	bool room = false;

	CU_ASSERT_EQUAL_FATAL(start(1, &s), 0);
	lose_connections(s, SPARE);
	int fd = begin(s);

	CU_ASSERT_EQUAL(read_status(fd), 200);
	for (int i = 0; i < TRIES && !room; i++) {
		struct pollfd next = {.fd = begin(s), .events = POLLIN};

		room = poll(&next, 1, WAIT_MS) > 0;
		(void)close(fd);
		fd = next.fd;
		CU_ASSERT_EQUAL(read_status(fd), 200);
	}
	CU_ASSERT_TRUE(room);
	(void)close(fd);
	server_stop(s);
}

static void
the_search_for_lost_connections_closes_no_other(void)
{
	struct server *s;
	unsigned tries = 0;

	CU_ASSERT_EQUAL_FATAL(start(1, &s), 0);
	int idle = begin(s);

	CU_ASSERT_EQUAL(read_status(idle), 200);
	lose_connections(s, SPARE);
	while (atomic_load(&made.own) < LOOPS_MAX && wait_again(&tries)) {
	}
	CU_ASSERT_EQUAL(atomic_load(&made.own), LOOPS_MAX);
	(void)send(idle, HEALTH, strlen(HEALTH), MSG_NOSIGNAL);
	CU_ASSERT_EQUAL(read_status(idle), 200);
	(void)close(idle);
	server_stop(s);
}

/* ------------------------------------------------------------ the end */

struct client {
	pthread_t thread;
	int port;
	const char *request;
	atomic_uint *answered;
	atomic_uint
		*wrong; /* answers that are cut short, or have another status than 200 and 503 */
};

/* Return whether an answer is complete, and has status 200 or 503. */
static bool
is_right(const char *answer, size_t n)
{
	return wire_is_complete(answer, n) && (strncmp(answer, "HTTP/1.1 200 ", 13) == 0 ||
					       strncmp(answer, "HTTP/1.1 503 ", 13) == 0);
}

/* Send requests on one connection until the server closes it. */
static void *
ask_until_it_ends(void *arg)
{
	const struct client *client = arg;
	size_t len = strlen(client->request);
	int fd = wire_connect(NULL, client->port);
	char said[SERVER_FIXTURE_ANSWER_BYTES];
	size_t n;

	while (send(fd, client->request, len, MSG_NOSIGNAL) > 0 &&
	       (n = wire_read(fd, said, sizeof(said))) > 0) {
		atomic_fetch_add(client->answered, 1);
		atomic_fetch_add(client->wrong, !is_right(said, n));
	}
	(void)close(fd);
	return NULL;
}

/* Stop a server while eight clients send the request again and again. */
static void
stop_while_clients_ask(const char *request)
{
	enum { MANY = 8 };
	struct client clients[MANY];
	struct server *s;
	atomic_uint answered = 0;
	atomic_uint wrong = 0;
	unsigned tries = 0;

	CU_ASSERT_EQUAL_FATAL(start(0, &s), 0);
	for (int i = 0; i < MANY; i++) {
		clients[i].port = server_port(s);
		clients[i].request = request;
		clients[i].answered = &answered;
		clients[i].wrong = &wrong;
		(void)pthread_create(&clients[i].thread, NULL, ask_until_it_ends, &clients[i]);
	}
	while (atomic_load(&answered) < 2 * MANY && wait_again(&tries)) {
	}
	CU_ASSERT_TRUE(atomic_load(&answered) >= 2 * MANY);
	server_stop(s);
	for (int i = 0; i < MANY; i++) {
		(void)pthread_join(clients[i].thread, NULL);
	}
	CU_ASSERT_EQUAL(atomic_load(&wrong), 0);
}

/* In half of the rounds, requests are suspended, and other threads resume them. */
static void
the_server_stops_while_its_loops_are_busy(void)
{
	enum { ROUNDS = 50 };
	const char *get_item =
		server_fixture_post("DynamoDB_20120810.GetItem", SERVER_FIXTURE_GET_ITEM);

	server_fixture.fake.submit = FAKE_LATER;
	for (int round = 0; round < ROUNDS; round++) {
		stop_while_clients_ask(round % 2 == 0 ? HEALTH : get_item);
	}
}

/* One of them sends nothing, the other one a head without its body. */
static void
clients_without_a_request_do_not_delay_the_end(void)
{
	static const char head[] = "POST / HTTP/1.1\r\nHost: localhost\r\n"
				   "Expect: 100-continue\r\nContent-Length: 100\r\n\r\n";
	const struct server_options o = {.listen = "127.0.0.1:0",
					 .limits = {.head_ms = SERVER_FIXTURE_STOP_MS,
						    .arrival_ms = SERVER_FIXTURE_STOP_MS,
						    .stop_ms = SERVER_FIXTURE_STOP_MS}};
	char byte;

	server_fixture_restart(&o);
	int idle = wire_connect(NULL, server_port(server_fixture.tcp));
	int half = wire_connect(NULL, server_port(server_fixture.tcp));

	(void)send(half, head, sizeof(head) - 1, MSG_NOSIGNAL);
	ssize_t n = recv(half, &byte, 1, 0); /* the head has arrived */

	CU_ASSERT_EQUAL(n, 1);
	server_stop(server_fixture.tcp);
	server_fixture.tcp = NULL;
	(void)close(idle);
	(void)close(half);
}

/* A client whose request has begun to arrive has sent nothing wrong, so no message says that it does not speak HTTP. */
static void
the_end_complains_about_no_client(void)
{
	struct server *s;
	int said = memfd_create("said", MFD_CLOEXEC);
	int before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	char text[1024] = "";

	made.cpus = 1;
	CU_ASSERT_EQUAL_FATAL(start(0, &s), 0);
	int half = wire_connect(NULL, server_port(s));

	(void)send(half, HEALTH, 10, MSG_NOSIGNAL);
	CU_ASSERT_TRUE(answers(s)); /* so the loop has begun the earlier connection */
	(void)dup2(said, STDERR_FILENO);
	server_stop(s);
	(void)dup2(before, STDERR_FILENO);
	(void)pread(said, text, sizeof(text) - 1, 0);
	CU_ASSERT_STRING_EQUAL(text, "");
	(void)close(half);
	(void)close(before);
	(void)close(said);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(each_processor_has_a_loop),
	UNIT_TEST(a_large_machine_has_at_most_four_loops),
	UNIT_TEST(a_server_goes_on_with_the_loops_that_start),
	UNIT_TEST(a_server_without_a_loop_does_not_start),
	UNIT_TEST(a_server_that_does_not_start_closes_its_socket),
	UNIT_TEST(connections_are_spread_over_the_loops),
	UNIT_TEST(lost_connections_leave_room),
	UNIT_TEST(lost_connections_leave_room_while_clients_come_and_go),
	UNIT_TEST(the_search_for_lost_connections_closes_no_other),
	UNIT_TEST(the_server_stops_while_its_loops_are_busy),
	UNIT_TEST(clients_without_a_request_do_not_delay_the_end),
	UNIT_TEST(the_end_complains_about_no_client),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(http_loops, setup, server_fixture_close, tests);
