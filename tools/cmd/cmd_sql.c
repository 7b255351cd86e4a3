/* cmd_sql - PartiQL statements: what they answer, or how they would read */
#include <unistd.h>

#include "store/base/core/ascii.h"
#include "store/base/text/shell_word.h"
#include "store/engine/engine.h"
#include "store/partiql/statement.h"

#include "tools/cli/synonyms.h"
#include "tools/cmd/cmd.h"
#include "tools/explain/explain.h"
#include "tools/explain/explain_requests.h"
#include "tools/out/out.h"
#include "tools/out/sheet.h"
#include "tools/query/groups.h"
#include "tools/session/ctl.h"
#include "tools/session/lead.h"
#include "tools/sql/sql_group.h"
#include "tools/sql/sql_hints.h"
#include "tools/sql/sql_mend.h"
#include "tools/sql/sql_notes.h"
#include "tools/sql/sql_order.h"
#include "tools/system/progress.h"
#include "tools/text/sql_text.h"
#include "tools/text/statements.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"
#include "tools/write/misnamed.h"

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
	{NULL, 0, OPT_FLAG, NULL, 0, NULL},
};

struct sql {
	struct ctl *ctl;
	const struct sql_opts *o;
	const char *word;               /* the first one, if it is the text; else NULL */
	const char *file;               /* else where the text comes from */
	struct slice text;              /* of all statements */
	const struct value *parameters; /* of them, in order */
	size_t n_parameters;
	size_t n_taken;
	size_t n_done; /* statements */
	bool explain;  /* the statement that runs */
	int failed;    /* a limit of --explain: the exit status */
	bool again;    /* it has run with other quotes */
	struct {
		uint64_t asked; /* statements */
		uint64_t items;
	} written[STATEMENT_EXISTS]; /* by kind */
};

/* ------------------------------------------------------------ one statement */

/* What becomes of the items that a statement answers. */
struct sql_answer {
	struct sql *q;
	struct opt_count limit;
	size_t skip; /* items that are not printed */
	struct sql_notes notes;
	struct groups *groups;     /* NULL: they are printed */
	struct sql_sorted *sorted; /* likewise */
	bool counts;               /* they are only counted: a DELETE's */
	uint64_t items;
	uint64_t printed;
};

/* Print one; Return: false: no more is wanted. */
static bool
sql_print(void *arg, const struct item *it)
{
	struct sql_answer *a = arg;
	const struct opt_count *limit = &a->limit;

	if (limit->given && a->printed == limit->n) {
		return false;
	}
	if (a->skip > 0) {
		a->skip--;
		return true;
	}
	a->printed++;
	return out_item(&a->q->ctl->out, it) && !(limit->given && a->printed == limit->n);
}

/* A page; Return: 0; 1: no more is wanted; < 0 */
static int
sql_take(struct sql_answer *a, struct call *c, const struct execute_statement_out *out)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < out->n_items; i++) {
		const struct item *it = &out->items[i];

		a->items++;
		sql_notes_see(&a->notes, it);
		r = a->counts           ? 0
		    : a->groups != NULL ? groups_add(a->groups, c, it)
		    : a->sorted != NULL ? sql_order_add(a->sorted, c, it)
					: !sql_print(a, it);
	}
	return r;
}

/* Page by page, in memory of its own. */
static int
sql_read(struct sql_answer *a, struct call *c, const struct parameterized *of)
{
	struct slice next = {0};
	int r;

	do {
		struct execute_statement_in in = {.of = *of, .next = next};
		struct execute_statement_out out;
		struct call own;

		call_open(&own, c->now_ms, CALL_BUDGET);
		r = engine_execute_statement(a->q->ctl->engine, &own, &in, &out);
		if (r == 0) {
			r = sql_take(a, &own, &out);
		}
		next = r == 0 ? slice_copy(&c->arena, out.next) : (struct slice){0};
		r = r < 0 ? ctl_adopt(c, &own) : r;
		call_close(&own);
	} while (next.len > 0);
	return r < 0 ? r : 0;
}

