/* sql_group - see sql_group.h; the reader of PartiQL reads names, paths and values */
#include "tools/sql/sql_group.h"

#include "store/base/core/ascii.h"
#include "store/base/text/cells.h"
#include "store/expr/ast.h"
#include "store/expr/document_path.h"
#include "store/partiql/partiql_lex.h"
#include "store/partiql/partiql_reader.h"
#include "store/partiql/statement.h"
#include "store/partiql/translate.h"

#include "tools/session/ctl.h"

/* A statement that is taken apart. */
struct sql_group_parse {
	struct sql_group *g;
	struct reader r;
	size_t cap_columns;
	size_t cap_having;
	size_t cap_order;
	size_t tail; /* where GROUP BY, HAVING or ORDER BY begins */
};

/* sql_group_refuse - refuse what begins at @at */
#define sql_group_refuse(r, at, ...) \
	expr_blame((r)->c, (at), call_fail((r)->c, ERR_USAGE, "sql: " __VA_ARGS__))

/* ------------------------------------------------------------ is it one? */

static bool
sql_group_same(struct slice text, struct lexeme at, const char *word)
{
	return at.type == LEXEME_WORD &&
	       ascii_same(slice_of(text.at + at.start, at.end - at.start), slice_from(word));
}

static const char *const functions[] = {
	[GROUPS_COUNT] = "COUNT", [GROUPS_SUM] = "SUM", [GROUPS_MIN] = "MIN",
	[GROUPS_MAX] = "MAX",     [GROUPS_AVG] = "AVG",
};

/* COUNT( ...; GROUPS_BY: no such call. */
static enum groups_function
sql_group_call(struct slice text, struct lexeme at)
{
	enum groups_function f = GROUPS_AVG;

	while (f > GROUPS_BY && !sql_group_same(text, at, functions[f])) {
		f--;
	}
	return lex(text, at.end).type == LEXEME_OPEN ? f : GROUPS_BY;
}

/* A SELECT that calls one of the functions before FROM, or has GROUP BY. */
static bool
sql_group_is(struct slice text)
{
	struct lexeme at = lex(text, 0);
	bool listed = true;

	if (!sql_group_same(text, at, "SELECT")) {
		return false;
	}
	for (; at.type != LEXEME_END && at.type != LEXEME_OTHER; at = lex(text, at.end)) {
		listed = listed && !sql_group_same(text, at, "FROM");
		if ((listed && sql_group_call(text, at) != GROUPS_BY) ||
		    (sql_group_same(text, at, "GROUP") &&
		     sql_group_same(text, lex(text, at.end), "BY"))) {
			return true;
		}
	}
	return false;
}

/* ------------------------------------------------------------ columns */

static size_t
sql_group_add(struct sql_group_parse *p, struct groups_column column)
{
	struct groups_plan *plan = &p->g->plan;

	plan->columns = arena_room(&p->r.c->arena, plan->columns, plan->n_columns, &p->cap_columns);
	plan->columns[plan->n_columns] = column;
	return plan->n_columns++;
}

/* What was typed from @start to the lexeme before the next one. */
static struct slice
sql_group_typed(const struct sql_group_parse *p, size_t start)
{
	return ascii_trim(slice_of(p->r.text.at + start, p->r.next.start - start));
}

/* COUNT(*), COUNT(path), SUM(path) ... */
static int
sql_group_read_call(struct sql_group_parse *p, struct groups_column *out)
{
	struct reader *r = &p->r;
	size_t start = r->next.start;

	out->function = sql_group_call(r->text, r->next);
	reader_advance(r);
	reader_advance(r);
	if (reader_word(r, "DISTINCT")) {
		return sql_group_refuse(
			r, r->next.start,
			"%s(DISTINCT ...) is not supported; SELECT a ... GROUP BY a lists each value "
			"once",
			functions[out->function]);
	}
	if (r->next.type == LEXEME_STAR && out->function == GROUPS_COUNT) {
		reader_advance(r);
	} else {
		int status = reader_path(r, &out->path);

		if (status < 0) {
			return status;
		}
	}
	if (r->next.type != LEXEME_CLOSE) {
		return sql_group_refuse(r, r->next.start, "%s takes one attribute, and ) after it",
					functions[out->function]);
	}
	reader_advance(r);
	out->name = sql_group_typed(p, start);
	return 0;
}

