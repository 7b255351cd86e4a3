/* suggest - see suggest.h */
#include "tools/advice/suggest.h"

#include "store/base/text/json.h"
#include "store/base/text/near.h"
#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"
#include "store/mend/mend.h"
#include "store/model/schema.h"
#include "store/open.h"

#include "tools/advice/hints.h"
#include "tools/cli/commands.h"
#include "tools/cli/help.h"
#include "tools/session/absent.h"
#include "tools/session/ctl.h"
#include "tools/session/unquoted.h"
#include "tools/system/find_store.h"
#include "tools/system/no_file.h"
#include "tools/system/other_store.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

void
suggest_line(struct call *c, struct slice line)
{
	c->error.message = arena_print(&c->arena, "%s\n%.*s", c->error.message, SLICE_ARG(line));
}

static void
suggest_usage(const struct ctl *ctl, struct call *c)
{
	struct buf b = {.arena = &c->arena};

	help_usage(&b, help_width(STDERR_FILENO), ctl->command);
	b.len -= b.len > 0; /* the last line's end */
	suggest_line(c, buf_view(&b));
}

/* ------------------------------------------------------------ operators and quotes */

/* Return true if the message is about the text of an expression. */
static bool
suggest_is_wording(const char *message)
{
	static const char *const parts[] = {"yntax error",
					    "wasn't well formed",
					    "not JSON",
					    "does not exist in the item",
					    "would be a subtraction",
					    "Invalid function name",
					    "Unsupported operator"};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (strstr(message, parts[i]) != NULL) {
			return true;
		}
	}
	return false;
}

/* Suggest a replacement for an operator of another language in an invalid expression. */
static void
suggest_operators(const struct ctl *ctl, struct call *c)
{
	const struct exprs *e = ctl->exprs;
	bool wording = suggest_is_wording(c->error.message);
	struct buf hint = {.arena = &c->arena};

	for (size_t i = 0; wording && i < e->n && hint.len == 0; i++) {
		if (mend_foreign_put(&hint, e->typed[i].user)) {
			suggest_line(c, buf_view(&hint));
		}
	}
}

/* Suggest quotes for unquoted texts.  Except for far stores, names are known from a sample of the table. */
static bool
suggest_quotes(const struct ctl *ctl, struct call *c)
{
	const struct exprs *e = ctl->exprs;
	struct page page = {0};

	if (e == NULL || ctl->words.n == 0 || !suggest_is_wording(c->error.message)) {
		return false;
	}
	call_scope(own, c->now_ms);
	bool known = ctl->engine != NULL && !url_is_far(ctl->store) &&
		     absent_sample(ctl, &own, slice_from(ctl->words.at[0]), &page) == 0;

	for (size_t i = 0; i < e->n; i++) {
		const struct exprs_typed *typed = &e->typed[i];
		struct unquoted found;
		struct buf b = {.arena = &own.arena};

		if (words_in("UpdateExpression ConditionExpression FilterExpression",
			     slice_from(typed->field)) &&
		    unquoted_find(&own, typed->field, typed->user, known ? &page : NULL, &found)) {
			unquoted_put_named(&b, typed->user, &found);
			suggest_line(c, buf_view(&b));
			return true;
		}
	}
	return false;
}

/* ------------------------------------------------------------ stores and directories */

/* Append @name, with a number after it if such a file exists. */
static void
suggest_free_name(struct buf *out, const char *name)
{
	struct slice stem = slice_from(name);
	cleanup(buf_release) struct buf b = {0};

	while (stem.len > 1 && stem.at[stem.len - 1] == '/') {
		stem.len--;
	}
	for (unsigned i = 1; i == 1 || access(b.at, F_OK) == 0; i++) {
		buf_clear(&b);
		buf_slice(&b, stem);
		if (i > 1) {
			buf_fmt(&b, "-%u", i);
		}
		buf_char(&b, '\0');
	}
	shell_word(out, slice_from(b.at));
}

/* Suggest a directory for backup or restore, which need a new one. */
static bool
suggest_directory(const struct ctl *ctl, struct call *c, struct buf *out)
{
	const char *name = ctl->words.n > 0 ? ctl->words.at[0] : "DIR";
	bool restores = command_is(ctl->command, COMMAND_RESTORE) &&
			((ctl->unopened && ctl->store == NULL) ||
			 strstr(c->error.message, "Directory not empty") != NULL);

	if (restores) {
		buf_str(out, "to restore it into a new store: itemctl -s ");
		suggest_free_name(out, "./restored");
		fmt_shell(out, " restore %", slice_from(name));
		return true;
	}
	if (command_is(ctl->command, COMMAND_RESTORE) && other_store_is(c, slice_from(name))) {
		fmt_shell(out, "it already is a store: itemctl -s % tables", slice_from(name));
		return true;
	}
	if (command_is(ctl->command, COMMAND_RESTORE)) {
		return no_file_line(c, name, out);
	}
	if (!command_is(ctl->command, COMMAND_BACKUP) ||
	    strstr(c->error.message, "File exists") == NULL) {
		return false;
	}
	buf_str(out, "give each backup a new directory: itemctl backup ");
	suggest_free_name(out, name);
	return true;
}

/* Suggest restore if the store is a backup. */
static bool
suggest_restore(const struct ctl *ctl, struct buf *out)
{
	if (ctl->store == NULL || store_is_remote(ctl->store) ||
	    !find_store_has(ctl->store, "BACKUP")) {
		return false;
	}
	buf_str(out, "it is a backup; restoring it checks its files: itemctl -s ");
	suggest_free_name(out, "./restored");
	fmt_shell(out, " restore %", slice_from(ctl->store));
	return true;
}