/* Items that are printed: --limit, or LIMIT where that is less. */
static struct opt_count
sql_limit(const struct sql *q, const struct opt_count *clause)
{
	const struct opt_count *option = &q->o->limit;

	return clause->given && (!option->given || clause->n < option->n) ? *clause : *option;
}

/* Errors name their place in the statement. */
static void
sql_show_in(struct sql *q, struct call *c, struct slice statement)
{
	struct exprs *exprs = arena_new(&c->arena, struct exprs, 1);

	exprs->typed[0] = (struct exprs_typed){.field = "Statement", .user = statement};
	exprs->n = 1;
	q->ctl->exprs = exprs;
}

static int sql_run(struct sql *q, struct call *c, const struct parameterized *of,
		   const struct sql_mend *mend);

/* A SELECT without an answer compares with names that no item has: they are texts. false: it does not */
static bool
sql_again(struct sql *q, struct call *c, const struct parameterized *of,
	  const struct sql_mend *mend, int *r)
{
	struct sql_text t = {c, of->statement};
	struct sql_text word = {c, slice_from(q->word)};
	struct parameterized as = *of;
	struct buf line;

	if (q->again || !sql_mend_texts(q->ctl, &t, true)) {
		return false;
	}
	buf_init(&line, &c->arena);
	if (q->word == NULL || !sql_mend_texts(q->ctl, &word, true) ||
	    !typed_line_with(&line, slice_from(q->word), word.text)) {
		buf_str(&line, "itemctl sql ");
		shell_text(&line, t.text);
	}
	ctl_note(q->ctl, "texts have single quotes; read as: %.*s", SLICE_ARG(buf_view(&line)));
	as.statement = t.text;
	q->again = true;
	sql_show_in(q, c, as.statement);
	*r = sql_run(q, c, &as, mend);
	q->again = false;
	return true;
}

/* What an UPDATE changes: from its SET or REMOVE to its condition. */
static struct slice
sql_changes(struct slice statement)
{
	size_t from = sql_text_find(statement, 0, "SET REMOVE").start;
	size_t end = sql_text_find(statement, from, "WHERE").start;

	return slice_of(statement.at + from, end - from);
}

static int
sql_execute(struct sql *q, struct call *c, const struct parameterized *of,
	    const struct sql_mend *mend)
{
	bool sorts = mend->order.n > 0;
	struct parameterized as = *of;
	struct sql_answer a = {.q = q,
			       .limit = sql_limit(q, &mend->limit),
			       .skip = mend->order.offset,
			       .notes = sql_notes_begin(q->ctl, c, of),
			       .sorted = sorts ? sql_order_new(&mend->order) : NULL};
	enum statement_kind kind = a.notes.st.kind;

	a.counts = a.notes.parsed && kind == STATEMENT_DELETE && !a.notes.st.returns;
	if (a.counts) { /* it succeeds where there is no item, too */
		struct buf b;

		buf_init(&b, &c->arena);
		buf_fmt(&b, "%.*s RETURNING ALL OLD *", SLICE_ARG(of->statement));
		as.statement = buf_view(&b);
	}
	if (q->word != NULL && a.notes.parsed && kind == STATEMENT_UPDATE) {
		misnamed_update(q->ctl, c, a.notes.st.table, sql_changes(of->statement));
	}
	int r = sql_read(&a, c, &as);

	if (r == 0 && a.items == 0 && a.notes.select && sql_again(q, c, of, mend, &r)) {
		sql_order_free(a.sorted);
		return r;
	}
	if (r == 0 && sorts) {
		sql_notes_order(q->ctl, sql_order_lacking(a.sorted));
		sql_order_print(a.sorted, sql_print, &a);
	}
	if (r == 0) {
		sql_notes_say(q->ctl, c, &a.notes, a.items);
		q->written[kind].asked += !a.notes.select;
		q->written[kind].items += kind == STATEMENT_DELETE ? a.items : 1;
	}
	sql_order_free(a.sorted);
	return r;
}

