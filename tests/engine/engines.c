#include "tests/engine/engines.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "store/local/local.h"
#include "store/wire/client/client.h"
#include "store/wire/server/server.h"

#include "tests/support/kv_mem.h"
#include "tests/support/unit.h"
#include "tests/support/wait_again.h"

enum { CALL_BUDGET = 64 << 20 };

static void
must(bool fine, const char *what)
{
	if (!fine) {
		(void)fprintf(stderr, "engines: %s\n", what);
		abort();
	}
}

static void
make_directory(struct testee *t)
{
	unit_make_folder(t->dir, "engine");
}

/* Open a store in memory; its files are in a directory. */
static void
open_kv(struct testee *t)
{
	struct call c;

	make_directory(t);
	call_open(&c, 0, CALL_BUDGET);
	must(local_open_kv(&c, kv_mem_new(), t->dir, &t->engine) == 0,
	     "a store in memory does not open");
	call_close(&c);
}

static void
close_engine(struct testee *t)
{
	engine_close(t->engine);
	unit_remove_folder(t->dir);
}

static void
open_leveldb(struct testee *t)
{
	struct call c;

	make_directory(t);
	call_open(&c, 0, CALL_BUDGET);
	must(local_open(&c, t->dir, true, &t->engine) == 0, "a store on LevelDB does not open");
	call_close(&c);
}

/* The time of every request of the suites. */
static uint64_t
fixed_hour(void)
{
	return ENGINES_NOW_MS;
}

/* testee.state of a remote engine: the local engine and its server. */
struct remote {
	struct engine *local;
	struct server *server;
};

static struct remote *
serve(struct testee *t, struct call *c, const struct server_options *o)
{
	struct remote *r = calloc(1, sizeof(*r));

	must(r != NULL, "out of memory");
	r->local = t->engine;
	t->state = r;
	must(server_start(c, r->local, o, &r->server) == 0, "the server does not start");
	return r;
}

static void
open_socket(struct testee *t)
{
	struct call c;
	char path[80];

	call_open(&c, 0, CALL_BUDGET);
	open_kv(t);
	(void)snprintf(path, sizeof(path), "%s/socket", t->dir);
	(void)serve(t, &c, &(struct server_options){.socket = path, .now_ms = fixed_hour});
	int dir = open(t->dir, O_PATH | O_DIRECTORY | O_CLOEXEC);

	must(client_open_below(&c, dir, "socket", t->dir, &t->engine) == 0,
	     "the socket cannot be reached");
	(void)close(dir);
	call_close(&c);
}

static void
close_remote(struct testee *t)
{
	struct remote *r = t->state;
	char path[80];

	engine_close(t->engine);
	server_stop(r->server);
	engine_close(r->local);
	free(r);
	(void)snprintf(path, sizeof(path), "%s/socket", t->dir);
	must(access(path, F_OK) != 0, "the socket was not removed");
	unit_remove_folder(t->dir);
}

static void
open_url(struct testee *t)
{
	struct call c;
	char url[40];

	t->foreign = true;
	open_kv(t);
	call_open(&c, 0, CALL_BUDGET);
	struct remote *r = serve(
		t, &c, &(struct server_options){.listen = "127.0.0.1:0", .now_ms = fixed_hour});

	t->behind = r->local;
	(void)snprintf(url, sizeof(url), "http://127.0.0.1:%d", server_port(r->server));
	must(client_open_url(&c, &(struct client_options){.url = url}, &t->engine) == 0,
	     "the URL is not one");
	call_close(&c);
}

const struct engines_row engines[] = {
	{"local on memory", open_kv, close_engine},
	{"local on LevelDB", open_leveldb, close_engine},
	{"remote over a Unix socket", open_socket, close_remote},
	{"remote over TCP", open_url, close_remote},
};
const size_t engines_count = sizeof(engines) / sizeof(*engines);

void
engines_each(void (*test)(struct testee *t))
{
	for (size_t i = 0; i < engines_count; i++) {
		struct testee t = {.name = engines[i].name};

		engines[i].open(&t);
		test(&t);
		engines[i].close(&t);
	}
}

int
engines_load(struct testee *t, struct call *c, struct slice table, const struct item *items,
	     size_t n)
{
	struct load_items_in load = {.table = table, .items = items, .n_items = n};
	struct load_items_out loaded;
	int r = 0;

	if (!t->foreign) {
		return engine_load_items(t->engine, c, &load, &loaded);
	}
	for (size_t i = 0; i < n && r == 0; i++) {
		struct put_item_out out;

		r = engine_put_item(
			t->engine, c,
			&(struct put_item_in){.write = {.table = table, .item = items[i]}}, &out);
	}
	return r;
}

void
engines_wait(struct testee *t, struct slice table)
{
	bool busy = true;
	unsigned tries = 0;

	while (busy) {
		struct describe_table_in in = {.table = table};
		struct describe_table_out out = {0};
		struct call c;

		call_open(&c, ENGINES_NOW_MS, CALL_BUDGET);
		must(engine_describe_table(t->engine, &c, &in, &out) == 0,
		     "a table cannot be described");
		busy = out.table.status == TABLE_UPDATING;
		call_close(&c);
		must(!busy || wait_again(&tries), "a table did not become ready");
	}
}

void
engines_bucket(const struct testee *t, struct slice name)
{
	char path[160];

	(void)snprintf(path, sizeof(path), "%s/buckets", t->dir);
	(void)mkdir(path, 0777);
	(void)snprintf(path, sizeof(path), "%s/buckets/%.*s", t->dir, SLICE_ARG(name));
	must(mkdir(path, 0777) == 0, "a bucket cannot be created");
}

void
engines_object(const struct testee *t, struct slice path, struct slice content)
{
	char whole[256];

	(void)snprintf(whole, sizeof(whole), "%s/buckets/%.*s", t->dir, SLICE_ARG(path));
	for (char *slash = strchr(whole + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)mkdir(whole, 0777);
		*slash = '/';
	}
	FILE *f = fopen(whole, "wb");

	bool written = f != NULL &&
		       (content.len == 0 || fwrite(content.at, 1, content.len, f) == content.len);

	must(written && fclose(f) == 0, "an object cannot be created");
}
