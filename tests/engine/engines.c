#include "tests/engine/engines.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/engine/log.h"
#include "store/local/local.h"

#include "tests/support/kv_mem.h"

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
open_kv(struct testee *t)
{
	struct call c;

	call_open(&c, 0, CALL_BUDGET);
	must(local_open_kv(&c, kv_mem_new(), &t->engine) == 0, "a store in memory does not open");
	call_close(&c);
}

static void
close_engine(struct testee *t)
{
	engine_close(t->engine);
}

static void
open_leveldb(struct testee *t)
{
	struct call c;

	(void)snprintf(t->dir, sizeof(t->dir), "/tmp/itemfs-engine-XXXXXX");
	must(mkdtemp(t->dir) != NULL, "no temporary directory");
	call_open(&c, 0, CALL_BUDGET);
	must(local_open(&c, t->dir, true, &t->engine) == 0, "a store on LevelDB does not open");
	call_close(&c);
}

static void
close_leveldb(struct testee *t)
{
	char command[128];

	engine_close(t->engine);
	(void)snprintf(command, sizeof(command), "rm -r '%s'", t->dir);
	must(system(command) == 0, "the temporary store cannot be removed");
}

static void
open_logged(struct testee *t)
{
	open_kv(t);
	t->fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	must(t->fd >= 0, "no /dev/null");
	t->engine = log_open(t->engine, t->fd);
}

static void
close_logged(struct testee *t)
{
	engine_close(t->engine);
	(void)close(t->fd);
}

const struct engines_row engines[] = {
	{"local on memory", open_kv, close_engine},
	{"local on LevelDB", open_leveldb, close_leveldb},
	{"local behind the log", open_logged, close_logged},
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
