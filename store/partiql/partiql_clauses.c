/* partiql_clauses - parses the list of SELECT, ORDER BY, SET and REMOVE, and RETURNING */
#include "store/partiql/partiql_clauses.h"

#include <assert.h>

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

static int
partiql_clauses_unexpected(struct reader *r)
{
	return reader_refuse(r, r->next, "Unexpected path component at %s",
			     reader_place(r, r->next));
}

/* Return: whether an expression begins here, which cannot be listed. */
static bool
at_expression(const struct reader *r)
{
	bool call = r->next.type == LEXEME_WORD && lex(r->text, r->next.end).type == LEXEME_OPEN;

	return call || reader_at_value(r) || reader_word(r, "MISSING") || reader_word(r, "CASE") ||
	       r->next.type == LEXEME_OPEN;
}

static int
check_behind_path(struct reader *r)
{
	if (r->next.type >= LEXEME_EQ && r->next.type <= LEXEME_GE) {
		return partiql_clauses_unexpected(r);
	}
	if (r->next.type >= LEXEME_STAR && r->next.type <= LEXEME_CONCAT) {
		return partiql_clauses_unexpected(r);
	}
	if (reader_word(r, "AS") || reader_is_name(r)) {
		return reader_refuse(r, r->next, "Aliasing is not supported");
	}
	return 0;
}

static int
check_label(struct reader *r, const struct statement *st, struct slice name)
{
	for (size_t i = 0; i < st->trees.n_projection; i++) {
		if (slice_eq(st->labels[i], name)) {
			return reader_refuse(r, r->next,
					     "Duplicate identifiers in select clause: %.*s",
					     SLICE_ARG(name));
		}
	}
	return 0;
}

static int
partiql_clauses_read_listed(struct reader *r, struct statement *st, struct path *out)
{
	if (at_expression(r)) {
		return partiql_clauses_unexpected(r);
	}
	int status = reader_path(r, out);

	if (status == 0) {
		status = check_behind_path(r);
	}
	return status < 0 ? status : check_label(r, st, label(r, out));
}

static int
check_plain(struct reader *r)
{
	if (reader_word(r, "VALUE") || reader_word(r, "PIVOT")) {
		return reader_refuse(r, r->next,
				     "Select projection doesn't support value or pivot keywords");
	}
	if (reader_word(r, "DISTINCT")) {
		return reader_refuse(r, r->next, "Unsupported token in expression: DISTINCT");
	}
	return 0;
}

int
clause_projection(struct reader *r, struct statement *st)
{
	struct trees *t = &st->trees;
	size_t paths = 0;
	size_t labels = 0;
	int status = check_plain(r);

	if (status < 0 || reader_take(r, LEXEME_STAR)) {
		return status;
	}
	do {
		t->projection = arena_room(&r->c->arena, t->projection, t->n_projection, &paths);
		st->labels = arena_room(&r->c->arena, st->labels, t->n_projection, &labels);
		struct path *p = &t->projection[t->n_projection];

		status = partiql_clauses_read_listed(r, st, p);
		if (status < 0) {
			return status;
		}
		st->labels[t->n_projection++] = label(r, p);
	} while (reader_take(r, LEXEME_COMMA));
	return 0;
}

/* ------------------------------------------------------------ ORDER BY */

static int
read_order(struct reader *r, struct order *out)
{
	struct lexeme at = r->next;
	struct path path;

	if (reader_at_value(r)) {
		return reader_refuse(
			r, at, "Argument to ORDER BY must be of type VariableReference. Type: %.*s",
			SLICE_ARG(reader_text(r, at)));
	}
	int status = reader_path(r, &path);

	if (status == 0 && path.n > 1) {
		return reader_refuse(
			r, at,
			"Argument to ORDER BY must be of type VariableReference. Type: PATH");
	}
	*out = (struct order){.name = path.at[0].name, .place = at.start};
	out->descending = reader_skip(r, "DESC");
	if (!out->descending) {
		(void)reader_skip(r, "ASC");
	}
	return status;
}

