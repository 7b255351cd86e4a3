/*
 * parse - recursive descent parser with one token of look-ahead
 *
 * Runs after lex.c, before expr_check.c.  Parentheses may contain a condition or an
 * operand, and only their end shows which.  So one function parses both,
 * and an operand alone is accepted as a group only if ')' follows.
 */
#include "store/expr/parse.h"

#include "store/expr/ast.h"
#include "store/expr/document_path.h"
#include "store/model/limits.h"

/*
 * Each useful level of parentheses contains an operator, so a text that is nested deeper is
 * refused anyway for its operators or its parentheses.  This limits the use of the stack.
 */
enum { DEPTH_MAX = LIMIT_OPERATORS + 20 };

static struct node *parse_operand(struct parser *p);
static struct node *parse_inside(struct parser *p);

static bool
is_operand(const struct node *n)
{
	return n->type == NODE_PATH || n->type == NODE_VALUE || n->type == NODE_CALL;
}

static void
redundant(struct parser *p, size_t open)
{
	parser_refuse(p, open, "The expression has redundant parentheses;");
}

static void
too_many(struct parser *p, size_t place)
{
	parser_refuse(p, place, "The expression contains too many operators; operator count: %u",
		      p->operators);
}

/* operand {, operand} ) */
static void
parse_arguments(struct parser *p, struct node_list *l)
{
	do {
		node_list_add(p->c, l, parse_operand(p));
	} while (parser_skip(p, TOKEN_COMMA));
	parser_expect(p, TOKEN_CLOSE);
}

static struct node *
parse_call(struct parser *p, struct step name)
{
	struct node_list l = {0};

	p->operators++;
	if (++p->depth > DEPTH_MAX) {
		too_many(p, p->token.start);
	}
	parser_advance(p);
	parse_arguments(p, &l);
	p->depth--;
	struct node *n = node_over(p->c, NODE_CALL, name.place, &l);

	n->text = name.text;
	return n;
}

struct node *
parse_bare(struct parser *p)
{
	struct token t = p->token;

	if (parser_skip(p, TOKEN_VALUE)) {
		struct node *value = node_make(p->c, NODE_VALUE, t.start, NULL, 0);

		value->text = parser_quote(p, t.start, t.end);
		return value;
	}
	if (t.type == TOKEN_LEFT) {
		parser_error(p);
	}
	struct step first = path_step(p);

	if (t.type == TOKEN_NAME && p->token.type == TOKEN_OPEN) {
		return parse_call(p, first);
	}
	struct node *n = node_make(p->c, NODE_PATH, t.start, NULL, 0);

	n->path = path_steps(p, first);
	return n;
}

/* Parses a group in parentheses, whose '(' is the next token; @parse parses the inside. */
static struct node *
parse_group(struct parser *p, struct node *(*parse)(struct parser *p))
{
	size_t open = p->token.start;

	if (++p->depth > DEPTH_MAX) {
		redundant(p, open);
	}
	parser_advance(p);
	struct node *n = parse(p);

	parser_expect(p, TOKEN_CLOSE);
	if (n->parens) {
		redundant(p, open);
	}
	n->parens = true;
	p->depth--;
	return n;
}

static struct node *
parse_operand(struct parser *p)
{
	return p->token.type == TOKEN_OPEN ? parse_group(p, parse_operand) : parse_bare(p);
}

