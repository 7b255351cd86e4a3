/* suggest - usage lines, operators of other languages, names of tables */
#include "tools/advice/suggest.h"

#include <unistd.h>

#include "store/base/core/ascii.h"
#include "store/base/text/json.h"
#include "store/base/text/near.h"
#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"
#include "store/mend/mend.h"
#include "store/model/schema.h"
#include "store/open.h"

#include "tools/advice/hints.h"
#include "tools/cli/help.h"
#include "tools/session/absent.h"
#include "tools/session/command.h"
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
	struct buf b;

	buf_init(&b, &c->arena);
	buf_fmt(&b, "%s\n%.*s", c->error.message, SLICE_ARG(line));
	buf_char(&b, '\0');
	c->error.message = b.at;
}

static void
suggest_usage(const struct ctl *ctl, struct call *c)
{
	struct buf b;

	buf_init(&b, &c->arena);
	help_usage(&b, help_width(STDERR_FILENO), ctl->command);
	b.len -= b.len > 0; /* the last line's end */
	suggest_line(c, buf_view(&b));
}

/* ------------------------------------------------------------ operators and quotes */

/* Is it about the words of an expression? */
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

/* An expression that cannot be read may have an operator of another language. */
static void
suggest_operators(const struct ctl *ctl, struct call *c)
{
	const struct exprs *e = ctl->exprs;
	bool wording = suggest_is_wording(c->error.message);
	struct buf hint;

	buf_init(&hint, &c->arena);
	for (size_t i = 0; wording && i < e->n && hint.len == 0; i++) {
		if (mend_foreign_put(&hint, e->typed[i].user)) {
			suggest_line(c, buf_view(&hint));
		}
	}
}

/* Texts without quotes; names are known of a store, and of a server on this machine. */
static bool
suggest_quotes(const struct ctl *ctl, struct call *c)
{
	const struct exprs *e = ctl->exprs;
	struct page page = {0};
	struct call own;
	bool said = false;

	if (e == NULL || ctl->words.n == 0 || !suggest_is_wording(c->error.message)) {
		return false;
	}
	call_open(&own, c->now_ms, CALL_BUDGET);
	bool known = ctl->engine != NULL && !url_is_far(ctl->store) &&
		     absent_sample(ctl, &own, slice_from(ctl->words.at[0]), &page) == 0;

	for (size_t i = 0; i < e->n && !said; i++) {
		const struct exprs_typed *typed = &e->typed[i];
		struct unquoted found;
		struct buf b;

		if (strcmp(typed->field, "UpdateExpression") != 0 &&
		    strcmp(typed->field, "ConditionExpression") != 0 &&
		    strcmp(typed->field, "FilterExpression") != 0) {
			continue;
		}
		said = unquoted_find(&own, typed->field, typed->user, known ? &page : NULL, &found);
		if (said) {
			buf_init(&b, &own.arena);
			unquoted_put_named(&b, typed->user, &found);
			suggest_line(c, buf_view(&b));
		}
	}
	call_close(&own);
	return said;
}

/* ------------------------------------------------------------ tables */

/* Compare the names of all tables, page by page. */
static int
suggest_compare(struct engine *engine, struct call *c, struct near *near, size_t *n)
{
	struct list_tables_in in = {0};
	struct list_tables_out out;
	int r;

	do {
		r = engine_list_tables(engine, c, &in, &out);
		for (size_t i = 0; r == 0 && i < out.n_names; i++) {
			if (slice_eq(out.names[i], near->typed)) {
				return 1; /* it is there: something else is missing */
			}
			near_try(near, out.names[i]);
			++*n;
		}
		in.start = r == 0 ? out.last : (struct slice){0};
	} while (r == 0 && in.start.len > 0);
	return r;
}

/* The table in place of the word for it, and the index as an option. */
static void
suggest_index_line(const struct ctl *ctl, struct call *c, struct slice table, struct slice index)
{
	struct buf b;

	buf_init(&b, &c->arena);
	if (command_is(ctl->command, COMMAND_DESCRIBE)) {
		buf_fmt(&b, "it is an index of its table: ");
	}
	if (!typed_line_with(&b, slice_from(ctl->words.at[0]), table)) {
		buf_fmt(&b, "itemctl %s ", ctl->command->name);
		shell_word(&b, table);
	}
	if (!command_is(ctl->command, COMMAND_DESCRIBE)) {
		buf_str(&b, " --index ");
		shell_word(&b, index);
	}
	suggest_line(c, buf_view(&b));
}

static bool
suggest_has_index(const struct ctl *ctl, struct slice table, struct slice index)
{
	struct describe_table_in in = {.table = table};
	struct describe_table_out out;
	struct call own;

	call_open(&own, 0, CALL_BUDGET);
	bool has = engine_describe_table(ctl->engine, &own, &in, &out) == 0 &&
		   schema_index(out.table.schema, index) != NULL;

	call_close(&own);
	return has;
}

