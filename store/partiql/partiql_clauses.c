/* partiql_clauses - parses the list of SELECT, ORDER BY, SET and REMOVE, and RETURNING */
#include "store/partiql/partiql_clauses.h"

#include "store/expr/ast.h"
#include "store/expr/document_path.h"
#include "store/partiql/partiql_lex.h"
#include "store/partiql/partiql_reader.h"

/* ------------------------------------------------------------ the list of SELECT */

/* Return: the last name of a path and the indexes after it, for example "c[2]" of a.b.c[2]. */
static struct slice
label(struct reader *r, const struct path *p)
{
	struct buf b;
	size_t name = p->n - 1;

	assert(p->n > 0 && !p->at[0].element);
	while (p->at[name].element) {
		name--;
	}
	if (name == p->n - 1) {
		return p->at[name].name;
	}
	buf_init(&b, &r->c->arena);
	buf_slice(&b, p->at[name].name);
	for (size_t i = name + 1; i < p->n; i++) {
		buf_fmt(&b, "[%.*s]", SLICE_ARG(p->at[i].text));
	}
	return buf_view(&b);
}

static void
partiql_clauses_unexpected(struct reader *r)
{
	reader_refuse(r, r->next, "Unexpected path component at %s", reader_place(r, r->next));
}

/* Return: whether an expression begins here, which cannot be listed. */
static bool
at_expression(const struct reader *r)
{
	bool call = r->next.type == LEXEME_WORD && lex(r->text, r->next.end).type == LEXEME_OPEN;

	return call || reader_at_value(r) || reader_word(r, "MISSING") || reader_word(r, "CASE") ||
	       r->next.type == LEXEME_OPEN;
}

static void
check_behind_path(struct reader *r)
{
	enum lexeme_type next = r->next.type;

	if ((next >= LEXEME_EQ && next <= LEXEME_GE) ||
	    (next >= LEXEME_STAR && next <= LEXEME_CONCAT)) {
		partiql_clauses_unexpected(r);
	}
	if (reader_word(r, "AS") || reader_is_name(r)) {
		reader_refuse(r, r->next, "Aliasing is not supported");
	}
}

/* Read a path; return its label. */
static struct slice
partiql_clauses_read_listed(struct reader *r, const struct statement *st, struct path *out)
{
	if (at_expression(r)) {
		partiql_clauses_unexpected(r);
	}
	reader_path(r, out);
	check_behind_path(r);
	struct slice name = label(r, out);

	for (size_t i = 0; i < st->trees.n_projection; i++) {
		if (slice_eq(st->labels[i], name)) {
			reader_refuse(r, r->next, "Duplicate identifiers in select clause: %.*s",
				      SLICE_ARG(name));
		}
	}
	return name;
}

static void
check_plain(struct reader *r)
{
	if (reader_word(r, "VALUE") || reader_word(r, "PIVOT")) {
		reader_refuse(r, r->next,
			      "Select projection doesn't support value or pivot keywords");
	}
	if (reader_word(r, "DISTINCT")) {
		reader_refuse(r, r->next, "Unsupported token in expression: DISTINCT");
	}
}

void
clause_projection(struct reader *r, struct statement *st)
{
	struct trees *t = &st->trees;
	size_t paths = 0;
	size_t labels = 0;

	check_plain(r);
	if (reader_take(r, LEXEME_STAR)) {
		return;
	}
	do {
		t->projection = arena_room(&r->c->arena, t->projection, t->n_projection, &paths);
		st->labels = arena_room(&r->c->arena, st->labels, t->n_projection, &labels);
		st->labels[t->n_projection] =
			partiql_clauses_read_listed(r, st, &t->projection[t->n_projection]);
		t->n_projection++;
	} while (reader_take(r, LEXEME_COMMA));
}

/* ------------------------------------------------------------ ORDER BY */

static struct order
read_order(struct reader *r)
{
	struct lexeme at = r->next;
	struct path path;

	if (reader_at_value(r)) {
		reader_refuse(r, at,
			      "Argument to ORDER BY must be of type VariableReference. Type: %.*s",
			      SLICE_ARG(reader_text(r, at)));
	}
	reader_path(r, &path);
	if (path.n > 1) {
		reader_refuse(r, at,
			      "Argument to ORDER BY must be of type VariableReference. Type: PATH");
	}
	struct order out = {.name = path.at[0].name, .place = at.start};

	out.descending = reader_skip(r, "DESC");
	if (!out.descending) {
		(void)reader_skip(r, "ASC");
	}
	return out;
}

void
clause_order(struct reader *r, struct statement *st)
{
	size_t cap = 0;
	struct lexeme order = r->next;

	if (!reader_skip(r, "ORDER")) {
		return;
	}
	reader_expect_word(r, "BY");
	do {
		st->order = arena_room(&r->c->arena, st->order, st->n_order, &cap);
		st->order[st->n_order++] = read_order(r);
	} while (reader_take(r, LEXEME_COMMA));
	if (r->status == 0 && st->trees.condition == NULL) {
		reader_refuse(r, order,
			      "Must have WHERE clause in the statement when using ORDER BY "
			      "clause.");
		reader_defer(r);
	}
}

