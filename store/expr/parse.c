/*
 * parse - recursive descent parser with one token of look-ahead
 *
 * Runs after lex.c, before expr_check.c.  Parentheses may contain a condition or an
 * operand, and only their end shows which.  So one function parses both,
 * and an operand alone is accepted as a group only if ')' follows.
 */
#include "store/expr/parse.h"

#include <assert.h>

#include "store/expr/ast.h"
#include "store/expr/document_path.h"
#include "store/model/limits.h"

/*
 * Each useful level of parentheses contains an operator, so a text that is nested deeper is
 * refused anyway for its operators or its parentheses.  This limits the use of the stack.
 */
enum { DEPTH_MAX = LIMIT_OPERATORS + 20 };

static int parse_operand(struct parser *p, struct node **out);
static int parse_inside(struct parser *p, struct node **out);

static bool
is_operand(const struct node *n)
{
	return n->type == NODE_PATH || n->type == NODE_VALUE || n->type == NODE_CALL;
}

static int
redundant(struct parser *p, size_t open)
{
	return expr_fail(p->c, p->kind, open, "The expression has redundant parentheses;");
}

static int
parse_enter(struct parser *p, bool call)
{
	if (++p->depth <= DEPTH_MAX) {
		return 0;
	}
	if (call) {
		return expr_fail(p->c, p->kind, p->token.start,
				 "The expression contains too many operators; operator count: %u",
				 p->operators);
	}
	return redundant(p, p->token.start);
}

/* Parses the closing parenthesis around @n. */
static int
parse_leave(struct parser *p, size_t open, struct node *n)
{
	int r = parser_expect(p, TOKEN_CLOSE);

	if (r < 0) {
		return r;
	}
	assert(n != NULL && p->depth > 0);
	if (n->parens) {
		return redundant(p, open);
	}
	n->parens = true;
	p->depth--;
	return 0;
}

/* Parses an operand and appends it to @l. */
static int
parse_next(struct parser *p, struct node_list *l)
{
	struct node *n = NULL;
	int r = parse_operand(p, &n);

	if (r == 0) {
		node_list_add(p->c, l, n);
	}
	return r;
}

/* operand {, operand} ) */
static int
parse_arguments(struct parser *p, struct node_list *l)
{
	int r;

	do {
		r = parse_next(p, l);
	} while (r == 0 && parser_skip(p, TOKEN_COMMA));
	return r < 0 ? r : parser_expect(p, TOKEN_CLOSE);
}

static int
parse_call(struct parser *p, struct step name, struct node **out)
{
	struct node_list l = {0};

	p->operators++;
	int r = parse_enter(p, true);

	if (r < 0) {
		return r;
	}
	parser_advance(p);
	r = parse_arguments(p, &l);
	if (r < 0) {
		return r;
	}
	p->depth--;
	*out = node_over(p->c, NODE_CALL, name.place, &l);
	(*out)->text = name.text;
	return 0;
}

int
parse_bare(struct parser *p, struct node **out)
{
	struct token t = p->token;
	struct step first;

	if (t.type == TOKEN_VALUE) {
		*out = node_make(p->c, NODE_VALUE, t.start, NULL, 0);
		(*out)->text = parser_quote(p, t.start, t.end);
		parser_advance(p);
		return 0;
	}
	if (t.type != TOKEN_NAME && t.type != TOKEN_ALIAS) {
		return parser_error(p);
	}
	int r = path_step(p, &first);

	if (r < 0) {
		return r;
	}
	if (t.type == TOKEN_NAME && p->token.type == TOKEN_OPEN) {
		return parse_call(p, first, out);
	}
	*out = node_make(p->c, NODE_PATH, t.start, NULL, 0);
	return path_steps(p, first, &(*out)->path);
}

/* Parses a group in parentheses, whose '(' is the next token; @parse parses the inside. */
static int
parse_group(struct parser *p, int (*parse)(struct parser *p, struct node **out), struct node **out)
{
	size_t open = p->token.start;
	int r = parse_enter(p, false);

	if (r < 0) {
		return r;
	}
	parser_advance(p);
	r = parse(p, out);
	return r < 0 ? r : parse_leave(p, open, *out);
}

static int
parse_operand(struct parser *p, struct node **out)
{
	return p->token.type == TOKEN_OPEN ? parse_group(p, parse_operand, out)
					   : parse_bare(p, out);
}

/* Parses a condition or an operand in parentheses, or an operand without. */
static int
parse_unit(struct parser *p, struct node **out)
{
	return p->token.type == TOKEN_OPEN ? parse_group(p, parse_inside, out) : parse_bare(p, out);
}

/* The comparison operators are in the same order in both enums. */
static bool
comparator(enum token_type token, enum node_type *out)
{
	if (token < TOKEN_EQ || token > TOKEN_GE) {
		return false;
	}
	*out = (enum node_type)(NODE_EQ + (token - TOKEN_EQ));
	return true;
}