/* An index in place of a table, of a store or a server on this machine. */
static bool
suggest_index_of(const struct ctl *ctl, struct call *c)
{
	struct slice index = slice_from(ctl->words.at[0]);
	struct list_tables_in in = {0};
	struct list_tables_out out = {0};
	struct call own;
	bool found = false;

	if (url_is_far(ctl->store)) {
		return false;
	}
	call_open(&own, c->now_ms, CALL_BUDGET);
	if (engine_list_tables(ctl->engine, &own, &in, &out) == 0) {
		for (size_t i = 0; i < out.n_names && !found; i++) {
			found = suggest_has_index(ctl, out.names[i], index);
			if (found) {
				suggest_index_line(ctl, c, out.names[i], index);
			}
		}
	}
	call_close(&own);
	return found;
}

/* "TABLE.INDEX", as in PartiQL, "TABLE/INDEX", or the index alone: then the index is an option. */
static bool
suggest_index(const struct ctl *ctl, struct call *c)
{
	const char *word = ctl->words.at[0];
	size_t n = strcspn(word, "./");

	if (!command_is(ctl->command, COMMAND_QUERY) && !command_is(ctl->command, COMMAND_SCAN) &&
	    !command_is(ctl->command, COMMAND_EXPORT) &&
	    !command_is(ctl->command, COMMAND_DESCRIBE)) {
		return false;
	}
	if (word[n] == '\0') {
		return suggest_index_of(ctl, c);
	}
	struct slice table = slice_of(word, n);
	struct slice index = slice_from(word + n + 1);
	bool there = suggest_has_index(ctl, table, index);

	if (there) {
		suggest_index_line(ctl, c, table, index);
	}
	return there;
}

/* "delete table music": SQL's two words for a command that has another name */
static bool
suggest_second(const struct ctl *ctl, struct buf *out)
{
	const char *first = ctl->words.at[0];
	const char *name = ctl->words.n == 2 ? ctl->words.at[1] : NULL;

	if (name == NULL || (strcasecmp(first, "table") != 0 && strcasecmp(first, "from") != 0)) {
		return false;
	}
	bool drops = command_is(ctl->command, COMMAND_DELETE);

	if (!drops && !command_is(ctl->command, COMMAND_GET) &&
	    !command_is(ctl->command, COMMAND_QUERY)) {
		return false;
	}
	buf_fmt(out, "the table itself: itemctl %s ", drops ? "drop" : "describe");
	shell_word(out, slice_from(name));
	return true;
}

/* The first table of a request that there is not; @near begins with it. */
static int
suggest_of_request(const struct ctl *ctl, struct call *c, const struct json *json,
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
			r = suggest_compare(ctl->engine, c, near, n);
		}
		r = r == 1 ? suggest_of_request(ctl, c, child, near, n) : r;
	}
	return r;
}

/* Compare the names of all tables with the one that is missing. */
static int
suggest_nearest(const struct ctl *ctl, struct call *c, struct near *near, size_t *n)
{
	const struct json *json = NULL;

	*near = near_start(slice_from(ctl->words.at[0]));
	if (!command_is(ctl->command, COMMAND_CALL)) {
		return suggest_compare(ctl->engine, c, near, n);
	}
	if (ctl->words.n < 2 ||
	    json_parse(c, slice_from(ctl->words.at[1]), JSON_LAST_WINS, &json) < 0) {
		return 1;
	}
	return suggest_of_request(ctl, c, json, near, n);
}

bool
suggest_near_table(const struct ctl *ctl, struct call *c, struct slice typed, struct slice but)
{
	struct near near = near_start(typed);
	struct call own;
	struct buf b;
	size_t n = 0;

	call_open(&own, c->now_ms, CALL_BUDGET);
	buf_init(&b, &c->arena);
	bool found = suggest_compare(ctl->engine, &own, &near, &n) == 0 && near.best.len > 0 &&
		     !slice_eq(near.best, but) && typed_line_meant(&b, &near);

	if (found) {
		suggest_line(c, buf_view(&b));
	}
	call_close(&own);
	return found;
}

/* Does the typed line delete without a question? No other table is suggested for it. */
static bool
suggest_destroys(void)
{
	return typed_line_has("--yes") || typed_line_has("-y") || typed_line_has("--force") ||
	       typed_line_has("-f");
}

/* What stands in the place of the table is a key: the line with the only table, or a word for it. */
static bool
suggest_lacking_table(const struct ctl *ctl, struct call *c)
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
	buf_str(&b, "the table comes first: ");
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

