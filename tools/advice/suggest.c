/* suggest - see suggest.h */
#include "tools/advice/suggest.h"

#include <unistd.h>

#include "store/base/core/ascii.h"
#include "store/base/core/cleanup.h"
#include "store/base/text/json.h"
#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"
#include "store/mend/mend.h"
#include "store/model/schema.h"
#include "store/open.h"

#include "tools/advice/hints.h"
#include "tools/advice/suggest_table.h"
#include "tools/cli/commands.h"
#include "tools/cli/help.h"
#include "tools/session/absent.h"
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