/* A function of one attribute, or an attribute. */
static int
sql_group_read(struct sql_group_parse *p, struct groups_column *out)
{
	struct reader *r = &p->r;
	size_t start = r->next.start;

	*out = (struct groups_column){0};
	if (sql_group_call(r->text, r->next) != GROUPS_BY) {
		return sql_group_read_call(p, out);
	}
	if (r->next.type == LEXEME_WORD && lex(r->text, r->next.end).type == LEXEME_OPEN) {
		return sql_group_refuse(r, start,
					"there is no function %.*s: COUNT, SUM, MIN, MAX and AVG",
					SLICE_ARG(reader_text(r, r->next)));
	}
	if (r->next.type == LEXEME_STAR) {
		return sql_group_refuse(r, start,
					"* has no value for a group: name the attributes "
					"of GROUP BY");
	}
	int status = reader_path(r, &out->path);

	if (status == 0) {
		const struct step *last = &out->path.at[out->path.n - 1];

		out->name = last->element ? sql_group_typed(p, start) : last->name;
	}
	return status;
}

/* [AS] name, which may be a word that is reserved behind AS. */
static int
sql_group_read_alias(struct reader *r, struct slice *name)
{
	bool as = reader_skip(r, "AS");

	if (as && r->next.type == LEXEME_WORD) {
		*name = reader_text(r, r->next);
		reader_advance(r);
		return 0;
	}
	return as || reader_is_name(r) ? reader_name(r, name) : 0;
}

static int
sql_group_read_list(struct sql_group_parse *p)
{
	struct reader *r = &p->r;

	do {
		struct groups_column column;

		reader_advance(r);
		size_t start = r->next.start;

		if (reader_word(r, "DISTINCT")) {
			return sql_group_refuse(r, start,
						"GROUP BY lists each value once: leave "
						"out DISTINCT");
		}
		int status = sql_group_read(p, &column);

		if (status == 0) {
			status = sql_group_read_alias(r, &column.name);
		}
		if (status < 0) {
			return status;
		}
		for (size_t i = 0; i < p->g->plan.n_columns; i++) {
			if (slice_eq(p->g->plan.columns[i].name, column.name)) {
				return sql_group_refuse(r, start,
							"two columns are called %.*s: name one "
							"with AS",
							SLICE_ARG(column.name));
			}
		}
		(void)sql_group_add(p, column);
	} while (r->next.type == LEXEME_COMMA);
	if (!reader_word(r, "FROM") && !reader_at_end(r)) {
		return sql_group_refuse(
			r, r->next.start,
			"a column is an attribute or one of COUNT, SUM, MIN, MAX, AVG "
			"of an attribute");
	}
	p->g->from = r->next.start;
	return reader_word(r, "FROM") ? 0 : reader_malformed(r, NULL);
}

/* ------------------------------------------------------------ GROUP BY, HAVING, ORDER BY */

/* The rest up to GROUP BY, HAVING or ORDER BY is read by the engine. */
static void
sql_group_skip_reads(struct sql_group_parse *p)
{
	struct reader *r = &p->r;

	while (!reader_at_end(r) && !reader_word(r, "GROUP") && !reader_word(r, "HAVING") &&
	       !reader_word(r, "ORDER")) {
		r->asked += r->next.type == LEXEME_PARAMETER;
		reader_advance(r);
	}
	p->tail = r->next.start;
}

