/* cmd_sql - sql: runs PartiQL statements, or explains them */
#include "store/engine/engine.h"

#include "tools/cli/synonyms.h"
#include "tools/cmd/cmd.h"
#include "tools/explain/explain_requests.h"
#include "tools/session/ctl.h"
#include "tools/sql/sql_hints.h"
#include "tools/sql/sql_mend.h"
#include "tools/sql/sql_run.h"
#include "tools/system/progress.h"
#include "tools/text/sql_text.h"
#include "tools/text/typed_line.h"

struct sql_opts {
	const char *file;
	struct opt_count limit;
	bool consistent;
	struct explain_opts explain;
};

static const struct opt sql_opts[] = {
	{"file", 'f', OPT_TEXT, "FILE", offsetof(struct sql_opts, file),
	 "statements of a file, each ended by ;"},
	{"limit", 'n', OPT_COUNT, "N", offsetof(struct sql_opts, limit),
	 "print at most N items of each SELECT"},
	{"consistent", 0, OPT_FLAG, NULL, offsetof(struct sql_opts, consistent), "ConsistentRead"},
	EXPLAIN_ROWS(offsetof(struct sql_opts, explain)),
	OPTS_END(struct sql_opts),
};

struct sql {
	struct sql_run run;
	const struct sql_opts *o;
	const char *file;               /* where the text comes from; NULL: from run.word */
	struct slice text;              /* all statements */
	const struct value *parameters; /* [n_parameters], in the order of the statements */
	size_t n_parameters;
	size_t n_taken; /* parameters of the statements so far */
	size_t n_done;  /* statements */
	int failed;     /* exit status, if a limit of --explain is exceeded; else 0 */
};

/* Give the rewritten statement the parameters that it needs.  Return: false if there are too few */
static bool
sql_takes(struct sql *q, struct slice text, struct parameterized *of)
{
	struct statements all = {.text = text};
	assert(q->n_taken >= of->n_parameters);
	size_t first = q->n_taken - of->n_parameters;
	struct slice one;
	size_t asked;

	if (!statements_next(&all, &one, &asked) || asked > q->n_parameters - first) {
		return false;
	}
	of->parameters = q->parameters + first;
	of->n_parameters = asked;
	q->n_taken = first + asked;
	return true;
}

/* A statement was refused with the error @failed: run the rewritten one if it is sure, otherwise suggest it. */
static int
sql_instead(struct sql *q, struct call *c, const struct parameterized *of, int failed)
{
	size_t start = (size_t)(of->statement.at - q->text.at);
	struct sql_typed typed = {.of = of, .rest = slice_skip(q->text, start)};
	bool whole = ascii_trim(q->text).at == of->statement.at &&
		     sql_text_end(q->text) + 1 >= ascii_trim(q->text).len;
	struct parameterized as = *of;
	struct statements all;
	struct sql_mend mend;
	struct slice one;
	size_t asked;
	struct buf line = {.arena = &c->arena};
	bool lines = q->run.ctl->format == OUT_AUTO || q->run.ctl->format == OUT_JSONL;

	call_scope(own, c->now_ms);
	typed.mend = sql_mend(q->run.ctl, &own, of, &mend) ? &mend : NULL;
	typed.changed = mend.text;
	typed.word = whole && (lines || mend.pipe.len == 0) ? q->run.word : NULL;
	if (typed.mend != NULL && mend.sure && sql_takes(q, mend.text, &as)) {
		as.statement = slice_copy(&c->arena, mend.text);
		sql_hints_line(&line, &typed, &mend);
		ctl_note(q->run.ctl, "%s: %.*s",
			 mend.order.n > 0       ? "itemctl sorts the items that this reads"
			 : mend.ordered.len > 0 ? "itemctl skips the first items that this reads"
						: "read as",
			 SLICE_ARG(buf_view(&line)));
		c->error = (struct error){0};
		failed = 0;
		all = (struct statements){.text = as.statement};
		while (failed == 0 && statements_next(&all, &one, &asked)) {
			as.statement = one;
			sql_run_show_in(&q->run, c, one);
			failed = sql_run_statement(&q->run, c, &as, &mend);
		}
	} else if (sql_hints_find(q->run.ctl, c, &typed, &line)) {
		q->run.ctl->advice = buf_view(&line);
	}
	return failed;
}

