#include "tests/local/check_fixture.h"

#include <fcntl.h>

#include "store/local/records/local_int.h"

#include "tests/support/crash.h"
#include "tests/support/unit.h"

const struct schema *check_table;

void
check_open(void)
{
	fixture_open();
	if (fixture_table("tab P:S S:N | +GSI g:S h:N KEYS_ONLY | -LSI l:S ALL") != 0 ||
	    fixture_table("other P:S") != 0 ||
	    fixture_put("tab",
			"{\"P\":\"a\",\"S\":1,\"g\":\"x\",\"h\":7,\"l\":\"m\",\"t\":\"é\"}") != 0 ||
	    fixture_put("tab", "{\"P\":\"a\",\"S\":2,\"g\":\"x\",\"h\":7,\"v\":[1,{\"w\":2.5}]}") !=
		    0 ||
	    fixture_put("tab", "{\"P\":\"b\",\"S\":1,\"l\":\"m\"}") != 0 ||
	    fixture_put("other", "{\"P\":\"a\"}") != 0) {
		printf("%s\n", fixture_message());
		abort();
	}
	struct describe_table_in in = {.table = SLICE("tab")};
	struct describe_table_out out = {0};

	check_table = engine_describe_table(fixture.e, &fixture.c, &in, &out) == 0
			      ? out.table.schema
			      : NULL;
}

void
check_fill(unsigned n)
{
	enum { BATCH = 1000 };
	static struct item items[BATCH];

	for (unsigned i = 0; i < n; i += BATCH) {
		for (unsigned k = 0; k < BATCH; k++) {
			char text[64];

			(void)snprintf(text, sizeof(text), "{\"P\":\"p%u\",\"S\":%u,\"l\":\"%u\"}",
				       (i + k) % 7, i + k, k);
			items[k] = fixture_item(slice_cstr(&fixture.c.arena, slice_from(text)));
		}
		struct load_items_in in = {.table = SLICE("tab"), .items = items, .n_items = BATCH};
		struct load_items_out out = {0};
		int r = engine_load_items(fixture.e, &fixture.c, &in, &out);

		CU_ASSERT_EQUAL_FATAL(r, 0);
	}
}

static struct check_result
run(bool repair, const char *look_for)
{
	struct check_in in = {.repair = repair};
	struct check_out out = {0};
	struct check_result result = {0};

	do {
		int r = engine_check(fixture.e, &fixture.c, &in, &out);

		CU_ASSERT_EQUAL_FATAL(r, 0);
		for (size_t i = 0; i < out.n_problems; i++) {
			if (look_for == NULL) {
				printf("\n%.*s", SLICE_ARG(out.problems[i]));
			} else if (slice_starts(out.problems[i], slice_from(look_for))) {
				result.found = out.problems[i];
			}
		}
		result.problems += out.n_problems;
		result.repaired += out.repaired;
		result.items += out.items;
		result.entries += out.entries;
		result.looked += out.looked;
		result.ahead += out.ahead;
		result.pages++;
		in.next = out.next;
	} while (in.next.len > 0);
	return result;
}

struct check_result
check_run(const char *look_for)
{
	return run(false, look_for);
}

struct check_result
check_repair(const char *look_for)
{
	return run(true, look_for);
}

/* ------------------------------------------------------------ a folder for files of repairs */

static char folder[64];

void
check_open_folder(void)
{
	check_open();
	unit_make_folder(folder, "check");
	check_set_folder();
}

void
check_set_folder(void)
{
	struct local *l = (struct local *)fixture.e;

	free(l->dir);
	l->dir = mem_string(folder);
	cleanup_fd(&l->at);
	l->at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

void
check_close_folder(void)
{
	crash_remove(folder);
	fixture_close();
}

/* The contents of all files of the folder, concatenated. */
struct slice
check_moved(void)
{
	struct buf text;
	struct buf path;
	struct dirent **names;

	buf_init(&text, &fixture.c.arena);
	buf_init(&path, &fixture.c.arena);
	buf_fmt(&path, "%s/damaged", folder);
	buf_char(&path, '\0');
	int n = scandir(path.at, &names, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		char bytes[4096];
		struct buf name;

		buf_init(&name, &fixture.c.arena);
		buf_fmt(&name, "%s/%s", path.at, names[i]->d_name);
		buf_char(&name, '\0');
		FILE *f = names[i]->d_name[0] == '.' ? NULL : fopen(name.at, "r");

		for (size_t len; f != NULL && (len = fread(bytes, 1, sizeof(bytes), f)) > 0;) {
			buf_put(&text, bytes, len);
		}
		if (f != NULL) {
			CU_ASSERT_EQUAL(fclose(f), 0);
		}
		free(names[i]);
	}
	if (n >= 0) {
		free(names);
	}
	buf_char(&text, '\0');
	return slice_of(text.at, text.len - 1);
}
