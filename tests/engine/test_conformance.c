/* What every engine must answer: scripts/NAME.test, each on each row of engines.c. */
#include "tests/engine/script.h"
#include "tests/support/unit.h"

#define SCRIPT(name) \
	static void name(void) \
	{ \
		script_run("engine/scripts/" #name ".test"); \
	}

SCRIPT(batch)
SCRIPT(get)
SCRIPT(indexes)
SCRIPT(listing)
SCRIPT(query)
SCRIPT(scan)
SCRIPT(transaction)
SCRIPT(update)

static CU_TestInfo tests[] = {
	UNIT_TEST(batch),       UNIT_TEST(get),    UNIT_TEST(indexes),
	UNIT_TEST(listing),     UNIT_TEST(query),  UNIT_TEST(scan),
	UNIT_TEST(transaction), UNIT_TEST(update), CU_TEST_INFO_NULL,
};

UNIT_SUITE(conformance, NULL, NULL, tests);
