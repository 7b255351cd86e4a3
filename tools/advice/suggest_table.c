/* suggest_table - see suggest_table.h */
#include "tools/advice/suggest_table.h"

#include <assert.h>

#include "store/base/text/json.h"
#include "store/base/text/near.h"
#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"
#include "store/model/schema.h"

#include "tools/advice/suggest.h"
#include "tools/cli/commands.h"
#include "tools/session/ctl.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

/* Compare the names of all tables, page by page.  Return: 0, 1 if the table exists, or the error */
static int
suggest_table_compare(struct engine *engine, struct call *c, struct near *near, size_t *n)
{
	struct list_tables_in in = {0};
	struct list_tables_out out;
	int r;

	do {
		r = engine_list_tables(engine, c, &in, &out);
		for (size_t i = 0; r == 0 && i < out.n_names; i++) {
			if (slice_eq(out.names[i], near->typed)) {
				return 1; /* the error has another reason */
			}
			near_try(near, out.names[i]);
			++*n;
		}
		in.start = r == 0 ? out.last : (struct slice){0};
	} while (r == 0 && in.start.len > 0);
	return r;
}

/* Suggest the typed line with the table in place of its word, and the index as an option. */
static void
suggest_table_index_line(const struct ctl *ctl, struct call *c, struct slice table,
			 struct slice index)
{
	struct buf b = {.arena = &c->arena};

	if (command_is(ctl->command, COMMAND_DESCRIBE)) {
		buf_fmt(&b, "it is an index of this table: ");
	}
	if (!typed_line_with(&b, slice_from(ctl->words.at[0]), table)) {
		buf_fmt(&b, "itemctl %s ", ctl->command->name);
		shell_word(&b, table);
	}
	if (!command_is(ctl->command, COMMAND_DESCRIBE)) {
		fmt_shell(&b, " --index %", index);
	}
	suggest_line(c, buf_view(&b));
}

static bool
suggest_table_has_index(const struct ctl *ctl, struct slice table, struct slice index)
{
	const struct schema *schema = NULL;
	call_scope(own, 0);

	return ctl_schema(ctl, &own, table, &schema) == 0 && schema_index(schema, index) != NULL;
}

/* Search all tables for an index that was given in place of a table; not in far stores. */
static bool
suggest_table_index_of(const struct ctl *ctl, struct call *c)
{
	struct slice index = slice_from(ctl->words.at[0]);
	struct list_tables_in in = {0};
	struct list_tables_out out = {0};
	call_scope(own, c->now_ms);

	if (url_is_far(ctl->store) || engine_list_tables(ctl->engine, &own, &in, &out) != 0) {
		return false;
	}
	for (size_t i = 0; i < out.n_names; i++) {
		if (suggest_table_has_index(ctl, out.names[i], index)) {
			suggest_table_index_line(ctl, c, out.names[i], index);
			return true;
		}
	}
	return false;
}

bool
suggest_table_index(const struct ctl *ctl, struct call *c)
{
	assert(ctl->engine != NULL && ctl->words.n > 0);
	const char *word = ctl->words.at[0];
	size_t n = strcspn(word, "./");

	if (!command_is(ctl->command, COMMAND_QUERY) && !command_is(ctl->command, COMMAND_SCAN) &&
	    !command_is(ctl->command, COMMAND_EXPORT) &&
	    !command_is(ctl->command, COMMAND_DESCRIBE)) {
		return false;
	}
	if (word[n] == '\0') {
		return suggest_table_index_of(ctl, c);
	}
	struct slice table = slice_of(word, n);
	struct slice index = slice_from(word + n + 1);
	bool there = suggest_table_has_index(ctl, table, index);

	if (there) {
		suggest_table_index_line(ctl, c, table, index);
	}
	return there;
}

/* "delete table music": suggest the command that SQL names with two words. */
static bool
suggest_table_second(const struct ctl *ctl, struct buf *out)
{
	bool drops = command_is(ctl->command, COMMAND_DELETE);

	if (ctl->words.n != 2 || !words_in_any_case("table from", slice_from(ctl->words.at[0])) ||
	    (!drops && !command_is(ctl->command, COMMAND_GET) &&
	     !command_is(ctl->command, COMMAND_QUERY))) {
		return false;
	}
	buf_fmt(out, "for the table itself: itemctl %s ", drops ? "drop" : "describe");
	shell_word(out, slice_from(ctl->words.at[1]));
	return true;
}

/* Find the first table of a request that does not exist, and similar names.  Return: as suggest_table_compare() */
static int
suggest_table_of_request(const struct ctl *ctl, struct call *c, const struct json *json,
			 struct near *near, size_t *n)
{
	int r = 1;

