/* The remote engine with ItemFS's own server in front of a fake engine; see also test_client_retry.c. */
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "store/wire/client/client.h"
#include "store/wire/proto/endpoint.h"
#include "store/wire/proto/wire.h"
#include "store/wire/server/server.h"

#include "tests/support/unit.h"
#include "tests/wire/wire_test.h"

static struct call c;
static struct fake_engine fake;
static const char *folder;
static char path[128];
static struct server *server;
static struct engine *client;

static void
start_server(void)
{
	if (server_start(&c, &fake.engine, &(struct server_options){.socket = path}, &server) !=
	    0) {
		printf("%s\n", c.error.message);
		abort();
	}
}

static int
open_below(const char *dir, struct engine **out)
{
	int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int r = client_open_below(&c, fd, "socket", dir, out);

	(void)close(fd);
	return r;
}

static void
setup(void)
{
	call_open(&c, 0, 256 << 20);
	folder = wire_folder();
	(void)snprintf(path, sizeof(path), "%s/socket", folder);
	fake_engine_init(&fake);
	start_server();
	int r = open_below(folder, &client);

	if (r != 0) {
		abort();
	}
}

static void
teardown(void)
{
	engine_close(client);
	server_stop(server);
	fake_engine_release(&fake);
	wire_folder_remove(folder);
	call_close(&c);
}

/* ------------------------------------------------------------ our own server */

static void
name_backup(struct op_in *in)
{
	static const struct slice arn =
		SLICE_INIT("arn:aws:dynamodb:us-east-1:000000000000:table/abc/backup/1");

	switch ((int)in->type) {
	case OP_CREATE_BACKUP:
		in->create_backup = (struct create_backup_in){SLICE("abc"), SLICE("daily")};
		break;
	case OP_DESCRIBE_BACKUP:
		in->describe_backup.arn = arn;
		break;
	case OP_DELETE_BACKUP:
		in->delete_backup.arn = arn;
		break;
	case OP_EXPORT_TABLE:
		in->export_table.arn = SLICE("arn:aws:dynamodb:us-east-1:000000000000:table/abc");
		in->export_table.place.bucket = SLICE("acme");
		break;
	case OP_DESCRIBE_IMPORT:
		in->describe_import.arn = arn;
		break;
	case OP_DESCRIBE_EXPORT:
		in->describe_export.arn = arn;
		break;
	case OP_TAG_RESOURCE:
		in->tag_resource.arn = arn;
		break;
	case OP_UNTAG_RESOURCE:
		in->untag_resource.arn = arn;
		break;
	case OP_RESTORE_TABLE:
		in->restore_table = (struct restore_table_in){.table = SLICE("abc"), .arn = arn};
		break;
	default:
		break;
	}
}

/* Give the operations of PartiQL a statement. */
static void
state_something(struct op_in *in)
{
	static const struct parameterized one = {.statement = SLICE_INIT("SELECT * FROM abc")};

	switch ((int)in->type) {
	case OP_EXECUTE_STATEMENT:
		in->execute_statement.of = one;
		break;
	case OP_BATCH_EXECUTE_STATEMENT:
		in->batch_execute_statement.statements = &one;
		in->batch_execute_statement.n_statements = 1;
		break;
	case OP_EXECUTE_TRANSACTION:
		in->execute_transaction.statements = &one;
		in->execute_transaction.n_statements = 1;
		break;
	default:
		break;
	}
}