static int
sql_execute_groups(struct sql *q, struct call *c, const struct parameterized *of,
		   const struct sql_group *g, const struct sql_mend *mend)
{
	struct sql_answer a = {.q = q,
			       .limit = sql_limit(q, &mend->limit),
			       .skip = mend->order.offset,
			       .notes = sql_notes_begin(q->ctl, c, &g->reads),
			       .groups = groups_new(&g->plan)};
	int r = sql_read(&a, c, &g->reads);

	if (r == 0 && a.items == 0 && sql_again(q, c, of, mend, &r)) {
		groups_free(a.groups);
		return r;
	}
	if (r == 0) {
		sql_notes_say(q->ctl, c, &a.notes, a.items);
		sheet_report(q->ctl->out.sheet);
		lead_names(&q->ctl->out, g->names, g->n_names);
		r = groups_print(a.groups, c, sql_print, &a);
	}
	groups_free(a.groups);
	return r;
}

/* Which table is not there: for a suggestion. */
static void
sql_name_table(struct sql *q, struct call *c, struct slice table)
{
	q->ctl->words = (struct words){0};
	words_add(c, &q->ctl->words, slice_cstr(&c->arena, table));
}

/* Likewise of a statement; a server elsewhere tells no place of an error: is it to be seen here? */
static void
sql_learn(struct sql *q, struct call *c, const struct parameterized *of, int r)
{
	struct statement st;
	struct call own;

	call_open(&own, c->now_ms, CALL_BUDGET);
	bool parsed =
		statement_parse(&own, of->statement, of->parameters, of->n_parameters, &st) == 0;

	if (r == -ERR_NO_TABLE && parsed) {
		sql_name_table(q, c, st.table);
	} else if (r == -ERR_VALIDATION && !parsed && c->error.place == 0) {
		c->error.place = own.error.place;
	}
	call_close(&own);
}

static int
sql_run_groups(struct sql *q, struct call *c, const struct parameterized *of, struct sql_group *g,
	       const struct sql_mend *mend)
{
	int r = sql_group_begin(g, q->ctl, c, !q->again);

	g->plan.sparse = q->ctl->format == OUT_CSV || q->ctl->format == OUT_TSV;
	if (r == 0) {
		r = q->explain ? explain_statement(q->ctl, c, &g->reads, q->o->explain.run)
			       : sql_execute_groups(q, c, of, g, mend);
	}
	if (r == -ERR_NO_TABLE) {
		sql_name_table(q, c, g->source.table);
	}
	sql_group_place(g, c);
	return r;
}

static int
sql_run(struct sql *q, struct call *c, const struct parameterized *of, const struct sql_mend *mend)
{
	struct sql_group *g;
	int r = sql_group_of(c, of, &g);

	if (r < 0 || (q->explain && sql_again(q, c, of, mend, &r))) {
		return r;
	}
	if (g != NULL) {
		return sql_run_groups(q, c, of, g, mend);
	}
	r = q->explain ? explain_statement(q->ctl, c, of, q->o->explain.run)
		       : sql_execute(q, c, of, mend);
	if (r < 0) {
		sql_learn(q, c, of, r);
	}
	return r;
}