/* The column of the plan that is the same as @column, or is called so; n_columns: none. */
static size_t
sql_group_find(const struct sql_group *g, const struct groups_column *column)
{
	size_t i = 0;

	for (; i < g->plan.n_columns; i++) {
		const struct groups_column *other = &g->plan.columns[i];
		bool same = other->function == column->function &&
			    path_same(&other->path, &column->path);

		if (same) {
			break;
		}
	}
	return i;
}

static int
sql_group_read_by(struct sql_group_parse *p)
{
	struct reader *r = &p->r;
	size_t listed = p->g->plan.n_columns;
	bool *grouped = arena_new(&r->c->arena, bool, listed + 1);
	int status = 0;

	p->g->plan.whole = !reader_skip(r, "GROUP");
	if (!p->g->plan.whole) {
		status = reader_expect_word(r, "BY");
		for (bool more = status == 0; more && status == 0;) {
			struct groups_column by = {.hidden = true};
			size_t start = r->next.start;

			status = reader_path(r, &by.path);
			by.name = sql_group_typed(p, start);
			if (status == 0) {
				size_t i = sql_group_find(p->g, &by);

				if (i < listed) {
					grouped[i] = true;
				} else if (i == p->g->plan.n_columns) {
					(void)sql_group_add(p, by);
				}
			}
			more = r->next.type == LEXEME_COMMA;
			if (more) {
				reader_advance(r);
			}
		}
	}
	for (size_t i = 0; status == 0 && i < listed; i++) {
		const struct groups_column *column = &p->g->plan.columns[i];

		if (column->function == GROUPS_BY && !grouped[i]) {
			status = sql_group_refuse(
				r, column->path.at[0].place,
				"%.*s is neither in GROUP BY nor in COUNT, SUM, MIN, MAX or AVG",
				SLICE_ARG(column->name));
		}
	}
	return status;
}

/* What HAVING and ORDER BY name: a column by its name, an attribute of GROUP BY, or a function. */
static int
sql_group_read_known(struct sql_group_parse *p, size_t *out)
{
	struct reader *r = &p->r;
	struct groups_plan *plan = &p->g->plan;
	size_t start = r->next.start;
	bool call = lex(r->text, r->next.end).type == LEXEME_OPEN;
	struct groups_column column;

	for (*out = 0; !call && *out < plan->n_columns; ++*out) {
		bool named = r->next.type == LEXEME_WORD &&
			     slice_eq(plan->columns[*out].name, reader_text(r, r->next));

		if (named) {
			reader_advance(r);
			return 0;
		}
	}
	int status = sql_group_read(p, &column);

	if (status < 0) {
		return status;
	}
	*out = sql_group_find(p->g, &column);
	for (size_t i = 0; column.path.n == 1 && *out == plan->n_columns && i < *out; i++) {
		*out = slice_eq(plan->columns[i].name, column.name) ? i : *out;
	}
	if (*out == plan->n_columns && column.function == GROUPS_BY) {
		return sql_group_refuse(r, start, "%.*s is no column of SELECT and not in GROUP BY",
					SLICE_ARG(column.name));
	}
	column.hidden = true;
	*out = *out < plan->n_columns ? *out : sql_group_add(p, column);
	return 0;
}

/* column = value */
static int
sql_group_read_test(struct sql_group_parse *p, struct groups_having *out)
{
	static const struct {
		enum lexeme_type sign;
		enum groups_test test;
	} tests[] = {
		{LEXEME_EQ, GROUPS_EQ}, {LEXEME_NE, GROUPS_NE}, {LEXEME_LT, GROUPS_LT},
		{LEXEME_LE, GROUPS_LE}, {LEXEME_GT, GROUPS_GT}, {LEXEME_GE, GROUPS_GE},
	};
	struct reader *r = &p->r;
	int status = sql_group_read_known(p, &out->column);
	size_t i = 0;

	while (i < sizeof(tests) / sizeof(tests[0]) && tests[i].sign != r->next.type) {
		i++;
	}
	if (status < 0) {
		return status;
	}
	if (i == sizeof(tests) / sizeof(tests[0])) {
		return sql_group_refuse(
			r, r->next.start,
			"HAVING compares a column by = <> < <= > >= with a value, for "
			"example HAVING COUNT(*) > 1");
	}
	out->test = tests[i].test;
	reader_advance(r);
	return reader_value(r, &out->value);
}