static void
every_operation_reaches_the_engine(void)
{
	static const enum op_type named[] = {OP_DESCRIBE_TABLE,
					     OP_UPDATE_TABLE,
					     OP_DELETE_TABLE,
					     OP_GET_ITEM,
					     OP_PUT_ITEM,
					     OP_DELETE_ITEM,
					     OP_QUERY,
					     OP_UPDATE_ITEM,
					     OP_SCAN,
					     OP_LIST_PARTITIONS,
					     OP_LIST_ENTRIES,
					     OP_LOAD_ITEMS,
					     OP_CHANGE_ITEMS,
					     OP_DESCRIBE_KEY_USAGE,
					     OP_SET_TIME,
					     OP_UPDATE_TIME_TO_LIVE,
					     OP_DESCRIBE_CONTINUOUS_BACKUPS,
					     OP_UPDATE_CONTINUOUS_BACKUPS,
					     OP_DESCRIBE_TIME_TO_LIVE,
					     OP_CREATE_GLOBAL_TABLE,
					     OP_UPDATE_GLOBAL_TABLE,
					     OP_DESCRIBE_GLOBAL_TABLE,
					     OP_UPDATE_GLOBAL_SETTINGS,
					     OP_DESCRIBE_GLOBAL_SETTINGS};
	static const struct schema schema = {.table = SLICE_INIT("abc"),
					     .key = {.pk = {{SLICE_INIT("PK"), VALUE_S}}}};
	static const struct transact_get get[] = {{.table = SLICE_INIT("abc")}};
	static const struct transact_action put[] = {{.table = SLICE_INIT("abc")}};

	for (int type = 0; type < OP_COUNT; type++) {
		struct op_in in = {.type = (enum op_type)type};
		struct op_out out;

		name_backup(&in);
		state_something(&in);
		if (in.type == OP_IMPORT_TABLE) {
			in.import_table.token = SLICE("once");
			in.import_table.place.bucket = SLICE("acme");
			in.import_table.table.schema = &schema;
		}
		if (in.type == OP_CREATE_TABLE) {
			in.create_table.schema = &schema;
		}
		if (in.type == OP_TRANSACT_GET_ITEMS) {
			in.transact_get_items =
				(struct transact_get_items_in){.gets = get, .n_gets = 1};
		}
		if (in.type == OP_TRANSACT_WRITE_ITEMS) {
			in.transact_write_items =
				(struct transact_write_items_in){.actions = put, .n_actions = 1};
		}
		if (in.type == OP_UPDATE_TIME_TO_LIVE) {
			in.update_time_to_live.attribute = SLICE("ttl");
		}
		for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
			if (in.type == named[i]) {
				/* All these requests begin with the table's name. */
				in.describe_table.table = SLICE("abc");
			}
		}
		int r = engine_execute(client, &c, &in, &out);

		if (r != 0) {
			printf("%s: %s\n", op_name(in.type), c.error.message);
		}
		CU_ASSERT_EQUAL(r, 0);
		CU_ASSERT_EQUAL(fake.type, in.type);
		CU_ASSERT_EQUAL(fake.calls, (unsigned)type + 1);
	}
}

static void
a_large_answer_arrives(void)
{
	struct get_item_out out = {0};

	fake.answer_bytes = 3 << 20;
	int r = engine_get_item(client, &c, &(struct get_item_in){.table = SLICE("abc")}, &out);

	CU_ASSERT_EQUAL(r, 0);
	const struct value *text = item_get(&out.item, SLICE("text"));

	CU_ASSERT_TRUE(text != NULL && text->text.len == 3 << 20);
}

static void
errors_keep_their_row(void)
{
	static const enum err codes[] = {ERR_NO_TABLE,  ERR_NO_INDEX,      ERR_ITEM_TOO_BIG,
					 ERR_CONDITION, ERR_NOT_SUPPORTED, ERR_READ_ONLY,
					 ERR_IO,        ERR_CORRUPT,       ERR_NO_SPACE};

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		fake.fail = codes[i];
		wire_forget(&c);
		int r = wire_put(&c, client);

		CU_ASSERT_EQUAL(r, -(int)codes[i]);
		CU_ASSERT_EQUAL(c.error.code, codes[i]);
		CU_ASSERT_STRING_EQUAL(c.error.message, "the fake engine fails");
	}
	CU_ASSERT_EQUAL(fake.calls, sizeof(codes) / sizeof(codes[0]));
}

static void
a_server_that_came_back_is_used_again(void)
{
	CU_ASSERT_EQUAL(wire_put(&c, client), 0);
	server_stop(server);
	start_server();
	CU_ASSERT_EQUAL(wire_put(&c, client), 0);
	CU_ASSERT_EQUAL(fake.calls, 2);
}