/* As many parameters as it asks for; false: they are not given. */
static bool
sql_takes(struct sql *q, struct slice text, struct parameterized *of)
{
	struct statements all = {.text = text};
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

/* A statement was refused: run what is meant, if that is sure, or say how it is written. */
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
	struct call own;
	struct buf line;

	bool lines = q->ctl->format == OUT_AUTO || q->ctl->format == OUT_JSONL;
	buf_init(&line, &c->arena);
	call_open(&own, c->now_ms, CALL_BUDGET);
	typed.mend = sql_mend(q->ctl, &own, of, &mend) ? &mend : NULL;
	typed.changed = mend.text;
	typed.word = whole && (lines || mend.pipe.len == 0) ? q->word : NULL;
	if (typed.mend != NULL && mend.sure && sql_takes(q, mend.text, &as)) {
		as.statement = slice_copy(&c->arena, mend.text);
		sql_hints_line(&line, &typed, &mend);
		ctl_note(q->ctl, "%s: %.*s",
			 mend.order.n > 0       ? "itemctl sorts what this reads"
			 : mend.ordered.len > 0 ? "itemctl leaves out the first of what this reads"
						: "read as",
			 SLICE_ARG(buf_view(&line)));
		c->error = (struct error){0};
		failed = 0;
		all = (struct statements){.text = as.statement};
		while (failed == 0 && statements_next(&all, &one, &asked)) {
			as.statement = one;
			sql_show_in(q, c, one);
			failed = sql_run(q, c, &as, &mend);
		}
	} else if (sql_hints_find(q->ctl, c, &typed, &line)) {
		q->ctl->advice = buf_view(&line);
	}
	call_close(&own);
	return failed;
}

/* In a file the line is told, too. */
static int
sql_tell_line(struct sql *q, struct call *c, struct slice statement, int failed)
{
	size_t line = 1;

	for (const char *at = q->text.at; at < statement.at; at++) {
		line += *at == '\n';
	}
	return q->file == NULL ? failed : call_prefix(c, "%s:%zu: ", q->file, line);
}

/* @n parameters are missing. */
static int
sql_lacks(struct sql *q, struct call *c, size_t n)
{
	struct buf line;

	buf_init(&line, &c->arena);
	buf_str(&line, "give a value for each ? after the statement: ");
	if (typed_line_with(&line, (struct slice){0}, (struct slice){0})) {
		for (size_t i = 0; i < n; i++) {
			buf_str(&line, " VALUE");
		}
		q->ctl->advice = buf_view(&line);
	}
	return call_fail(c, ERR_USAGE, "sql: there are more ? than parameters, which are %zu",
			 q->n_parameters);
}

static int
sql_one(struct sql *q, struct call *c, struct slice statement, size_t questions)
{
	static const struct sql_mend as_it_is;

	q->explain = q->o->explain.explain;
	struct parameterized of = {
		.statement = sql_text_explained(statement, &q->explain),
		.parameters = questions == 0 ? NULL : q->parameters + q->n_taken,
		.n_parameters = questions,
		.consistent = q->o->consistent,
	};

	if (questions > q->n_parameters - q->n_taken) {
		return sql_lacks(q, c, q->n_taken + questions - q->n_parameters);
	}
	if (q->n_done++ > 0) {
		int r = ctl_end_answer(q->ctl, c);

		if (r < 0) {
			return r;
		}
	}
	q->n_taken += questions;
	sql_show_in(q, c, of.statement);
	int r = sql_mend_qualified(q->ctl, c, of.statement)
			? call_fail(c, ERR_VALIDATION,
				    "Attributes stand without the name of their table")
			: sql_run(q, c, &of, &as_it_is);

	if (r == -ERR_VALIDATION || r == -ERR_NO_TABLE || r == -ERR_NO_INDEX || r == -ERR_USAGE) {
		r = sql_instead(q, c, &of, r);
	} else if (r == -ERR_CONDITION) {
		struct buf line;

		buf_init(&line, &c->arena);
		q->ctl->advice = sql_hints_absent(q->ctl, c, of.statement, &line) ? buf_view(&line)
										  : q->ctl->advice;
	}
	q->failed |= r == 0 && q->explain ? explain_judge(q->ctl, c, &q->o->explain) : 0;
	return r < 0 ? sql_tell_line(q, c, statement, r) : r;
}