/* Parses the operands after the first one in @l: one more, or lower AND upper, or a list. */
static int
parse_others(struct parser *p, enum node_type type, struct node_list *l)
{
	if (type == NODE_IN) {
		int r = parser_expect(p, TOKEN_OPEN);

		return r < 0 ? r : parse_arguments(p, l);
	}
	int r = parse_next(p, l);

	if (r == 0 && type == NODE_BETWEEN) {
		r = parser_expect(p, TOKEN_AND);
		r = r < 0 ? r : parse_next(p, l);
	}
	return r;
}

/* @group: directly after '(', so that an operand alone is accepted if ')' follows. */
static int
parse_predicate(struct parser *p, bool group, struct node **out)
{
	struct node_list l = {0};
	enum node_type type;
	int r = parse_unit(p, out);

	if (r < 0 || !is_operand(*out)) {
		return r;
	}
	struct token t = p->token;

	if (t.type == TOKEN_BETWEEN) {
		type = NODE_BETWEEN;
	} else if (t.type == TOKEN_IN) {
		type = NODE_IN;
	} else if (!comparator(t.type, &type)) {
		bool whole = (*out)->type == NODE_CALL || (group && t.type == TOKEN_CLOSE);

		return whole ? 0 : parser_error(p);
	}
	parser_advance(p);
	p->operators++;
	node_list_add(p->c, &l, *out);
	r = parse_others(p, type, &l);
	if (r == 0) {
		*out = node_over(p->c, type, t.start, &l);
	}
	return r;
}

static int
parse_not(struct parser *p, bool group, struct node **out)
{
	size_t place = p->token.start;

	if (p->token.type != TOKEN_NOT) {
		return parse_predicate(p, group, out);
	}
	parser_advance(p);
	p->operators++;
	int r = parse_not(p, false, out);

	if (r == 0) {
		*out = node_make(p->c, NODE_NOT, place, out, 1);
	}
	return r;
}

/* Parses conditions that are joined by the same operator: A AND B AND C becomes one node. */
static int
parse_chain(struct parser *p, bool group, enum token_type token, enum node_type type,
	    int (*parse)(struct parser *p, bool group, struct node **out), struct node **out)
{
	struct node_list l = {0};
	size_t place = 0;
	int r = parse(p, group, out);

	while (r == 0 && p->token.type == token) {
		if (l.n == 0) {
			node_list_add(p->c, &l, *out);
			place = p->token.start;
		}
		parser_advance(p);
		p->operators++;
		r = parse(p, false, out);
		if (r == 0) {
			node_list_add(p->c, &l, *out);
		}
	}
	if (r == 0 && l.n > 0) {
		*out = node_over(p->c, type, place, &l);
	}
	return r;
}

static int
parse_and(struct parser *p, bool group, struct node **out)
{
	return parse_chain(p, group, TOKEN_AND, NODE_AND, parse_not, out);
}

static int
parse_or(struct parser *p, bool group, struct node **out)
{
	return parse_chain(p, group, TOKEN_OR, NODE_OR, parse_and, out);
}

/* Parses a condition, or an operand before ')'. */
static int
parse_inside(struct parser *p, struct node **out)
{
	return parse_or(p, true, out);
}

int
parse_value(struct parser *p, struct node **out)
{
	struct node_list l = {0};
	int r = p->token.type == TOKEN_OPEN ? parse_group(p, parse_value, out) : parse_bare(p, out);
	struct token t = p->token;

	if (r < 0 || !is_operand(*out) || (t.type != TOKEN_PLUS && t.type != TOKEN_MINUS)) {
		return r;
	}
	parser_advance(p);
	p->operators++;
	node_list_add(p->c, &l, *out);
	r = parse_next(p, &l);
	if (r == 0) {
		*out = node_over(p->c, t.type == TOKEN_PLUS ? NODE_ADD : NODE_SUBTRACT, t.start,
				 &l);
	}
	return r;
}

int
parse_end(struct parser *p)
{
	int r = parser_expect(p, TOKEN_END);

	if (r == 0 && p->operators > LIMIT_OPERATORS) {
		r = expr_fail(p->c, p->kind, 0,
			      "The expression contains too many operators; operator count: %u",
			      p->operators);
	}
	return r;
}

int
parse_condition(struct call *c, enum expr_kind kind, struct slice text, struct node **out)
{
	struct parser p;
	int r = parser_start(&p, c, kind, text);

	if (r == 0) {
		r = parse_or(&p, false, out);
	}
	return r < 0 ? r : parse_end(&p);
}

int
parse_projection(struct call *c, struct slice text, struct path **paths, size_t *n)
{
	struct parser p;
	size_t cap = 0;
	int r = parser_start(&p, c, EXPR_PROJECTION, text);

	*paths = NULL;
	*n = 0;
	if (r < 0) {
		return r;
	}
	do {
		*paths = arena_room(&c->arena, *paths, *n, &cap);
		r = path_parse(&p, &(*paths)[(*n)++]);
	} while (r == 0 && parser_skip(&p, TOKEN_COMMA));
	return r < 0 ? r : parser_expect(&p, TOKEN_END);
}