static int
sql_group_read_having(struct sql_group_parse *p)
{
	struct groups_plan *plan = &p->g->plan;
	struct reader *r = &p->r;
	bool more = reader_skip(r, "HAVING");

	while (more) {
		plan->having =
			arena_room(&r->c->arena, plan->having, plan->n_having, &p->cap_having);
		int status = sql_group_read_test(p, &plan->having[plan->n_having++]);

		if (status < 0) {
			return status;
		}
		if (reader_word(r, "OR")) {
			return sql_group_refuse(r, r->next.start,
						"HAVING joins its tests with AND alone");
		}
		more = reader_skip(r, "AND");
	}
	return 0;
}

static int
sql_group_read_order(struct sql_group_parse *p)
{
	struct groups_plan *plan = &p->g->plan;
	struct reader *r = &p->r;
	bool more = reader_skip(r, "ORDER");
	int status = more ? reader_expect_word(r, "BY") : 0;

	while (more && status == 0) {
		plan->order = arena_room(&r->c->arena, plan->order, plan->n_order, &p->cap_order);
		struct groups_order *order = &plan->order[plan->n_order++];

		status = sql_group_read_known(p, &order->column);
		order->descending = reader_skip(r, "DESC");
		if (!order->descending) {
			(void)reader_skip(r, "ASC");
		}
		more = r->next.type == LEXEME_COMMA;
		if (more) {
			reader_advance(r);
		}
	}
	return status;
}

static int
sql_group_read_tail(struct sql_group_parse *p)
{
	struct reader *r = &p->r;
	int status = sql_group_read_by(p);

	if (status == 0) {
		status = sql_group_read_having(p);
	}
	if (status == 0) {
		status = sql_group_read_order(p);
	}
	if (status == 0 && (reader_word(r, "LIMIT") || reader_word(r, "OFFSET"))) {
		return reader_refuse(r, r->next, "Unsupported clause: %.*s at %s",
				     SLICE_ARG(reader_text(r, r->next)), reader_place(r, r->next));
	}
	if (status == 0 && !reader_at_end(r)) {
		return sql_group_refuse(r, r->next.start,
					"the order is WHERE, GROUP BY, HAVING, ORDER BY");
	}
	return status;
}

/* ------------------------------------------------------------ what reads the items */

/* Is the SELECT right that reads the items? With * and blanks in place of the list all places are as they were typed. */
static int
sql_group_check(const struct sql_group_parse *p, struct call *c, size_t asked)
{
	size_t list = lex(p->r.text, 0).end;
	char *text = arena_bytes(&c->arena, p->tail);

	memcpy(text, p->r.text.at, p->tail);
	for (size_t i = list; i < p->g->from; i++) {
		text[i] = text[i] == '\n' ? '\n' : ' ';
	}
	text[lex(p->r.text, list).start] = '*';
	return statement_parse(c, slice_of(text, p->tail), p->r.parameters, asked, &p->g->source);
}

/* Has a column before @i the same attribute? */
static bool
sql_group_repeats(const struct groups_plan *plan, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (plan->columns[k].path.n > 0 &&
		    slice_eq(plan->columns[k].path.at[0].name, plan->columns[i].path.at[0].name)) {
			return true;
		}
	}
	return false;
}

