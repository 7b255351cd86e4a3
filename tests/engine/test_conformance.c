/* Tests of the answers that every engine must give: runs each scripts/NAME.test on each row of engines.c. */
#include "tests/engine/script.h"
#include "tests/support/unit.h"

/* clang-format off */
#define SCRIPTS(SCRIPT) \
	SCRIPT(account) \
	SCRIPT(arn) \
	SCRIPT(backups) \
	SCRIPT(batch) \
	SCRIPT(behaviour_design) \
	SCRIPT(behaviour_expressions) \
	SCRIPT(behaviour_indexes) \
	SCRIPT(behaviour_items) \
	SCRIPT(behaviour_keys) \
	SCRIPT(behaviour_reads) \
	SCRIPT(behaviour_tables) \
	SCRIPT(behaviour_updates) \
	SCRIPT(behaviour_values) \
	SCRIPT(book) \
	SCRIPT(capacity) \
	SCRIPT(change) \
	SCRIPT(exports) \
	SCRIPT(get) \
	SCRIPT(imports) \
	SCRIPT(indexes) \
	SCRIPT(key_paths) \
	SCRIPT(key_usage) \
	SCRIPT(legacy) \
	SCRIPT(listing) \
	SCRIPT(messages) \
	SCRIPT(order) \
	SCRIPT(partiql) \
	SCRIPT(partiql_batch) \
	SCRIPT(partiql_words) \
	SCRIPT(query) \
	SCRIPT(reach) \
	SCRIPT(scan) \
	SCRIPT(several_attributes) \
	SCRIPT(streams) \
	SCRIPT(tags) \
	SCRIPT(throughput) \
	SCRIPT(transaction) \
	SCRIPT(ttl) \
	SCRIPT(update) \
	SCRIPT(update_indexes) \
	SCRIPT(update_table) \
	SCRIPT(values)
/* clang-format on */

#define DEFINE(name) \
	static void name(void) \
	{ \
		script_run("engine/scripts/" #name ".test"); \
	}
SCRIPTS(DEFINE)

#define ROW(name) UNIT_TEST(name),
static CU_TestInfo tests[] = {SCRIPTS(ROW) CU_TEST_INFO_NULL};

UNIT_SUITE(conformance, NULL, NULL, tests);
