#include "tools/cli/opts.h"
#include "tools/cmd/cmd.h"
#include "tools/session/ctl.h"

#include "tests/support/unit.h"
#include "tests/tools/fake.h"

static struct call c;
static struct fake fake;
static struct ctl ctl;

static void
setup(void)
{
	call_open(&c, 0, 1 << 24);
	fake_init(&fake);
	ctl = (struct ctl){.engine = &fake.base, .quiet = true};
}

static void
teardown(void)
{
	fake_release(&fake);
	call_close(&c);
}

/* Run "update t - 'ADD a 1'" with @keys as standard input. */
static int
update(const char *keys)
{
	const char *at[] = {"t", "-", "ADD a 1"};
	struct words words = {.at = at, .n = 3};
	void *opts = opts_new(&c.arena, cmd_update.opts);
	char name[] = "/tmp/change-XXXXXX";
	int before = dup(STDIN_FILENO);
	int fd = mkstemp(name);

	(void)unlink(name);
	(void)!write(fd, keys, strlen(keys));
	(void)lseek(fd, 0, SEEK_SET);
	(void)dup2(fd, STDIN_FILENO);
	(void)close(fd);
	clearerr(stdin);
	int r = cmd_update.run(&ctl, &c, &words, opts);

	(void)dup2(before, STDIN_FILENO);
	(void)close(before);
	return r;
}

static void
changes_keys_and_makes_them_durable(void)
{
	CU_ASSERT_EQUAL(update("{\"n\":1}\n{\"n\":2}\n"), 0);
	CU_ASSERT_EQUAL(fake.changed, 2);
	CU_ASSERT_EQUAL(fake.syncs, 1);
}

static void
makes_keys_before_a_bad_line_durable(void)
{
	CU_ASSERT_EQUAL(update("{\"n\":1}\n{\"n\":2}\n{\"x\":3}\n"), -ERR_USAGE);
	CU_ASSERT_EQUAL(fake.changed, 2);
	CU_ASSERT_EQUAL(fake.syncs, 1);
}

static void
continues_key_by_key_when_a_batch_is_refused(void)
{
	fake.change_fails = ERR_VALIDATION;
	CU_ASSERT_EQUAL(update("{\"n\":1}\n{\"n\":2}\n"), 0);
	CU_ASSERT_EQUAL(fake.changed, 2);
}

/* The changes may have been made: a repetition would apply ADD twice. */
static void
never_repeats_changes_with_unknown_outcome(void)
{
	static const enum err codes[] = {ERR_UNREACHABLE, ERR_IO, ERR_BUSY};

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		fake.change_fails = codes[i];
		fake.changed = 0;
		c.error = (struct error){0};
		CU_ASSERT_EQUAL(update("{\"n\":1}\n{\"n\":2}\n"), -(int)codes[i]);
		CU_ASSERT_EQUAL(fake.changed, 2);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(changes_keys_and_makes_them_durable),
	UNIT_TEST(makes_keys_before_a_bad_line_durable),
	UNIT_TEST(continues_key_by_key_when_a_batch_is_refused),
	UNIT_TEST(never_repeats_changes_with_unknown_outcome),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(change, setup, teardown, tests);