/* ------------------------------------------------------------ the changes of UPDATE */

struct changes {
	struct reader *r;
	struct trees *trees;
	size_t clauses; /* capacity of trees->clause */
	size_t targets; /* capacity of trees->target */
};

static struct clause *
add_clause(struct changes *ch, enum update_verb verb)
{
	struct trees *t = ch->trees;

	t->clause = arena_room(&ch->r->c->arena, t->clause, t->n_clauses, &ch->clauses);
	t->target = arena_room(&ch->r->c->arena, t->target, t->n_clauses, &ch->targets);
	t->clause[t->n_clauses] = (struct clause){.verb = verb};
	return &t->clause[t->n_clauses++];
}

/* set_add(path, set) and set_delete(path, set) are clauses, not values. */
static void
take_set(struct reader *r, const struct path *target, struct clause *cl)
{
	struct node *call = cl->value;
	bool add = slice_is(call->text, "set_add");
	const char *name = add ? "SET_ADD" : "SET_DELETE";
	struct lexeme at = lex(r->text, call->place);

	if (call->n != 2) {
		reader_refuse(r, at, "%s must have exactly two arguments at %s", name,
			      reader_place(r, at));
		return;
	}
	struct node *path = call->arg[0];
	struct node *set = call->arg[1];
	struct lexeme blame = lex(r->text, path->place);

	if (path->type != NODE_PATH || !path_same(&path->path, target)) {
		reader_refuse(r, at,
			      "The first argument to %s must equal the assignment value at %s",
			      name, reader_place(r, at));
	}
	if (set->type != NODE_VALUE || !value_is_set(set->value->type)) {
		reader_refuse(r, blame,
			      "The second argument to %s must be a value with type SET at %s", name,
			      reader_place(r, blame));
	}
	*cl = (struct clause){.verb = add ? UPDATE_ADD : UPDATE_DELETE, .value = set};
}

static bool
is_set_call(const struct node *n)
{
	return n->type == NODE_CALL &&
	       (slice_is(n->text, "set_add") || slice_is(n->text, "set_delete"));
}

static void
read_assignment(struct changes *ch)
{
	struct clause *cl = add_clause(ch, UPDATE_SET);
	struct path *target = &ch->trees->target[ch->trees->n_clauses - 1];

	reader_path(ch->r, target);
	reader_expect(ch->r, LEXEME_EQ);
	cl->value = reader_sum(ch->r);
	if (is_set_call(cl->value)) {
		take_set(ch->r, target, cl);
	}
}

void
clause_changes(struct reader *r, struct statement *st)
{
	struct changes ch = {.r = r, .trees = &st->trees};
	bool set;

	while ((set = reader_skip(r, "SET")) || reader_skip(r, "REMOVE")) {
		do {
			if (set) {
				read_assignment(&ch);
			} else {
				(void)add_clause(&ch, UPDATE_REMOVE);
				reader_path(r, &st->trees.target[st->trees.n_clauses - 1]);
			}
		} while (reader_take(r, LEXEME_COMMA));
	}
	if (st->trees.n_clauses == 0) {
		reader_malformed(r, NULL);
	}
}

/* ------------------------------------------------------------ RETURNING */

static enum return_values
read_which(struct reader *r)
{
	bool all = reader_skip(r, "ALL");

	if (!all) {
		reader_expect_word(r, "MODIFIED");
	}
	if (reader_skip(r, "OLD")) {
		return all ? RETURN_ALL_OLD : RETURN_UPDATED_OLD;
	}
	reader_expect_word(r, "NEW");
	return all ? RETURN_ALL_NEW : RETURN_UPDATED_NEW;
}

void
clause_returning(struct reader *r, struct statement *st)
{
	static const char *const words[] = {
		[RETURN_UPDATED_OLD] = "MODIFIED OLD",
		[RETURN_UPDATED_NEW] = "MODIFIED NEW",
		[RETURN_ALL_NEW] = "ALL NEW",
	};
	struct lexeme at = r->next;

	if (!reader_skip(r, "RETURNING")) {
		return;
	}
	st->returning = read_which(r);
	st->returns = true;
	if (reader_is_name(r)) {
		reader_refuse(r, r->next,
			      "Expected '*' after ( MODIFIED | ALL ) ( NEW | OLD ) in RETURNING "
			      "clause");
	}
	reader_expect(r, LEXEME_STAR);
	if (r->next.type == LEXEME_COMMA) {
		reader_refuse(
			r, r->next,
			"Invalid syntax with multiple returning elements in RETURNING clause");
	}
	if (r->status == 0 && st->kind == STATEMENT_DELETE && st->returning != RETURN_ALL_OLD) {
		reader_refuse(r, at,
			      "Invalid returning clause: RETURNING %s *. Only RETURNING ALL OLD * "
			      "is allowed in DELETE statements.",
			      words[st->returning]);
		reader_defer(r);
	}
}