/* Add file name and line number to the error, if the statements come from a file. */
static int
sql_tell_line(struct sql *q, struct call *c, struct slice statement, int failed)
{
	size_t line = 1;

	for (const char *at = q->text.at; at < statement.at; at++) {
		line += *at == '\n';
	}
	return q->file == NULL ? failed : call_prefix(c, "%s:%zu: ", q->file, line);
}

/* Fail because @n parameters are missing. */
static int
sql_lacks(struct sql *q, struct call *c, size_t n)
{
	struct buf line = {.arena = &c->arena};

	assert(n > 0);
	buf_str(&line, "give a value for each ? after the statement: ");
	if (typed_line_with(&line, (struct slice){0}, (struct slice){0})) {
		for (size_t i = 0; i < n; i++) {
			buf_str(&line, " VALUE");
		}
		q->run.ctl->advice = buf_view(&line);
	}
	return call_fail(c, ERR_USAGE, "sql: there are more ? than parameters, which are %zu",
			 q->n_parameters);
}

static int
sql_one(struct sql *q, struct call *c, struct slice statement, size_t questions)
{
	static const struct sql_mend as_it_is;

	q->run.explain = q->o->explain.explain;
	struct parameterized of = {
		.statement = sql_text_explained(statement, &q->run.explain),
		.parameters = questions == 0 ? NULL : q->parameters + q->n_taken,
		.n_parameters = questions,
		.consistent = q->o->consistent,
	};

	if (questions > q->n_parameters - q->n_taken) {
		return sql_lacks(q, c, q->n_taken + questions - q->n_parameters);
	}
	if (q->n_done++ > 0) {
		int r = ctl_end_answer(q->run.ctl, c);

		if (r < 0) {
			return r;
		}
	}
	q->n_taken += questions;
	sql_run_show_in(&q->run, c, of.statement);
	int r = sql_mend_qualified(q->run.ctl, c, of.statement)
			? call_fail(c, ERR_VALIDATION,
				    "Attributes are written without the name of their table")
			: sql_run_statement(&q->run, c, &of, &as_it_is);

	if (r == -ERR_VALIDATION || r == -ERR_NO_TABLE || r == -ERR_NO_INDEX || r == -ERR_USAGE) {
		r = sql_instead(q, c, &of, r);
	} else if (r == -ERR_CONDITION) {
		struct buf line = {.arena = &c->arena};

		q->run.ctl->advice = sql_hints_absent(q->run.ctl, c, of.statement, &line)
					     ? buf_view(&line)
					     : q->run.ctl->advice;
	}
	q->failed |= r == 0 && q->run.explain ? explain_judge(q->run.ctl, c, &q->o->explain) : 0;
	return r < 0 ? sql_tell_line(q, c, statement, r) : r;
}

/* ------------------------------------------------------------ all statements */

/* Note how many items were written; the statements themselves print nothing. */
static void
sql_say_written(const struct sql *q)
{
	static const char *const verbs[] = {[STATEMENT_INSERT] = "inserted",
					    [STATEMENT_UPDATE] = "updated",
					    [STATEMENT_DELETE] = "deleted"};

	for (size_t i = STATEMENT_INSERT; i < STATEMENT_EXISTS; i++) {
		const char *none =
			q->run.written[i].items == 0 ? ": there is no item with that key" : "";

		if (q->run.written[i].asked > 0) {
			ctl_note(q->run.ctl, "%s %s%s", progress_items(q->run.written[i].items).at,
				 verbs[i], none);
		}
	}
}

static int
sql_all(struct sql *q, struct call *c)
{
	struct statements all = {.text = q->text};
	struct slice statement;
	size_t questions;
	int r = 0;

	while (r == 0 && statements_next(&all, &statement, &questions)) {
		struct arena_mark mark = arena_mark(&c->arena);

		r = sql_one(q, c, statement, questions);
		if (r == 0) {
			q->run.ctl->exprs = NULL;
			arena_reset(&c->arena, mark);
		}
	}
	sql_say_written(q);
	if (r == 0 && q->n_done == 0) {
		return call_fail(c, ERR_USAGE, "sql: there is no statement");
	}
	if (r == 0 && q->n_taken < q->n_parameters) {
		return call_fail(c, ERR_USAGE, "sql: %zu parameters are given, %zu are needed",
				 q->n_parameters, q->n_taken);
	}
	return r;
}