static void
a_stopped_server_is_unreachable(void)
{
	struct engine *none = NULL;

	CU_ASSERT_EQUAL(wire_put(&c, client), 0);
	server_stop(server);
	server = NULL;
	CU_ASSERT_EQUAL(wire_put(&c, client), -ERR_GONE);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, folder));
	CU_ASSERT_PTR_NULL(strstr(c.error.message, "localhost"));
	wire_forget(&c);
	int r = open_below(folder, &none);

	CU_ASSERT_EQUAL(r, -ERR_GONE);
	CU_ASSERT_PTR_NULL(none);
}

struct crowd {
	struct engine *e;
	unsigned good;
};

static void *
put_many(void *arg)
{
	struct crowd *crowd = arg;

	for (int i = 0; i < 50; i++) {
		struct call mine;
		struct put_item_out out;

		call_open(&mine, 0, 1 << 20);
		crowd->good += engine_put_item(crowd->e, &mine,
					       &(struct put_item_in){.write.table = SLICE("abc")},
					       &out) == 0;
		call_close(&mine);
	}
	return NULL;
}

static void
many_threads_share_a_client(void)
{
	enum { THREADS = 16 };
	pthread_t thread[THREADS];
	struct crowd crowd[THREADS];

	for (int i = 0; i < THREADS; i++) {
		crowd[i] = (struct crowd){.e = client};
		(void)pthread_create(&thread[i], NULL, put_many, &crowd[i]);
	}
	for (int i = 0; i < THREADS; i++) {
		(void)pthread_join(thread[i], NULL);
		CU_ASSERT_EQUAL(crowd[i].good, 50);
	}
	CU_ASSERT_EQUAL(fake.calls, THREADS * 50);
}

static void
requests_that_are_too_large_are_not_sent(void)
{
	char *text = malloc(WIRE_BODY_MAX);
	struct attr a = {SLICE("text"), value_string(slice_of(text, WIRE_BODY_MAX))};
	struct put_item_out out;

	memset(text, 'x', WIRE_BODY_MAX);
	int r = engine_put_item(
		client, &c,
		&(struct put_item_in){.write = {.table = SLICE("abc"), .item = {&a, 1}}}, &out);

	CU_ASSERT_EQUAL(r, -ERR_VALIDATION);
	CU_ASSERT_EQUAL(fake.calls, 0);
	free(text);
}

static void
long_paths_are_reached(void)
{
	char deep[400];
	struct server *s = NULL;
	struct engine *e = NULL;

	(void)snprintf(deep, sizeof(deep), "%s/%0200d", folder, 0);
	CU_ASSERT_EQUAL(mkdir(deep, 0700), 0);
	(void)strcat(deep, "/socket");
	int r = server_start(&c, &fake.engine, &(struct server_options){.socket = deep}, &s);

	CU_ASSERT_EQUAL(r, 0);
	*strrchr(deep, '/') = '\0';
	r = open_below(deep, &e);
	(void)strcat(deep, "/socket");
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(wire_put(&c, e), 0);
	engine_close(e);
	server_stop(s);
	CU_ASSERT_NOT_EQUAL(access(deep, F_OK), 0);
}

/* A parent directory may be renamed at any time. */
static void
a_socket_is_reached_below_its_directory(void)
{
	char here[400];
	char away[400];
	struct server *s = NULL;
	struct engine *e = NULL;

	(void)snprintf(here, sizeof(here), "%s/here", folder);
	(void)snprintf(away, sizeof(away), "%s/away", folder);
	CU_ASSERT_EQUAL(mkdir(here, 0700), 0);
	int dir = open(here, O_PATH | O_DIRECTORY | O_CLOEXEC);

	(void)strcat(here, "/socket");
	int r = server_start(&c, &fake.engine, &(struct server_options){.socket = here}, &s);

	CU_ASSERT_EQUAL(r, 0);
	*strrchr(here, '/') = '\0';
	CU_ASSERT_EQUAL(rename(here, away), 0);
	CU_ASSERT_EQUAL_FATAL(client_open_below(&c, dir, "socket", here, &e), 0);
	CU_ASSERT_EQUAL(close(dir), 0);
	CU_ASSERT_EQUAL(wire_put(&c, e), 0);
	engine_close(e);
	CU_ASSERT_EQUAL(rename(away, here), 0);
	server_stop(s);
}

