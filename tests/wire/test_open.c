/* From the name of a store to an engine: without an owner, with one, and with neither lock nor socket available. */
#include <fcntl.h>
#include <sys/stat.h>

#include "store/open.h"
#include "store/own.h"
#include "store/wire/proto/wire.h"
#include "store/wire/server/server.h"

#include "tests/support/unit.h"
#include "tests/support/wait_again.h"
#include "tests/wire/wire_test.h"

static struct call c;
static const char *folder;
static char store[128];
static char socket_path[160];
static struct engine *owner; /* or NULL */
static struct server *server;

/*
 * A caller that waits checks between two tries whether the call was given up; the test uses this to make the awaited
 * change.
 */
static struct {
	unsigned looks;    /* number of checks so far */
	void (*act)(void); /* called at the first check; NULL: nothing */
} waits;

enum {
	NO_END_MS =
		60 * 60 *
		1000, /* longer than any test may take, so that a test that depends on it is noticed */
	SOON_MS = 100,
};

/* Sets the time that an engine waits for an owner; before other threads are started. */
static void
wait_at_most(unsigned ms)
{
	char timing[32];

	(void)snprintf(timing, sizeof(timing), "open=%u", ms);
	(void)setenv("ITEMFS_TIMING", timing, 1);
}

static bool
look(const void *asker)
{
	(void)asker;
	if (waits.looks++ == 0 && waits.act != NULL) {
		waits.act();
	}
	return false;
}

static void
setup(void)
{
	unit_forget_environment();
	wait_at_most(NO_END_MS);
	call_open(&c, 1700000000000, 64 << 20);
	c.given_up = look;
	waits.looks = 0;
	waits.act = NULL;
	folder = wire_folder();
	(void)snprintf(store, sizeof(store), "%s/store", folder);
	(void)snprintf(socket_path, sizeof(socket_path), "%s/" WIRE_SOCKET, store);
	owner = NULL;
	server = NULL;
}

static void
teardown(void)
{
	server_stop(server);
	engine_close(owner);
	wire_folder_remove(folder);
	call_close(&c);
	(void)unsetenv("ITEMFS_TIMING");
}

/* Open @name and close it again.  Return: the result */
static int
try_open(const char *name, bool create)
{
	struct engine *e = NULL;

	c.error = (struct error){0};
	int r = store_open(&c, name, create, &e);

	CU_ASSERT_EQUAL(r == 0, e != NULL);
	CU_ASSERT_EQUAL(-r, (int)c.error.code);
	engine_close(e);
	return r;
}

static void
become_owner(void)
{
	int r = store_own(&c, store, true, &owner);

	if (r != 0) {
		printf("%s\n", c.error.message);
		abort();
	}
}

static void
serve(void)
{
	int r = server_start(&c, owner, &(struct server_options){.socket = socket_path}, &server);

	CU_ASSERT_EQUAL_FATAL(r, 0);
}

static void
names_without_a_store_are_usage_errors(void)
{
	CU_ASSERT_EQUAL(try_open(store, false), -ERR_VALIDATION);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, "there is no store"));
	CU_ASSERT_EQUAL(mkdir(store, 0700), 0);
	CU_ASSERT_EQUAL(try_open(store, false), -ERR_VALIDATION);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, "not a store"));
	int fd = open(socket_path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	CU_ASSERT_EQUAL(try_open(socket_path, true), -ERR_VALIDATION);
	(void)close(fd);
	CU_ASSERT_EQUAL(error_exit(c.error.code), 2);
}