/* Parses a condition or an operand in parentheses, or an operand without. */
static struct node *
parse_unit(struct parser *p)
{
	return p->token.type == TOKEN_OPEN ? parse_group(p, parse_inside) : parse_bare(p);
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
static void
parse_others(struct parser *p, enum node_type type, struct node_list *l)
{
	if (type == NODE_IN) {
		parser_expect(p, TOKEN_OPEN);
		parse_arguments(p, l);
		return;
	}
	node_list_add(p->c, l, parse_operand(p));
	if (type == NODE_BETWEEN) {
		parser_expect(p, TOKEN_AND);
		node_list_add(p->c, l, parse_operand(p));
	}
}

/* @group: directly after '(', so that an operand alone is accepted if ')' follows. */
static struct node *
parse_predicate(struct parser *p, bool group)
{
	struct node_list l = {0};
	struct node *n = parse_unit(p);
	struct token t = p->token;
	enum node_type type;

	if (!is_operand(n)) {
		return n;
	}
	if (t.type == TOKEN_BETWEEN) {
		type = NODE_BETWEEN;
	} else if (t.type == TOKEN_IN) {
		type = NODE_IN;
	} else if (!comparator(t.type, &type)) {
		if (n->type != NODE_CALL && !(group && t.type == TOKEN_CLOSE)) {
			parser_error(p);
		}
		return n;
	}
	parser_advance(p);
	p->operators++;
	node_list_add(p->c, &l, n);
	parse_others(p, type, &l);
	return node_over(p->c, type, t.start, &l);
}

static struct node *
parse_not(struct parser *p, bool group)
{
	size_t place = p->token.start;

	if (!parser_skip(p, TOKEN_NOT)) {
		return parse_predicate(p, group);
	}
	p->operators++;
	struct node *n = parse_not(p, false);

	return node_make(p->c, NODE_NOT, place, &n, 1);
}

/* Parses conditions that are joined by the same operator: A AND B AND C becomes one node. */
static struct node *
parse_chain(struct parser *p, bool group, enum token_type token, enum node_type type,
	    struct node *(*parse)(struct parser *p, bool group))
{
	struct node_list l = {0};
	struct node *n = parse(p, group);
	size_t place = p->token.start;

	if (p->token.type != token) {
		return n;
	}
	node_list_add(p->c, &l, n);
	while (parser_skip(p, token)) {
		p->operators++;
		node_list_add(p->c, &l, parse(p, false));
	}
	return node_over(p->c, type, place, &l);
}

static struct node *
parse_and(struct parser *p, bool group)
{
	return parse_chain(p, group, TOKEN_AND, NODE_AND, parse_not);
}

static struct node *
parse_or(struct parser *p, bool group)
{
	return parse_chain(p, group, TOKEN_OR, NODE_OR, parse_and);
}

/* Parses a condition, or an operand before ')'. */
static struct node *
parse_inside(struct parser *p)
{
	return parse_or(p, true);
}

struct node *
parse_value(struct parser *p)
{
	struct node *n = p->token.type == TOKEN_OPEN ? parse_group(p, parse_value) : parse_bare(p);
	struct token t = p->token;

	if (!is_operand(n) || (t.type != TOKEN_PLUS && t.type != TOKEN_MINUS)) {
		return n;
	}
	parser_advance(p);
	p->operators++;
	struct node *two[2] = {n, parse_operand(p)};

	return node_make(p->c, t.type == TOKEN_PLUS ? NODE_ADD : NODE_SUBTRACT, t.start, two, 2);
}

int
parse_end(struct parser *p)
{
	parser_expect(p, TOKEN_END);
	if (p->operators > LIMIT_OPERATORS) {
		too_many(p, 0);
	}
	return p->status;
}

int
parse_condition(struct call *c, enum expr_kind kind, struct slice text, struct node **out)
{
	struct parser p;

	parser_start(&p, c, kind, text);
	*out = parse_or(&p, false);
	return parse_end(&p);
}

int
parse_projection(struct call *c, struct slice text, struct path **paths, size_t *n)
{
	struct parser p;
	size_t cap = 0;

	parser_start(&p, c, EXPR_PROJECTION, text);
	*paths = NULL;
	*n = 0;
	do {
		*paths = arena_room(&c->arena, *paths, *n, &cap);
		(*paths)[(*n)++] = path_parse(&p);
	} while (parser_skip(&p, TOKEN_COMMA));
	return parse_end(&p);
}