/* ------------------------------------------------------------ trying again */

static void
throttled_requests_are_retried(void)
{
	static const enum err codes[] = {ERR_BUSY, ERR_THROTTLED, ERR_THROTTLED_ON_DEMAND};

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		fake.fail = codes[i];
		fake.fail_first = 2;
		fake.calls = 0;
		CU_ASSERT_EQUAL(wire_put(&c, client), 0);
		CU_ASSERT_EQUAL(fake.calls, 3);
	}
}

static void
retries_end(void)
{
	fake.fail = ERR_BUSY;
	CU_ASSERT_EQUAL(wire_get(&c, client), -ERR_BUSY);
	CU_ASSERT_EQUAL(fake.calls, 6);
	CU_ASSERT_STRING_EQUAL(c.error.message, "the fake engine fails");
}

static void
a_failed_store_is_not_asked_again(void)
{
	fake.fail = ERR_IO;
	CU_ASSERT_EQUAL(wire_get(&c, client), -ERR_IO);
	CU_ASSERT_EQUAL(fake.calls, 1);
}

/* ------------------------------------------------------------ URLs */

static void
an_invalid_url_is_refused(void)
{
	static const struct {
		const char *url;
		int r;
	} rows[] = {
		{"http://127.0.0.1:1", 0},
		{"https://example.org", 0},
		{"http://[::1]:8000/", 0},
		{"ftp://example.org", -ERR_VALIDATION},
		{"http://", -ERR_VALIDATION},
		{"http://a b", -ERR_VALIDATION},
		{"http://127.0.0.1:99999", -ERR_VALIDATION},
		{"", -ERR_VALIDATION},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct engine *e = NULL;

		wire_forget(&c);
		int r = client_open_url(&c, &(struct client_options){.url = rows[i].url}, &e);

		if (r != rows[i].r) {
			printf("%s: %d\n", rows[i].url, r);
		}
		CU_ASSERT_EQUAL(r, rows[i].r);
		engine_close(e);
	}
}

static void
an_unreachable_url_is_reported_at_the_first_request(void)
{
	int fd = -1;
	int port = 0;
	char url[64];
	struct engine *e = NULL;
	int r = endpoint_listen_tcp(&c, "127.0.0.1:0", false, &fd, &port);

	CU_ASSERT_EQUAL(r, 0);
	(void)close(fd);
	(void)snprintf(url, sizeof(url), "http://me:secret@127.0.0.1:%d", port);
	r = client_open_url(&c, &(struct client_options){.url = url}, &e);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(wire_put(&c, e), -ERR_UNREACHABLE);
	(void)snprintf(url, sizeof(url), "http://127.0.0.1:%d: ", port);
	CU_ASSERT_EQUAL(strncmp(c.error.message, url, strlen(url)), 0);
	CU_ASSERT_PTR_NULL(strstr(c.error.message, "secret"));
	CU_ASSERT_PTR_NULL(strstr(c.error.message, "not known"));
	engine_close(e);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(every_operation_reaches_the_engine),
	UNIT_TEST(a_large_answer_arrives),
	UNIT_TEST(errors_keep_their_row),
	UNIT_TEST(a_server_that_came_back_is_used_again),
	UNIT_TEST(a_stopped_server_is_unreachable),
	UNIT_TEST(many_threads_share_a_client),
	UNIT_TEST(requests_that_are_too_large_are_not_sent),
	UNIT_TEST(long_paths_are_reached),
	UNIT_TEST(a_socket_is_reached_below_its_directory),
	UNIT_TEST(throttled_requests_are_retried),
	UNIT_TEST(retries_end),
	UNIT_TEST(a_failed_store_is_not_asked_again),
	UNIT_TEST(an_invalid_url_is_refused),
	UNIT_TEST(an_unreachable_url_is_reported_at_the_first_request),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(client, setup, teardown, tests);
