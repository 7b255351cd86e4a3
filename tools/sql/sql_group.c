/* sql_group - see sql_group.h; sql_group_int.h parses the columns and clauses */
#include "tools/sql/sql_group.h"

#include "store/base/text/cells.h"
#include "store/partiql/partiql_lex.h"
#include "store/partiql/partiql_reader.h"
#include "store/partiql/statement.h"
#include "store/partiql/translate.h"

#include "tools/session/ctl.h"
#include "tools/sql/sql_group_int.h"

/* ------------------------------------------------------------ the SELECT that reads the items */

/* Parse the SELECT that reads the items.  Its list is replaced by * and blanks, so that places in errors stay right. */
static int
sql_group_check(const struct sql_group_parse *p, struct call *c, size_t asked)
{
	assert(p->g->from <= p->tail);
	size_t list = lex(p->r.text, 0).end;
	char *text = arena_bytes(&c->arena, p->tail);

	memcpy(text, p->r.text.at, p->tail);
	for (size_t i = list; i < p->g->from; i++) {
		text[i] = text[i] == '\n' ? '\n' : ' ';
	}
	text[lex(p->r.text, list).start] = '*';
	return statement_parse(c, slice_of(text, p->tail), p->r.parameters, asked, &p->g->source);
}

/* Return true if a column before @i has the same top-level attribute. */
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

/* Write the list of SELECT: each attribute once, or the partition key if there is only COUNT(*). */
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
	status = status < 0 ? status : sql_group_read_tail(&p);
	if (status < 0) {
		return status;
	}
	struct groups_plan *plan = &p.g->plan;

	assert(plan->n_columns > 0);
	p.g->names = arena_new(&c->arena, struct slice, plan->n_columns);
	for (size_t i = 0; i < plan->n_columns; i++) {
		if (!plan->columns[i].hidden) {
			p.g->names[p.g->n_names++] = plan->columns[i].name;
		}
	}
	*out = p.g;
	return 0;
}

/* ------------------------------------------------------------ execution */

/* Note how the items are read; @keyed: by a Query; @filters: there is a WHERE */
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