static void
a_folder_with_other_files_is_left_alone(void)
{
	CU_ASSERT_EQUAL(mkdir(store, 0700), 0);
	int fd = open(socket_path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	(void)close(fd);
	int r = try_open(store, true);

	CU_ASSERT_TRUE(r < 0);
}

static void
dynamodb_requires_a_key(void)
{
	CU_ASSERT_EQUAL(try_open("dynamodb:eu-west-1", false), -ERR_NO_SIGNATURE);
	CU_ASSERT_EQUAL(error_exit(c.error.code), 2);
	(void)setenv("AWS_ACCESS_KEY_ID", "AKID", 1);
	(void)setenv("AWS_SECRET_ACCESS_KEY", "secret", 1);
	CU_ASSERT_EQUAL(try_open("dynamodb:eu-west-1", false), 0);
	(void)setenv("AWS_ENDPOINT_URL_DYNAMODB", "ftp://example.org", 1);
	CU_ASSERT_EQUAL(try_open("dynamodb:eu-west-1", false), -ERR_VALIDATION);
	CU_ASSERT_STRING_EQUAL(c.error.message, "ftp://example.org is not http(s)://HOST:PORT");
	(void)setenv("AWS_ENDPOINT_URL_DYNAMODB", "ftp://me:secret@example.org", 1);
	CU_ASSERT_EQUAL(try_open("dynamodb:eu-west-1", false), -ERR_VALIDATION);
	CU_ASSERT_STRING_EQUAL(c.error.message, "ftp://example.org is not http(s)://HOST:PORT");
	unit_forget_environment();
}

static void
a_url_is_opened_without_a_request(void)
{
	CU_ASSERT_EQUAL(try_open("http://127.0.0.1:1", false), 0);
	CU_ASSERT_EQUAL(try_open("https://example.org:8000", false), 0);
}

static void
a_store_is_made_and_found_again(void)
{
	CU_ASSERT_EQUAL(try_open(store, true), 0);
	CU_ASSERT_EQUAL(try_open(store, false), 0);
	CU_ASSERT_EQUAL(try_open(store, true), 0);
}

static void
two_owners_cannot_share_a_store(void)
{
	struct engine *second = NULL;

	become_owner();
	serve();
	CU_ASSERT_EQUAL(store_own(&c, store, false, &second), -ERR_BUSY);
	CU_ASSERT_EQUAL(waits.looks, 0);
}

static void
create_table(struct engine *e)
{
	static const struct schema schema = {.table = SLICE_INIT("abc"),
					     .key = {.pk = {{SLICE_INIT("PK"), VALUE_S}}}};
	struct create_table_out made;

	CU_ASSERT_EQUAL(
		engine_create_table(e, &c, &(struct create_table_in){.schema = &schema}, &made), 0);
}

static void
the_owner_is_asked_through_its_socket(void)
{
	struct engine *e = NULL;
	struct put_item_out put;
	struct get_item_out got = {0};
	struct item item = wire_item(&c, "{\"PK\":{\"S\":\"x\"},\"n\":{\"N\":\"1\"}}");

	become_owner();
	serve();
	int r = store_open(&c, store, false, &e);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	CU_ASSERT_PTR_NULL(engine_feed(e));
	create_table(e);
	r = engine_put_item(
		e, &c, &(struct put_item_in){.write = {.table = SLICE("abc"), .item = item}}, &put);
	CU_ASSERT_EQUAL(r, 0);
	struct item key = wire_item(&c, "{\"PK\":{\"S\":\"x\"}}");

	r = engine_get_item(owner, &c, &(struct get_item_in){.table = SLICE("abc"), .key = key},
			    &got);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(got.found && item_eq(&got.item, &item));
	engine_close(e);
}

/* ------------------------------------------------------------ owners that come and go */

static void
leave(void)
{
	server_stop(server);
	server = NULL;
	engine_close(owner);
	owner = NULL;
}

/* Open an engine while an owner serves the store, which has the table "abc". */
static struct engine *
open_beside_an_owner(void)
{
	struct engine *e = NULL;

	become_owner();
	serve();
	CU_ASSERT_EQUAL_FATAL(store_open(&c, store, false, &e), 0);
	create_table(e);
	return e;
}

static void
a_client_takes_over_the_store_of_an_ended_owner(void)
{
	struct engine *second = NULL;
	struct engine *e = open_beside_an_owner();

	leave();
	CU_ASSERT_EQUAL(wire_put(&c, e), 0);
	CU_ASSERT_EQUAL(wire_get(&c, e), 0);
	CU_ASSERT_EQUAL(store_own(&c, store, false, &second), -ERR_BUSY);
	engine_close(e);
}

static void
the_next_owner_is_asked(void)
{
	struct engine *e = open_beside_an_owner();

	CU_ASSERT_EQUAL(wire_put(&c, e), 0);
	for (int i = 0; i < 3; i++) {
		leave();
		become_owner();
		serve();
		CU_ASSERT_EQUAL(wire_get(&c, e), 0);
		CU_ASSERT_EQUAL(wire_get(&c, owner), 0);
	}
	engine_close(e);
}

static void
a_store_without_a_new_owner_is_reported_by_name(void)
{
	wait_at_most(SOON_MS);
	struct engine *e = open_beside_an_owner();

	server_stop(server);
	server = NULL;
	CU_ASSERT_EQUAL(wire_put(&c, e), -ERR_BUSY);
	CU_ASSERT_TRUE(waits.looks > 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, store));
	CU_ASSERT_PTR_NULL(strstr(c.error.message, "localhost"));
	wire_forget(&c);
	serve();
	CU_ASSERT_EQUAL(wire_put(&c, e), 0);
	engine_close(e);
}

/* A thread that ADDs 1 repeatedly; every request must succeed. */
struct adder {
	struct engine *e;
	atomic_uint *done;
	pthread_t thread;
};

enum { ADDERS = 4, ROUNDS = 10, ADDS = 40 /* before and after the end of an owner */ };

static int
add_one(struct engine *e)
{
	struct call own;
	struct update_item_out out;

	call_open(&own, 1700000000000, 1 << 20);
	struct update_item_in in = {
		.write = {.table = SLICE("abc"),
			  .item = wire_item(&own, "{\"PK\":{\"S\":\"n\"}}"),
			  .ph = {.values = wire_item(&own, "{\":o\":{\"N\":\"1\"}}"),
				 .values_given = true}},
		.update = SLICE("ADD n :o"),
	};
	int r = engine_update_item(e, &own, &in, &out);

	if (r != 0) {
		printf("%s\n", own.error.message);
	}
	call_close(&own);
	return r;
}