/* SELECT each attribute once, or for COUNT(*) alone the partition key. */
static void
sql_group_put_reads(struct sql_group *g, struct call *c, struct slice key)
{
	const struct groups_plan *plan = &g->plan;
	struct buf b = {.arena = &c->arena};

	buf_str(&b, "SELECT ");
	size_t begin = b.len;

	for (size_t i = 0; i < plan->n_columns; i++) {
		if (plan->columns[i].path.n > 0 && !sql_group_repeats(plan, i)) {
			buf_str(&b, b.len > begin ? ", " : "");
			cells_quote(&b, plan->columns[i].path.at[0].name);
		}
	}
	if (b.len == begin) {
		cells_quote(&b, key);
	}
	buf_char(&b, ' ');
	g->reads_from = b.len;
	buf_slice(&b, slice_skip(g->reads.statement, g->from));
	g->reads.statement = buf_view(&b);
}

int
sql_group_of(struct call *c, const struct parameterized *of, struct sql_group **out)
{
	struct sql_group_parse p = {0};

	*out = NULL;
	if (!sql_group_is(of->statement)) {
		return 0;
	}
	p.g = arena_new(&c->arena, struct sql_group, 1);
	p.g->plan.bytes = CALL_BUDGET;
	reader_start(&p.r, c, of->statement);
	p.r.parameters = of->parameters;
	p.r.n_parameters = of->n_parameters;
	int status = sql_group_read_list(&p);

	if (status < 0) {
		return status;
	}
	sql_group_skip_reads(&p);
	p.g->reads = *of;
	p.g->reads.statement = slice_of(of->statement.at, p.tail);
	p.g->reads.n_parameters = p.r.asked;
	status = sql_group_check(&p, c, p.r.asked);
	if (status == 0) {
		status = sql_group_read_tail(&p);
	}
	if (status < 0) {
		return status;
	}
	struct groups_plan *plan = &p.g->plan;

	p.g->names = arena_new(&c->arena, struct slice, plan->n_columns);
	for (size_t i = 0; i < plan->n_columns; i++) {
		if (!plan->columns[i].hidden) {
			p.g->names[p.g->n_names++] = plan->columns[i].name;
		}
	}
	*out = p.g;
	return 0;
}

/* ------------------------------------------------------------ at the table */

/* @keyed: by its WHERE, if it @filters at all */
static void
sql_group_say(const struct ctl *ctl, const struct sql_group *g, const struct key_schema *key,
	      bool keyed, bool filters)
{
	struct slice index = g->source.index;
	bool could = filters && !keyed;

	ctl_note(ctl, "itemctl groups the items itself: a %s %.*s%s%.*s%s%.*s%s",
		 keyed ? "Query of" : "Scan reads all of", SLICE_ARG(g->source.table),
		 index.len == 0 ? "" : ".", SLICE_ARG(index),
		 could ? "; a WHERE with = or IN on " : "", could ? (int)key->pk[0].name.len : 0,
		 key->pk[0].name.at, could ? " would be a Query" : "");
}

int
sql_group_begin(struct sql_group *g, struct ctl *ctl, struct call *c, bool says)
{
	const struct schema *schema = NULL;
	const struct index *ix = NULL;
	struct selection s = {0};
	struct statement st;
	int r = ctl_schema(ctl, c, g->source.table, &schema);

	if (r == 0 && g->source.index.len > 0) {
		r = ctl_index(c, schema, slice_cstr(&c->arena, g->source.index), &ix);
	}
	if (r < 0) {
		return r;
	}
	const struct key_schema *key = schema_key(schema, ix);

	sql_group_put_reads(g, c, key->pk[0].name);
	r = statement_parse(c, g->reads.statement, g->reads.parameters, g->reads.n_parameters, &st);
	r = r != 0 ? r : translate_select(c, schema, ix, &st, &s);
	if (r == 0 && says) {
		sql_group_say(ctl, g, key, s.runs.n > 0, st.trees.condition != NULL);
	}
	return r;
}

void
sql_group_place(const struct sql_group *g, struct call *c)
{
	size_t *place = &c->error.place;

	*place = *place > g->reads_from ? *place - g->reads_from + g->from : 0;
}