/* Suggest a similar store, or the one that the command would create. */
static bool
suggest_store(const struct ctl *ctl, struct buf *out)
{
	bool imports = command_is(ctl->command, COMMAND_IMPORT);
	bool makes = imports || command_is(ctl->command, COMMAND_CREATE_TABLE) ||
		     (command_is(ctl->command, COMMAND_CALL) && ctl->words.n > 0 &&
		      strcmp(ctl->words.at[0], "CreateTable") == 0);

	if ((ctl->store == NULL && command_is(ctl->command, COMMAND_SERVE)) ||
	    (ctl->store != NULL && (*ctl->store == '\0' || store_is_remote(ctl->store))) ||
	    !find_store_meant(out, ctl->store, makes)) {
		return false;
	}
	if (!slice_starts(buf_view(out), SLICE("to create a new one"))) {
		return true;
	}
	if (imports && memmem(out->at, out->len, " --key", strlen(" --key")) == NULL) {
		buf_str(out, " --key auto");
	}
	const char *next = ctl->words.n == 1 ? typed_line_word(3) : NULL;

	if (command_is(ctl->command, COMMAND_CREATE_TABLE) &&
	    (ctl->words.n == 3 ||
	     (next != NULL && words_in("-f --from --file", slice_from(next))))) {
		/* The first word may be a store: STORE TABLE PK, or STORE -f FILE */
		buf_fmt(out, "\nif %s is the store: ", ctl->words.at[0]);
		(void)typed_line_insert(out, slice_from(ctl->words.at[0]), SLICE("-s"));
	}
	return true;
}

/* ------------------------------------------------------------ tables and indexes */

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

/* If the table has the index, suggest the typed line with the table in place of its word, and the index as an option. */
static bool
suggest_table_index_in(const struct ctl *ctl, struct call *c, struct slice table,
		       struct slice index)
{
	bool describes = command_is(ctl->command, COMMAND_DESCRIBE);
	struct buf b = {.arena = &c->arena};
	const struct schema *schema = NULL;
	call_scope(own, 0);

	if (ctl_schema(ctl, &own, table, &schema) != 0 || schema_index(schema, index) == NULL) {
		return false;
	}
	buf_str(&b, describes ? "it is an index of this table: " : "");
	if (!typed_line_with(&b, slice_from(ctl->words.at[0]), table)) {
		buf_fmt(&b, "itemctl %s ", ctl->command->name);
		shell_word(&b, table);
	}
	if (!describes) {
		fmt_shell(&b, " --index %", index);
	}
	suggest_line(c, buf_view(&b));
	return true;
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
		if (suggest_table_index_in(ctl, c, out.names[i], index)) {
			return true;
		}
	}
	return false;
}

/*
 * Suggest the option --index for an index in place of the table
 *
 * The word is "TABLE.INDEX", as in PartiQL, "TABLE/INDEX", or the index alone.
 * Return: false: there is no such index, or the command has no such option
 */
static bool
suggest_table_index(const struct ctl *ctl, struct call *c)
{
	assert(ctl->engine != NULL && ctl->words.n > 0);
	const char *word = ctl->words.at[0];
	size_t n = strcspn(word, "./");

	if (!words_in("query scan export describe", slice_from(ctl->command->name))) {
		return false;
	}
	if (word[n] == '\0') {
		return suggest_table_index_of(ctl, c);
	}
	return suggest_table_index_in(ctl, c, slice_of(word, n), slice_from(word + n + 1));
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

/*
 * After an invalid table name: suggest to put the only table before the key
 *
 * Return: false: the error is another one, or there is no suggestion
 */
static bool
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

/* After a missing table: suggest a similar one or another command; the store is open. */
static void
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

/* ------------------------------------------------------------ all suggestions */

void
suggest(const struct ctl *ctl, struct call *c)
{
	enum err code = c->error.code;
	struct buf hint = {.arena = &c->arena};

	if (ctl->advice.len == 0 && (code == ERR_VALIDATION || code == ERR_USAGE) &&
	    suggest_quotes(ctl, c)) {
		return;
	}
	if (ctl->advice.len > 0) {
		suggest_line(c, ctl->advice);
	} else if (code != ERR_NONE &&
		   ((ctl->unopened &&
		     !(command_is(ctl->command, COMMAND_RESTORE) && ctl->store == NULL) &&
		     (suggest_restore(ctl, &hint) || suggest_store(ctl, &hint))) ||
		    suggest_directory(ctl, c, &hint) || hints_find(ctl, c, &hint))) {
		suggest_line(c, buf_view(&hint));
	} else if (code == ERR_USAGE && ctl->command != NULL && ctl->words.n == 0) {
		suggest_usage(ctl, c);
	} else if (code == ERR_VALIDATION && ctl->engine != NULL && ctl->words.n > 0 &&
		   strchr(ctl->words.at[0], '/') != NULL) {
		(void)suggest_table_index(ctl, c);
	} else if (code == ERR_VALIDATION && suggest_table_lacking(ctl, c)) {
		return;
	} else if (code == ERR_VALIDATION && ctl->exprs != NULL) {
		suggest_operators(ctl, c);
	} else if ((code == ERR_NO_TABLE || code == ERR_NO_SUCH_TABLE) && ctl->engine != NULL &&
		   strchr(c->error.message, '\n') == NULL && /* nothing is suggested yet */
		   ctl->words.n > 0 && !suggest_table_index(ctl, c)) {
		suggest_table(ctl, c);
	}
}
