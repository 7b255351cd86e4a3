/* cmd_sql - PartiQL statements: what they answer, or how they would read */
#include "store/base/json.h"
#include "store/model/item_json.h"
#include "store/partiql/statement.h"

#include "tools/command.h"
#include "tools/ctl.h"
#include "tools/explain.h"
#include "tools/lead.h"
#include "tools/sql_group.h"
#include "tools/sql_notes.h"
#include "tools/statements.h"

struct sql_opts {
	const char *file;
	struct opt_count limit;
	bool consistent;
	bool explain;
	bool run;
};

static const struct opt sql_opts[] = {
	{"file", 'f', OPT_TEXT, "FILE", offsetof(struct sql_opts, file),
	 "statements of a file, each ended by ;"},
	{"limit", 'n', OPT_COUNT, "N", offsetof(struct sql_opts, limit),
	 "print at most N items of each SELECT"},
	{"consistent", 0, OPT_FLAG, NULL, offsetof(struct sql_opts, consistent), "ConsistentRead"},
	{"explain", 0, OPT_FLAG, NULL, offsetof(struct sql_opts, explain),
	 "print which keys are read and what that costs; nothing is written"},
	{"run", 0, OPT_FLAG, NULL, offsetof(struct sql_opts, run),
	 "with --explain: also read at an endpoint, to measure what it costs"},
	{NULL, 0, OPT_FLAG, NULL, 0, NULL},
};

struct sql {
	struct ctl *ctl;
	const struct sql_opts *o;
	const struct value *parameters; /* of all statements, in order */
	size_t n_parameters;
	size_t n_taken;
	size_t n_done; /* statements */
};

/* ------------------------------------------------------------ parameters */

/* JSON as an item has it, or a text: Acme, 5, true, {"S":"5"}. */
static int
sql_parameter(struct call *c, const char *word, struct value *out)
{
	struct slice text = slice_from(word);
	const struct json *json;
	struct call own;

	call_open(&own, c->now_ms, CTL_BUDGET);
	bool is_json = json_parse(&own, text, JSON_STRICT, &json) == 0;

	call_close(&own);
	if (!is_json) {
		*out = value_string(text);
		return 0;
	}
	int r = json_parse(c, text, JSON_STRICT, &json);

	return r < 0 ? r : value_from_json(c, json, out);
}

static int
sql_parameters(struct call *c, const struct words *words, size_t used, struct sql *q)
{
	size_t n = words->n - used;
	struct value *at = arena_new(&c->arena, struct value, n);

	q->parameters = at;
	q->n_parameters = n;
	for (size_t i = 0; i < n; i++) {
		int r = sql_parameter(c, words->at[used + i], &at[i]);

		if (r < 0) {
			return r;
		}
	}
	return 0;
}

/* ------------------------------------------------------------ one statement */

/* What becomes of the items that a statement answers. */
struct sql_answer {
	struct sql *q;
	struct sql_notes notes;
	struct groups *groups; /* NULL: they are printed */
	uint64_t items;
	uint64_t printed;
};