	json_each (child, json) {
		struct slice table = slice_is(child->name, "TableName") ? child->text : SLICE("");

		if (table.len == 0 && slice_is(json->name, "RequestItems")) {
			table = child->name;
		}
		if (r == 1 && table.len > 0) {
			*near = near_start(table);
			*n = 0;
			r = suggest_table_compare(ctl->engine, c, near, n);
		}
		r = r == 1 ? suggest_table_of_request(ctl, c, child, near, n) : r;
	}
	return r;
}

/* Compare the names of all tables with the missing one.  Return: as suggest_table_compare() */
static int
suggest_table_nearest(const struct ctl *ctl, struct call *c, struct near *near, size_t *n)
{
	const struct json *json = NULL;

	*near = near_start(slice_from(ctl->words.at[0]));
	if (!command_is(ctl->command, COMMAND_CALL)) {
		return suggest_table_compare(ctl->engine, c, near, n);
	}
	if (ctl->words.n < 2 ||
	    json_parse(c, slice_from(ctl->words.at[1]), JSON_LAST_WINS, &json) < 0) {
		return 1;
	}
	return suggest_table_of_request(ctl, c, json, near, n);
}

bool
suggest_near_table(const struct ctl *ctl, struct call *c, struct slice typed, struct slice but)
{
	struct near near = near_start(typed);
	struct buf b = {.arena = &c->arena};
	size_t n = 0;
	call_scope(own, c->now_ms);

	if (suggest_table_compare(ctl->engine, &own, &near, &n) != 0 || near.best.len == 0 ||
	    slice_eq(near.best, but) || !typed_line_meant(&b, &near)) {
		return false;
	}
	suggest_line(c, buf_view(&b));
	return true;
}

/* Return true if the typed line deletes without a question: then do not suggest another table. */
static bool
suggest_table_destroys(void)
{
	return typed_line_has("--yes") || typed_line_has("-y") || typed_line_has("--force") ||
	       typed_line_has("-f");
}

bool
suggest_table_lacking(const struct ctl *ctl, struct call *c)
{
	static const char refused[] = "at 'tableName' failed to satisfy constraint: Member must";
	struct buf b = {.arena = &c->arena};
	struct buf table = {.arena = &c->arena};
	struct list_tables_in in = {0};
	struct list_tables_out out = {0};

	if (ctl->engine == NULL || ctl->words.n == 0 ||
	    command_is(ctl->command, COMMAND_CREATE_TABLE) || typed_line_has("--table") ||
	    typed_line_has("--table-name") || strchr(ctl->words.at[0], '/') != NULL ||
	    strstr(c->error.message, refused) == NULL) {
		return false;
	}
	call_scope(own, c->now_ms);
	bool only = engine_list_tables(ctl->engine, &own, &in, &out) == 0 && out.n_names == 1;

	shell_word(&table, only ? out.names[0] : SLICE("TABLE"));
	buf_str(&b, "name the table first: ");
	const char *last = ctl->words.at[ctl->words.n - 1];

	if (only && slice_is(out.names[0], last)) {
		(void)typed_line_change(last, (struct slice){0});
	}
	bool put = typed_line_insert(&b, slice_from(ctl->words.at[0]), buf_view(&table));

	if (put) {
		suggest_line(c, buf_view(&b));
	}
	return put;
}

void
suggest_table(const struct ctl *ctl, struct call *c)
{
	assert(ctl->engine != NULL && ctl->words.n > 0);
	struct near near;
	struct buf b = {.arena = &c->arena};
	size_t before = 0; /* bytes of the line to skip */
	size_t n = 0;      /* tables */
	call_scope(own, c->now_ms);

	if (suggest_table_nearest(ctl, &own, &near, &n) != 0) {
		return;
	}
	if (suggest_table_second(ctl, &b)) {
		suggest_line(c, buf_view(&b));
		return;
	}
	if (command_is(ctl->command, COMMAND_GET) && ctl->words.n == 2 &&
	    strcmp(ctl->words.at[0], "items") == 0) {
		fmt_shell(&b, "for all items of a table: itemctl scan %",
			  slice_from(ctl->words.at[1]));
	} else if (command_is(ctl->command, COMMAND_IMPORT)) {
		buf_str(&b, "import creates it with --key PK[:T][,SK[:T]]: itemctl import");
		for (size_t i = 0; i < ctl->words.n && i < 2; i++) {
			fmt_shell(&b, " %", slice_from(ctl->words.at[i]));
		}
		buf_str(&b, " --key PK");
	} else if (near.best.len > 0 && !suggest_table_destroys()) {
		typed_line_near(&b, &near, "");
		before = strlen(": ");
	} else if (n == 0) {
		buf_str(&b, "the store has no tables; to create one: itemctl create-table NAME "
			    "--key PK,SK");
	} else {
		buf_str(&b, "to list the tables: itemctl tables");
	}
	suggest_line(c, slice_skip(buf_view(&b), before));
}
