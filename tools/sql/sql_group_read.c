/* sql_group_read - the parser of a SELECT with groups: see sql_group_int.h */
#include "store/expr/ast.h"
#include "store/expr/document_path.h"
#include "store/partiql/partiql_lex.h"
#include "store/partiql/partiql_reader.h"

#include "tools/query/groups.h"
#include "tools/sql/sql_group.h"
#include "tools/sql/sql_group_int.h"
#include "tools/text/sql_text.h"

/* sql_group_refuse - fail with an error at the offset @at */
#define sql_group_refuse(r, at, ...) \
	expr_blame((r)->c, (at), call_fail((r)->c, ERR_USAGE, "sql: " __VA_ARGS__))

/* ------------------------------------------------------------ detection */

static const char *const functions[] = {
	[GROUPS_COUNT] = "COUNT", [GROUPS_SUM] = "SUM", [GROUPS_MIN] = "MIN",
	[GROUPS_MAX] = "MAX",     [GROUPS_AVG] = "AVG",
};

/* Return the aggregate function that is called at @at; GROUPS_BY: none. */
static enum groups_function
sql_group_call(struct slice text, struct lexeme at)
{
	enum groups_function f = GROUPS_AVG;

	while (f > GROUPS_BY && !sql_text_is(text, at, functions[f])) {
		f--;
	}
	return lex(text, at.end).type == LEXEME_OPEN ? f : GROUPS_BY;
}

bool
sql_group_is(struct slice text)
{
	struct lexeme at = lex(text, 0);
	bool listed = true;

	if (!sql_text_is(text, at, "SELECT")) {
		return false;
	}
	for (; at.type != LEXEME_END && at.type != LEXEME_OTHER; at = lex(text, at.end)) {
		listed = listed && !sql_text_is(text, at, "FROM");
		if ((listed && sql_group_call(text, at) != GROUPS_BY) ||
		    (sql_text_is(text, at, "GROUP") &&
		     sql_text_is(text, lex(text, at.end), "BY"))) {
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

/* Return the typed text from @start to the next lexeme. */
static struct slice
sql_group_typed(const struct sql_group_parse *p, size_t start)
{
	return ascii_trim(slice_of(p->r.text.at + start, p->r.next.start - start));
}

/* Read COUNT(*), COUNT(path), SUM(path) ... */
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

/* Read a function of one attribute, or an attribute. */
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

/* Read [AS] name, if there is one; after AS the name may be a reserved word. */
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

int
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

		status = status < 0 ? status : sql_group_read_alias(r, &column.name);
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

void
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

/* Return the index of the column with the function and path of @column; n_columns: none. */
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

/* Read what HAVING and ORDER BY refer to: the name of a column, an attribute of GROUP BY, or a function. */
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
		return sql_group_refuse(r, start,
					"%.*s is neither a column of SELECT nor in GROUP BY",
					SLICE_ARG(column.name));
	}
	column.hidden = true;
	*out = *out < plan->n_columns ? *out : sql_group_add(p, column);
	return 0;
}

/* Read column = value. */
static int
sql_group_read_test(struct sql_group_parse *p, struct groups_having *out)
{
	struct reader *r = &p->r;
	int status = sql_group_read_known(p, &out->column);

	if (status < 0) {
		return status;
	}
	if (r->next.type < LEXEME_EQ || r->next.type > LEXEME_GE) {
		return sql_group_refuse(
			r, r->next.start,
			"HAVING compares a column by = <> < <= > >= with a value, for "
			"example HAVING COUNT(*) > 1");
	}
	out->test = (enum groups_test)(r->next.type - LEXEME_EQ);
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
						"HAVING joins its conditions only with AND");
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

int
sql_group_read_tail(struct sql_group_parse *p)
{
	struct reader *r = &p->r;
	int status = sql_group_read_by(p);

	status = status < 0 ? status : sql_group_read_having(p);
	status = status < 0 ? status : sql_group_read_order(p);
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
