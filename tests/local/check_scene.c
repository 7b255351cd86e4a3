#include "tests/local/check_scene.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/support/unit.h"

const struct schema *check_table;

void
check_open(void)
{
	scene_open();
	if (scene_table("tab P:S S:N | +GSI g:S h:N KEYS_ONLY | -LSI l:S ALL") != 0 ||
	    scene_table("other P:S") != 0 ||
	    scene_put("tab", "{\"P\":\"a\",\"S\":1,\"g\":\"x\",\"h\":7,\"l\":\"m\",\"t\":\"é\"}") !=
		    0 ||
	    scene_put("tab", "{\"P\":\"a\",\"S\":2,\"g\":\"x\",\"h\":7,\"v\":[1,{\"w\":2.5}]}") !=
		    0 ||
	    scene_put("tab", "{\"P\":\"b\",\"S\":1,\"l\":\"m\"}") != 0 ||
	    scene_put("other", "{\"P\":\"a\"}") != 0) {
		printf("%s\n", scene_message());
		abort();
	}
	struct describe_table_in in = {.table = SLICE("tab")};
	struct describe_table_out out = {0};

	check_table =
		engine_describe_table(scene.e, &scene.c, &in, &out) == 0 ? out.table.schema : NULL;
}

struct check_result
check_run(const char *look_for)
{
	struct check_in in = {0};
	struct check_out out = {0};
	struct check_result result = {0};

	do {
		int r = engine_check(scene.e, &scene.c, &in, &out);

		CU_ASSERT_EQUAL_FATAL(r, 0);
		for (size_t i = 0; i < out.n_problems; i++) {
			result.found = result.found ||
				       (look_for != NULL &&
					slice_starts(out.problems[i], slice_from(look_for)));
			if (look_for == NULL) {
				printf("\n%.*s", SLICE_ARG(out.problems[i]));
			}
		}
		result.problems += out.n_problems;
		result.items += out.items;
		result.entries += out.entries;
		result.pages++;
		in.next = out.next;
	} while (in.next.len > 0);
	return result;
}
