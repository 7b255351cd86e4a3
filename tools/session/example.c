/* example - see example.h */
#include "tools/session/example.h"

#include <unistd.h>

#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/key_text.h"
#include "store/model/schema.h"
#include "store/open.h"

#include "tools/cli/commands.h"
#include "tools/cli/synonyms.h"
#include "tools/session/absent.h"
#include "tools/session/ctl.h"
#include "tools/system/find_store.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

#define EXAMPLE_KEYED "get query size edit"
#define EXAMPLE_MARKS "#:/|@"
#define EXAMPLE_READS EXAMPLE_KEYED " describe export draw tail scan"

static bool
example_open(struct ctl *ctl, struct call *c)
{
	if (ctl->store == NULL) {
		ctl->store = find_store_lone();
		ctl->store_typed = ctl->store;
	}
	return ctl->store != NULL &&
	       (store_is_remote(ctl->store) ? !url_is_far(ctl->store)
					    : !ctl_store_is_new(ctl, c)) &&
	       ctl_open_store(ctl, c, false) == 0;
}

/* Append the key of the table's first item as words. */
static bool
example_key(struct ctl *ctl, struct call *c, struct slice table, struct buf *out)
{
	const struct schema *schema = NULL;
	struct page page = {0};

	if (ctl_schema(ctl, c, table, &schema) < 0 || absent_sample(ctl, c, table, &page) < 0 ||
	    page.count == 0) {
		return false;
	}
	key_each (key, &schema->key) {
		const struct value *v = item_get(&page.items[0], key->name);

		if (v != NULL) {
			fmt_shell(out, " %", key_text_of(&c->arena, v));
		}
	}
	return true;
}

const char *
example_of(struct ctl *ctl, struct call *c, const struct command *command,
	   const struct words *words)
{
	struct list_tables_in in = {0};
	struct list_tables_out names = {0};

	if (!words_in(EXAMPLE_READS, slice_from(command->name))) {
		return NULL;
	}
	call_scope(own, c->now_ms);
	struct buf b = {.arena = &own.arena};

	if (!example_open(ctl, &own) || engine_list_tables(ctl->engine, &own, &in, &names) != 0 ||
	    names.n_names == 0) {
		return NULL;
	}
	struct slice table = words->n > 0 ? slice_from(words->at[0]) : names.names[0];

	buf_fmt(&b, "itemctl %s ", command->name);
	shell_word(&b, table);
	return !words_in(EXAMPLE_KEYED, slice_from(command->name)) ||
			       example_key(ctl, &own, table, &b)
		       ? slice_cstr(&c->arena, buf_view(&b))
		       : NULL;
}

bool
example_of_keys(struct ctl *ctl, struct call *c, const struct words *words, struct buf *out)
{
	const struct schema *schema = NULL;
	struct buf sql = {.arena = &c->arena};
	size_t n = strcspn(words->at[1], EXAMPLE_MARKS) + 1;
	size_t same = 2; /* words with one prefix: "HOT#0 HOT#1"; a sort key would differ */

	while (same < words->n && strpbrk(words->at[1], EXAMPLE_MARKS) != NULL &&
	       strncmp(words->at[1], words->at[same], n) == 0 &&
	       strchr(words->at[same], '\'') == NULL) {
		same++;
	}
	call_scope(own, c->now_ms);
	if (same < words->n || !typed_line_has("get") || !example_open(ctl, &own) ||
	    ctl_schema(ctl, &own, slice_from(words->at[0]), &schema) < 0 ||
	    key_part_n(schema->key.pk) > 1) {
		return false;
	}
	buf_fmt(&sql, "SELECT * FROM %s WHERE %.*s", words->at[0], SLICE_ARG(schema->key.pk->name));
	for (size_t i = 1; i < words->n; i++) {
		buf_fmt(&sql, "%s'%s'", i == 1 ? " IN (" : ",", words->at[i]);
		(void)typed_line_change(words->at[i], (struct slice){0});
	}
	buf_char(&sql, ')');
	(void)typed_line_change(words->at[0], buf_view(&sql));
	buf_str(out, "to read several partitions: ");
	return typed_line_words(out, SLICE("get"), SLICE("sql"));
}

bool
example_of_table(struct ctl *ctl, struct call *c, int argc, char **argv, struct buf *out)
{
	const struct schema *schema = NULL;
	call_scope(own, c->now_ms);

	if (!example_open(ctl, &own) || ctl_schema(ctl, &own, slice_from(argv[0]), &schema) != 0) {
		return false;
	}
	bool statement = argc > 1 && synonyms_is_statement(argv[1]);

	buf_fmt(out, "itemctl %s",
		statement                       ? "sql"
		: argc > 1 && argv[1][0] != '-' ? "query"
						: "scan");
	for (int i = statement; i < argc; i++) {
		fmt_shell(out, " %", slice_from(argv[i]));
	}
	return true;
}

bool
example_of_path(struct buf *out, const char *path)
{
	struct slice rest = slice_from(path);
	cleanup(buf_release) struct buf by = {0};

	if (strchr(path, '/') == NULL || access(path, F_OK) == 0) {
		return false;
	}
	rest.len -= slice_ends(rest, SLICE(".json")) ? strlen(".json") : 0;
	while (rest.len > 0) {
		struct slice part = slice_take(&rest, '/');

		if (part.len > 0) {
			buf_str(&by, by.len == 0 ? "" : " ");
			shell_word(&by, part);
		}
	}
	return typed_line_words(out, slice_from(path), buf_view(&by));
}