/* ------------------------------------------------------------ all of them */

/* How many items were written, which a statement says to nobody. */
static void
sql_say_written(const struct sql *q)
{
	static const char *const verbs[] = {[STATEMENT_INSERT] = "inserted",
					    [STATEMENT_UPDATE] = "updated",
					    [STATEMENT_DELETE] = "deleted"};

	for (size_t i = STATEMENT_INSERT; i < STATEMENT_EXISTS; i++) {
		const char *none = q->written[i].items == 0 ? ": there is none with that key" : "";

		if (q->written[i].asked > 0) {
			ctl_note(q->ctl, "%s %s%s", progress_items(q->written[i].items).at,
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
			q->ctl->exprs = NULL;
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

/* SELECT * FROM t without quotes: words of a shell, not one statement. */
static int
sql_unquoted(struct ctl *ctl, struct call *c, const struct words *words)
{
	struct buf line;

	buf_init(&line, &c->arena);
	if (!(words->n > 1 && synonyms_is_statement(words->at[1]) &&
	      typed_line_words(&line, slice_from(words->at[0]), SLICE(""))) &&
	    !sql_hints_unquoted(c, words, &line)) {
		return 0;
	}
	ctl->advice = buf_view(&line);
	return call_fail(c, ERR_USAGE, "sql: %s is no statement", words->at[0]);
}

/* The first word, a file, or standard input; the rest of the words are parameters. */
static int
run_sql(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct sql q = {.ctl = ctl, .o = opts};
	const struct sql_opts *o = opts;
	bool word = o->file == NULL && words->n > 0 && strcmp(words->at[0], "-") != 0;
	bool plain = !o->limit.given && !o->consistent && !o->explain.explain;
	size_t used = o->file == NULL && words->n > 0;
	struct slice text = word ? slice_from(words->at[0]) : (struct slice){0};
	int r = explain_check(c, &o->explain);
	if (r < 0) {
		return r;
	}
	if (o->file == NULL && words->n == 0 && plain && ctl->dry == NULL && isatty(STDIN_FILENO)) {
		engine_close(ctl->engine); /* each line is a process that opens it */
		ctl->engine = NULL;
		return cmd_shell.run(ctl, c, words, NULL);
	}
	if (word && words->at[0][0] == '@') {
		q.file = words->at[0] + 1;
		r = ctl_read_text(c, q.file, &text);
	} else if (!word) {
		q.file = o->file == NULL ? "-" : o->file;
		r = ctl_read_text(c, q.file, &text);
	} else if (slice_chr(text, ' ') == NULL) {
		r = sql_unquoted(ctl, c, words);
	}
	q.word = q.file == NULL ? words->at[0] : NULL;
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
	.id = COMMAND_SQL,
	.name = "sql",
	.usage =
		"[STATEMENT|@FILE|-] [PARAMETER...] [--file FILE] [--explain [--run]] [--limit N] ...",
	.summary = "PartiQL: SELECT, INSERT, UPDATE, DELETE",
	.details =
		"Statements are separated by semicolons; without a STATEMENT they are read from standard\n"
		"input; on a terminal that is a prompt (see shell). Each PARAMETER replaces a ?, in\n"
		"order: JSON as in an item, otherwise text. A SELECT whose WHERE names the partition key\n"
		"with = or IN is a Query, any other one a Scan; --explain says which. Beyond PartiQL,\n"
		"itemctl computes GROUP BY, HAVING, COUNT, SUM, MIN, MAX and AVG from the items that the\n"
		"Query or Scan reads, and sorts them where ORDER BY names no key. LIMIT, OFFSET, DISTINCT,\n"
		"LIKE 'x%' and EXPLAIN of SQL work; other SQL is answered with its command.\n"
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
	.opts_bytes = sizeof(struct sql_opts),
	.max_words = SIZE_MAX - 1,
	.pages = true,
	.lists = true,
	.run = run_sql,
};