/* Print one; Return: false: no more is wanted. */
static bool
sql_print(void *arg, const struct item *it)
{
	struct sql_answer *a = arg;
	const struct opt_count *limit = &a->q->o->limit;

	if (limit->given && a->printed == limit->n) {
		return false;
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
		r = a->groups == NULL ? !sql_print(a, it) : groups_add(a->groups, c, it);
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

		call_open(&own, c->now_ms, CTL_BUDGET);
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

static int
sql_execute(struct sql *q, struct call *c, const struct parameterized *of)
{
	struct sql_answer a = {.q = q, .notes = sql_notes_begin(q->ctl, c, of)};
	int r = sql_read(&a, c, of);

	if (r == 0) {
		sql_notes_say(q->ctl, c, &a.notes, a.items);
	}
	return r;
}

static int
sql_execute_groups(struct sql *q, struct call *c, const struct sql_group *g)
{
	struct sql_answer a = {.q = q,
			       .notes = sql_notes_begin(q->ctl, c, &g->reads),
			       .groups = groups_new(&g->plan)};
	int r = sql_read(&a, c, &g->reads);

	if (r == 0) {
		sql_notes_say(q->ctl, c, &a.notes, a.items);
		lead_names(&q->ctl->out, g->names, g->n_names);
		r = groups_print(a.groups, c, sql_print, &a);
	}
	groups_free(a.groups);
	return r;
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

/* Which table is not there: for a suggestion. */
static void
sql_name_table(struct sql *q, struct call *c, struct slice table)
{
	q->ctl->words = (struct words){0};
	words_add(c, &q->ctl->words, slice_cstr(&c->arena, table));
}

/* Likewise of a statement. */
static void
sql_name_table_of(struct sql *q, struct call *c, const struct parameterized *of)
{
	struct statement st;
	struct call own;

	call_open(&own, c->now_ms, CTL_BUDGET);
	if (statement_parse(&own, of->statement, of->parameters, of->n_parameters, &st) == 0) {
		sql_name_table(q, c, st.table);
	}
	call_close(&own);
}

/* A server elsewhere tells no place: is it to be seen here? */
static void
sql_place(struct call *c, const struct parameterized *of)
{
	struct statement st;
	struct call own;

	call_open(&own, c->now_ms, CTL_BUDGET);
	if (statement_parse(&own, of->statement, of->parameters, of->n_parameters, &st) < 0) {
		c->error.place = own.error.place;
	}
	call_close(&own);
}

static int
sql_run_groups(struct sql *q, struct call *c, struct sql_group *g)
{
	int r = sql_group_begin(g, q->ctl, c);

	if (r == 0) {
		r = q->o->explain ? explain_statement(q->ctl, c, &g->reads, q->o->run)
				  : sql_execute_groups(q, c, g);
	}
	if (r == -ERR_NO_TABLE) {
		sql_name_table(q, c, g->source.table);
	}
	sql_group_place(g, c);
	return r;
}

static int
sql_run(struct sql *q, struct call *c, const struct parameterized *of)
{
	struct sql_group *g;
	int r = sql_group_of(c, of, &g);

	if (r < 0) {
		return r;
	}
	if (g != NULL) {
		return sql_run_groups(q, c, g);
	}
	r = q->o->explain ? explain_statement(q->ctl, c, of, q->o->run) : sql_execute(q, c, of);
	if (r == -ERR_NO_TABLE) {
		sql_name_table_of(q, c, of);
	} else if (r == -ERR_VALIDATION && c->error.place == 0) {
		sql_place(c, of);
	}
	return r;
}

static int
sql_one(struct sql *q, struct call *c, struct slice statement, size_t questions)
{
	struct parameterized of = {
		.statement = statement,
		.parameters = questions == 0 ? NULL : q->parameters + q->n_taken,
		.n_parameters = questions,
		.consistent = q->o->consistent,
	};

	if (questions > q->n_parameters - q->n_taken) {
		return call_fail(c, ERR_USAGE,
				 "sql: there are more ? than parameters, which are %zu",
				 q->n_parameters);
	}
	if (q->n_done++ > 0) {
		int r = ctl_end_answer(q->ctl, c);

		if (r < 0) {
			return r;
		}
	}
	q->n_taken += questions;
	sql_show_in(q, c, statement);
	return sql_run(q, c, &of);
}

/* ------------------------------------------------------------ all of them */

static int
sql_all(struct sql *q, struct call *c, struct slice text)
{
	struct statements all = {.text = text};
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
	if (r == 0 && q->n_done == 0) {
		return call_fail(c, ERR_USAGE, "sql: there is no statement");
	}
	if (r == 0 && q->n_taken < q->n_parameters) {
		return call_fail(c, ERR_USAGE, "sql: %zu parameters are given, %zu are asked for",
				 q->n_parameters, q->n_taken);
	}
	return r;
}

/* The first word, a file, or standard input; the rest of the words are parameters. */
static int
run_sql(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct sql q = {.ctl = ctl, .o = opts};
	const struct sql_opts *o = opts;
	bool word = o->file == NULL && words->n > 0 && strcmp(words->at[0], "-") != 0;
	size_t used = o->file == NULL && words->n > 0;
	struct slice text = word ? slice_from(words->at[0]) : (struct slice){0};
	int r = o->run && !o->explain ? call_fail(c, ERR_USAGE, "--run needs --explain") : 0;

	if (r < 0) {
		return r;
	}
	if (word && words->at[0][0] == '@') {
		r = ctl_read_text(c, words->at[0] + 1, &text);
	} else if (!word) {
		r = ctl_read_text(c, o->file == NULL ? "-" : o->file, &text);
	}
	if (r == 0) {
		r = sql_parameters(c, words, used, &q);
	}
	return r < 0 ? r : sql_all(&q, c, text);
}

const struct command cmd_sql = {
	.name = "sql",
	.usage =
		"[STATEMENT|@FILE|-] [PARAMETER...] [--file FILE] [--explain [--run]] [--limit N] ...",
	.summary = "PartiQL: SELECT, INSERT, UPDATE, DELETE",
	.details =
		"Statements are separated by semicolons; without a STATEMENT they are read from standard\n"
		"input. Each PARAMETER replaces a ?, in order: JSON as in an item, otherwise text. A\n"
		"SELECT whose WHERE names the partition key with = or IN is a Query, any other one a\n"
		"Scan; --explain says which. Beyond PartiQL, itemctl computes GROUP BY, HAVING, COUNT,\n"
		"SUM, MIN, MAX and AVG from the items that the Query or Scan reads, and says so.\n"
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