int
clause_order(struct reader *r, struct statement *st)
{
	size_t cap = 0;
	size_t place = r->next.start;

	if (!reader_skip(r, "ORDER")) {
		return 0;
	}
	int status = reader_expect_word(r, "BY");

	if (status < 0) {
		return status;
	}
	do {
		st->order = arena_room(&r->c->arena, st->order, st->n_order, &cap);
		status = read_order(r, &st->order[st->n_order++]);
	} while (status == 0 && reader_take(r, LEXEME_COMMA));
	if (status == 0 && st->trees.condition == NULL) {
		struct lexeme order = {.start = place};

		status = reader_defer(r,
				      reader_refuse(r, order,
						    "Must have WHERE clause in the statement when "
						    "using ORDER BY clause."));
	}
	return status;
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
static int
take_set(struct reader *r, const struct path *target, struct clause *cl)
{
	struct node *call = cl->value;
	bool add = slice_is(call->text, "set_add");
	const char *name = add ? "SET_ADD" : "SET_DELETE";
	struct lexeme at = lex(r->text, call->place);

	if (call->n != 2) {
		return reader_refuse(r, at, "%s must have exactly two arguments at %s", name,
				     reader_place(r, at));
	}
	struct node *path = call->arg[0];
	struct node *set = call->arg[1];
	struct lexeme blame = lex(r->text, path->place);

	if (path->type != NODE_PATH || !path_same(&path->path, target)) {
		return reader_refuse(
			r, at, "The first argument to %s must equal the assignment value at %s",
			name, reader_place(r, at));
	}
	if (set->type != NODE_VALUE || !value_is_set(set->value->type)) {
		return reader_refuse(
			r, blame, "The second argument to %s must be a value with type SET at %s",
			name, reader_place(r, blame));
	}
	*cl = (struct clause){.verb = add ? UPDATE_ADD : UPDATE_DELETE, .value = set};
	return 0;
}

static bool
is_set_call(const struct node *n)
{
	return n->type == NODE_CALL &&
	       (slice_is(n->text, "set_add") || slice_is(n->text, "set_delete"));
}

static int
read_assignment(struct changes *ch)
{
	struct clause *cl = add_clause(ch, UPDATE_SET);
	struct path *target = &ch->trees->target[ch->trees->n_clauses - 1];
	int status = reader_path(ch->r, target);

	if (status == 0) {
		status = reader_expect(ch->r, LEXEME_EQ);
	}
	if (status == 0) {
		status = reader_sum(ch->r, &cl->value);
	}
	if (status < 0) {
		return status;
	}
	assert(cl->value != NULL);
	if (!is_set_call(cl->value)) {
		return 0;
	}
	return take_set(ch->r, target, cl);
}

static int
partiql_clauses_read_set(struct changes *ch)
{
	int status;

	do {
		status = read_assignment(ch);
	} while (status == 0 && reader_take(ch->r, LEXEME_COMMA));
	return status;
}

static int
read_remove(struct changes *ch)
{
	int status;

	do {
		(void)add_clause(ch, UPDATE_REMOVE);
		status = reader_path(ch->r, &ch->trees->target[ch->trees->n_clauses - 1]);
	} while (status == 0 && reader_take(ch->r, LEXEME_COMMA));
	return status;
}

int
clause_changes(struct reader *r, struct statement *st)
{
	struct changes ch = {.r = r, .trees = &st->trees};
	int status = 0;

	while (status == 0) {
		if (reader_skip(r, "SET")) {
			status = partiql_clauses_read_set(&ch);
		} else if (reader_skip(r, "REMOVE")) {
			status = read_remove(&ch);
		} else {
			break;
		}
	}
	return status == 0 && st->trees.n_clauses == 0 ? reader_malformed(r, NULL) : status;
}

/* ------------------------------------------------------------ RETURNING */

static int
read_which(struct reader *r, enum return_values *out)
{
	bool all = reader_skip(r, "ALL");

	if (!all && !reader_skip(r, "MODIFIED")) {
		return reader_malformed(r, NULL);
	}
	if (reader_skip(r, "OLD")) {
		*out = all ? RETURN_ALL_OLD : RETURN_UPDATED_OLD;
		return 0;
	}
	*out = all ? RETURN_ALL_NEW : RETURN_UPDATED_NEW;
	return reader_expect_word(r, "NEW");
}

int
clause_returning(struct reader *r, struct statement *st)
{
	static const char *const words[] = {
		[RETURN_UPDATED_OLD] = "MODIFIED OLD",
		[RETURN_UPDATED_NEW] = "MODIFIED NEW",
		[RETURN_ALL_NEW] = "ALL NEW",
	};
	struct lexeme at = r->next;

	if (!reader_skip(r, "RETURNING")) {
		return 0;
	}
	int status = read_which(r, &st->returning);

	st->returns = true;
	if (status == 0 && r->next.type != LEXEME_STAR) {
		return reader_is_name(r)
			       ? reader_refuse(r, r->next,
					       "Expected '*' after ( MODIFIED | ALL ) ( NEW | "
					       "OLD ) in RETURNING clause")
			       : reader_malformed(r, NULL);
	}
	if (status < 0) {
		return status;
	}
	reader_advance(r);
	if (r->next.type == LEXEME_COMMA) {
		return reader_refuse(
			r, r->next,
			"Invalid syntax with multiple returning elements in RETURNING clause");
	}
	if (st->kind == STATEMENT_DELETE && st->returning != RETURN_ALL_OLD) {
		return reader_defer(
			r, reader_refuse(r, at,
					 "Invalid returning clause: RETURNING %s *. Only RETURNING "
					 "ALL OLD * is allowed in DELETE statements.",
					 words[st->returning]));
	}
	return 0;
}