static void *
add(void *arg)
{
	const struct adder *a = arg;
	bool good = true;

	while (good && atomic_load(a->done) < 2 * ADDS) {
		good = add_one(a->e) == 0;
		atomic_fetch_add(a->done, 1);
	}
	return good ? arg : NULL;
}

/* End the owner while requests run.  Return: number of requests */
static unsigned
add_while_the_owner_ends(struct engine *e)
{
	struct adder adders[ADDERS];
	atomic_uint done = 0;
	unsigned tries = 0;

	for (int i = 0; i < ADDERS; i++) {
		adders[i] = (struct adder){.e = e, .done = &done};
		(void)pthread_create(&adders[i].thread, NULL, add, &adders[i]);
	}
	while (atomic_load(&done) < ADDS && wait_again(&tries)) {
	}
	leave();
	for (int i = 0; i < ADDERS; i++) {
		void *good;

		(void)pthread_join(adders[i].thread, &good);
		CU_ASSERT_PTR_NOT_NULL(good);
	}
	return atomic_load(&done);
}

static void
each_change_is_made_once_when_owners_end(void)
{
	struct get_item_out got = {0};
	char expected[32];
	unsigned n = 0;

	for (int i = 0; i < ROUNDS; i++) {
		struct engine *e = NULL;

		become_owner();
		serve();
		if (i == 0) {
			create_table(owner);
		}
		CU_ASSERT_EQUAL_FATAL(store_open(&c, store, false, &e), 0);
		n += add_while_the_owner_ends(e);
		engine_close(e);
	}
	become_owner();
	CU_ASSERT_EQUAL(engine_get_item(owner, &c,
					&(struct get_item_in){
						.table = SLICE("abc"),
						.key = wire_item(&c, "{\"PK\":{\"S\":\"n\"}}")},
					&got),
			0);
	(void)snprintf(expected, sizeof(expected), "%u", n);
	CU_ASSERT_TRUE(got.found && slice_is(item_get(&got.item, SLICE("n"))->text, expected));
}

static void
end_owner(void)
{
	engine_close(owner);
	owner = NULL;
}

static void
an_owner_that_starts_is_waited_for(void)
{
	become_owner();
	waits.act = serve;
	CU_ASSERT_EQUAL(try_open(store, false), 0);
	CU_ASSERT_TRUE(waits.looks > 0);
}

static void
an_owner_that_leaves_is_waited_for(void)
{
	become_owner();
	waits.act = end_owner;
	CU_ASSERT_EQUAL(try_open(store, false), 0);
	CU_ASSERT_TRUE(waits.looks > 0);
}

static void
the_next_owner_is_waited_for(void)
{
	struct engine *e = open_beside_an_owner();

	server_stop(server);
	server = NULL;
	waits.looks = 0;
	waits.act = serve;
	CU_ASSERT_EQUAL(wire_put(&c, e), 0);
	CU_ASSERT_TRUE(waits.looks > 0);
	engine_close(e);
}

static void
a_silent_owner_is_given_up(void)
{
	wait_at_most(SOON_MS);
	become_owner();
	CU_ASSERT_EQUAL(try_open(store, false), -ERR_BUSY);
	CU_ASSERT_TRUE(waits.looks > 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, "in use by "));
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, "itemctl serve"));
}

static void
without_a_wait_a_silent_owner_is_given_up_at_once(void)
{
	struct engine *e = NULL;

	become_owner();
	CU_ASSERT_EQUAL(store_open_now(&c, store, false, &e), -ERR_BUSY);
	CU_ASSERT_PTR_NULL(e);
	wire_forget(&c);
	serve();
	CU_ASSERT_EQUAL_FATAL(store_open_now(&c, store, false, &e), 0);
	engine_close(e);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(names_without_a_store_are_usage_errors),
	UNIT_TEST(a_folder_with_other_files_is_left_alone),
	UNIT_TEST(dynamodb_requires_a_key),
	UNIT_TEST(a_url_is_opened_without_a_request),
	UNIT_TEST(a_store_is_made_and_found_again),
	UNIT_TEST(two_owners_cannot_share_a_store),
	UNIT_TEST(the_owner_is_asked_through_its_socket),
	UNIT_TEST(a_client_takes_over_the_store_of_an_ended_owner),
	UNIT_TEST(the_next_owner_is_asked),
	UNIT_TEST(a_store_without_a_new_owner_is_reported_by_name),
	UNIT_TEST(each_change_is_made_once_when_owners_end),
	UNIT_TEST(an_owner_that_starts_is_waited_for),
	UNIT_TEST(an_owner_that_leaves_is_waited_for),
	UNIT_TEST(the_next_owner_is_waited_for),
	UNIT_TEST(a_silent_owner_is_given_up),
	UNIT_TEST(without_a_wait_a_silent_owner_is_given_up_at_once),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(open, setup, teardown, tests);
