#include "tests/local/transfer_fixture.h"

#include <sys/stat.h>

#include "store/local/local.h"

#include "tests/support/crash.h"
#include "tests/support/unit.h"
#include "tests/support/wait_again.h"

struct transfer_fixture ts;

const char *
transfer_path(const char *name)
{
	struct buf b;

	buf_init(&b, &ts.c.arena);
	buf_fmt(&b, "%s/%s", ts.base, name);
	return b.at;
}

static void
open_store(void)
{
	ts.c.error = (struct error){0};
	if (local_open(&ts.c, ts.dir, true, &ts.e) != 0) {
		abort();
	}
}

void
transfer_fixture_open(void)
{
	call_open(&ts.c, 1700000000000, 1 << 30);
	unit_make_folder(ts.base, "transfer");
	(void)snprintf(ts.dir, sizeof(ts.dir), "%s/store", ts.base);
	open_store();
	CU_ASSERT_EQUAL(mkdir(transfer_path("store/buckets"), 0777), 0);
	CU_ASSERT_EQUAL(mkdir(transfer_path("store/buckets/acme"), 0777), 0);
}

void
transfer_fixture_close(void)
{
	engine_close(ts.e);
	crash_remove(ts.base);
	call_close(&ts.c);
}

void
transfer_restart(void)
{
	engine_close(ts.e);
	open_store();
}

struct transfer
transfer_ended(struct transfer (*described)(struct slice id), struct slice id)
{
	struct transfer t = described(id);
	unsigned tries = 0;

	while (t.status == TRANSFER_RUNNING && wait_again(&tries)) {
		t = described(id);
	}
	CU_ASSERT_NOT_EQUAL(t.status, TRANSFER_RUNNING);
	return t;
}