static void
suggest_table(const struct ctl *ctl, struct call *c)
{
	struct near near;
	struct call own;
	struct buf b;
	size_t before = 0; /* bytes of the line */
	size_t n = 0;

	call_open(&own, c->now_ms, CALL_BUDGET);
	buf_init(&b, &c->arena);
	if (suggest_nearest(ctl, &own, &near, &n) == 0) {
		if (suggest_second(ctl, &b)) {
			n = SIZE_MAX; /* said */
		} else if (command_is(ctl->command, COMMAND_GET) && ctl->words.n == 2 &&
			   strcmp(ctl->words.at[0], "items") == 0) {
			fmt_shell(&b, "all items of a table: itemctl scan %",
				  slice_from(ctl->words.at[1]));
		} else if (command_is(ctl->command, COMMAND_IMPORT)) {
			buf_str(&b, "import makes it with --key PK[:T][,SK[:T]]: itemctl import");
			for (size_t i = 0; i < ctl->words.n && i < 2; i++) {
				buf_char(&b, ' ');
				shell_word(&b, slice_from(ctl->words.at[i]));
			}
			buf_str(&b, " --key PK");
		} else if (near.best.len > 0 && !suggest_destroys()) {
			typed_line_near(&b, &near, "");
			before = strlen(": ");
		} else if (n == 0) {
			buf_str(&b, "the store has no tables; itemctl create-table makes one");
		} else {
			buf_str(&b, "itemctl tables lists those there are");
		}
		suggest_line(c, slice_skip(buf_view(&b), before));
	}
	call_close(&own);
}

/* @name, or with a number behind it, so that nothing is there. */
static void
suggest_free_name(struct buf *out, const char *name)
{
	struct slice stem = slice_from(name);
	struct buf b;

	while (stem.len > 1 && stem.at[stem.len - 1] == '/') {
		stem.len--;
	}
	buf_init(&b, NULL);
	for (unsigned i = 1; i == 1 || access(b.at, F_OK) == 0; i++) {
		buf_clear(&b);
		buf_slice(&b, stem);
		if (i > 1) {
			buf_fmt(&b, "-%u", i);
		}
		buf_char(&b, '\0');
	}
	shell_word(out, slice_from(b.at));
	buf_release(&b);
}

/* A backup, and what becomes of it, are new directories. */
static bool
suggest_directory(const struct ctl *ctl, struct call *c, struct buf *out)
{
	const char *name = ctl->words.n > 0 ? ctl->words.at[0] : "DIR";
	bool restores = command_is(ctl->command, COMMAND_RESTORE) &&
			((ctl->unopened && ctl->store == NULL) ||
			 strstr(c->error.message, "Directory not empty") != NULL);

	if (restores) {
		buf_str(out, "a backup becomes a new store: itemctl -s ");
		suggest_free_name(out, "./restored");
		buf_str(out, " restore ");
		shell_word(out, slice_from(name));
		return true;
	}
	if (command_is(ctl->command, COMMAND_RESTORE) && other_store_is(c, slice_from(name))) {
		fmt_shell(out, "it is a store, which needs no restore: itemctl -s % tables",
			  slice_from(name));
		return true;
	}
	if (command_is(ctl->command, COMMAND_RESTORE)) {
		return no_file_line(c, name, out);
	}
	if (!command_is(ctl->command, COMMAND_BACKUP) ||
	    strstr(c->error.message, "File exists") == NULL) {
		return false;
	}
	buf_str(out, "each backup is a new directory: itemctl backup ");
	suggest_free_name(out, name);
	return true;
}

/* A backup in the place of a store. */
static bool
suggest_restore(const struct ctl *ctl, struct buf *out)
{
	if (ctl->store == NULL || store_is_remote(ctl->store) ||
	    !find_store_has(ctl->store, "BACKUP")) {
		return false;
	}
	buf_str(out,
		"it is a backup, whose files are checked where it becomes a store: itemctl -s ");
	suggest_free_name(out, "./restored");
	buf_str(out, " restore ");
	shell_word(out, slice_from(ctl->store));
	return true;
}

/* The store that was meant, or that the command makes. */
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
	if (!slice_starts(buf_view(out), SLICE("a new one"))) {
		return true;
	}
	if (imports && memmem(out->at, out->len, " --key", strlen(" --key")) == NULL) {
		buf_str(out, " --key auto");
	}
	const char *next = ctl->words.n == 1 ? typed_line_word(3) : NULL;

	if (command_is(ctl->command, COMMAND_CREATE_TABLE) &&
	    (ctl->words.n == 3 ||
	     (next != NULL && words_in("-f --from --file", slice_from(next))))) {
		/* NAME PK SK?  NAME of the file? */
		buf_fmt(out, "\nif %s is the store: ", ctl->words.at[0]);
		(void)typed_line_insert(out, slice_from(ctl->words.at[0]), SLICE("-s"));
	}
	return true;
}

void
suggest(const struct ctl *ctl, struct call *c)
{
	enum err code = c->error.code;
	struct buf hint;

	buf_init(&hint, &c->arena);
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
		(void)suggest_index(ctl, c);
	} else if (code == ERR_VALIDATION && suggest_lacking_table(ctl, c)) {
		return;
	} else if (code == ERR_VALIDATION && ctl->exprs != NULL) {
		suggest_operators(ctl, c);
	} else if ((code == ERR_NO_TABLE || code == ERR_NO_SUCH_TABLE) && ctl->engine != NULL &&
		   strchr(c->error.message, '\n') == NULL && /* nothing is suggested yet */
		   ctl->words.n > 0 && !suggest_index(ctl, c)) {
		suggest_table(ctl, c);
	}
}