/* Fail if the statement was typed without quotes, so that its words are separate, as in: sql SELECT * FROM t */
static int
sql_unquoted(struct ctl *ctl, struct call *c, const struct words *words)
{
	struct buf line = {.arena = &c->arena};

	if (!(words->n > 1 && synonyms_is_statement(words->at[1]) &&
	      typed_line_words(&line, slice_from(words->at[0]), SLICE(""))) &&
	    !sql_hints_unquoted(c, words, &line)) {
		return 0;
	}
	ctl->advice = buf_view(&line);
	return call_fail(c, ERR_USAGE, "sql: %s is not a statement", words->at[0]);
}

/* The text is the first word, a file, or standard input; the remaining words are parameters. */
static int
run_sql(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct sql_opts *o = opts;
	struct sql q = {.run = {.ctl = ctl, .limit = o->limit, .reads = o->explain.run}, .o = o};
	bool word = o->file == NULL && words->n > 0 && strcmp(words->at[0], "-") != 0;
	bool plain = !o->limit.given && !o->consistent && !o->explain.explain;
	size_t used = o->file == NULL && words->n > 0;
	struct slice text = word ? slice_from(words->at[0]) : (struct slice){0};
	int r = explain_check(c, &o->explain);
	if (r < 0) {
		return r;
	}
	if (o->file == NULL && words->n == 0 && plain && ctl->dry == NULL && isatty(STDIN_FILENO)) {
		engine_close(
			ctl->engine); /* each line of the shell is a process that opens the store */
		ctl->engine = NULL;
		return cmd_shell.run(ctl, c, words, NULL);
	}
	q.file = word ? NULL : o->file == NULL ? "-" : o->file;
	if (word && words->at[0][0] == '@') {
		q.file = words->at[0] + 1;
	}
	if (q.file != NULL) {
		r = ctl_read_text(c, q.file, &text);
	} else if (slice_chr(text, ' ') == NULL) {
		r = sql_unquoted(ctl, c, words);
	}
	q.run.word = q.file == NULL ? words->at[0] : NULL;
	q.file = q.file != NULL && strcmp(q.file, "-") == 0 ? "standard input" : q.file;
	q.text = text;
	if (r == 0) {
		q.n_parameters = words->n - used;
		r = statements_parameters(c, words, used, &q.parameters);
	}
	r = r < 0 ? r : sql_all(&q, c);
	return r == 0 ? q.failed : r;
}

const struct command cmd_sql = {
	.name = "sql",
	.usage =
		"[STATEMENT|@FILE|-] [PARAMETER...] [--file FILE] [--explain [--run]] [--limit N] ...",
	.summary = "run PartiQL statements: SELECT, INSERT, UPDATE, DELETE",
	.details =
		"Statements are separated by semicolons; without a STATEMENT they are read from standard\n"
		"input; on a terminal that is a prompt (see shell). Each PARAMETER replaces a ?, in\n"
		"order: JSON as in an item, otherwise text. A SELECT whose WHERE names the partition key\n"
		"with = or IN is a Query, any other one a Scan; --explain says which. Beyond PartiQL,\n"
		"itemctl computes GROUP BY, HAVING, COUNT, SUM, MIN, MAX and AVG from the items that the\n"
		"Query or Scan reads, and sorts them where ORDER BY names no key. LIMIT, OFFSET, DISTINCT,\n"
		"LIKE 'x%' and EXPLAIN of SQL work; for other SQL the command is suggested.\n"
		"\n"
		"  sql \"SELECT * FROM music WHERE Artist = 'Acme' AND begins_with(Song, 'B')\"\n"
		"  sql 'SELECT Song FROM music.ByYear WHERE Year = ?' 1999 --format table\n"
		"  sql \"INSERT INTO music VALUE {'Artist': 'Acme', 'Song': 'Red'}\"\n"
		"  sql --explain \"SELECT * FROM music WHERE Song = 'Blue'\"",
	.examples =
		"itemctl sql \"SELECT * FROM music WHERE Artist = 'Acme'\"\n"
		"itemctl sql 'SELECT Song FROM music WHERE Artist = ?' Acme\n"
		"itemctl sql \"UPDATE music SET Year = 1 WHERE Artist = 'Acme' AND Song = 'Red'\"\n"
		"itemctl sql --explain 'SELECT * FROM music WHERE Plays = 3'\n"
		"itemctl sql 'SELECT Artist, COUNT(*) FROM music GROUP BY Artist'\n",
	.opts = sql_opts,
	.max_words = SIZE_MAX - 1,
	.pages = true,
	.lists = true,
	.run = run_sql,
};
