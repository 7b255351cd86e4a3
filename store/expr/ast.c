/* ast - see ast.h */
#include "store/expr/ast.h"

#include "store/expr/lex.h"
#include "store/model/limits.h"
#include "store/model/number.h"

/* ------------------------------------------------------------ nodes */

void
node_list_add(struct call *c, struct node_list *l, struct node *n)
{
	l->at = arena_room_of(&c->arena, l->at, sizeof(struct node *), l->n, &l->cap);
	l->at[l->n++] = n;
}

struct node *
node_over(struct call *c, enum node_type type, size_t place, const struct node_list *l)
{
	struct node *made = arena_new(&c->arena, struct node, 1);

	*made = (struct node){.type = type, .place = place, .arg = l->at, .n = l->n};
	return made;
}

struct node *
node_make(struct call *c, enum node_type type, size_t place, struct node *const *arg, size_t n)
{
	struct node_list l = {.n = n};

	if (n > 0) {
		l.at = arena_new(&c->arena, struct node *, n);
		memcpy(l.at, arg, n * sizeof(struct node *));
	}
	return node_over(c, type, place, &l);
}

struct node *
node_value(struct call *c, const struct value *v, size_t place)
{
	struct node *made = node_make(c, NODE_VALUE, place, NULL, 0);
	struct value *copy = arena_new(&c->arena, struct value, 1);

	*copy = *v;
	made->value = copy;
	if (v->type == VALUE_N) {
		made->number = number_read(v->text);
	}
	return made;
}

struct node *
node_name(struct call *c, struct slice name, size_t place)
{
	struct node *made = node_make(c, NODE_PATH, place, NULL, 0);

	made->path = (struct path){arena_new(&c->arena, struct step, 1), 1};
	made->path.at[0] = (struct step){.text = name, .name = name, .place = place};
	return made;
}

/* ------------------------------------------------------------ words of messages */

const char *
expr_kind_name(enum expr_kind kind)
{
	static const char *const names[] = {
		[EXPR_UPDATE] = "UpdateExpression",
		[EXPR_CONDITION] = "ConditionExpression",
		[EXPR_FILTER] = "FilterExpression",
		[EXPR_KEY_CONDITION] = "KeyConditionExpression",
		[EXPR_PROJECTION] = "ProjectionExpression",
	};

	return names[kind];
}

struct slice
node_operator(const struct node *n)
{
	static const struct slice names[NODE_CALL] = {
		[NODE_OR] = SLICE_INIT("OR"),      [NODE_AND] = SLICE_INIT("AND"),
		[NODE_NOT] = SLICE_INIT("NOT"),    [NODE_EQ] = SLICE_INIT("="),
		[NODE_NE] = SLICE_INIT("<>"),      [NODE_LT] = SLICE_INIT("<"),
		[NODE_LE] = SLICE_INIT("<="),      [NODE_GT] = SLICE_INIT(">"),
		[NODE_GE] = SLICE_INIT(">="),      [NODE_BETWEEN] = SLICE_INIT("BETWEEN"),
		[NODE_IN] = SLICE_INIT("IN"),      [NODE_ADD] = SLICE_INIT("+"),
		[NODE_SUBTRACT] = SLICE_INIT("-"),
	};

	return n->type < NODE_CALL ? names[n->type] : n->text;
}

int
expr_blame(struct call *c, size_t place, int r)
{
	if (c->error.place == 0) {
		c->error.place = place + 1;
	}
	return r;
}

/* ------------------------------------------------------------ the token reader */

void
parser_start(struct parser *p, struct call *c, enum expr_kind kind, struct slice text)
{
	static const char long_text[] = "Expression size has exceeded the maximum allowed size;";

	*p = (struct parser){.c = c, .kind = kind, .text = text};
	if (text.len == 0) {
		parser_refuse(p, 0, "The expression can not be empty;");
	} else if (text.len <= LIMIT_EXPRESSION_BYTES) {
		p->token = lex_token(text, 0);
	} else if (kind == EXPR_UPDATE) {
		parser_refuse(p, LIMIT_EXPRESSION_BYTES, "%s", long_text);
	} else {
		parser_refuse(p, LIMIT_EXPRESSION_BYTES, "%s expression size: %zu", long_text,
			      text.len);
	}
}

void
parser_fail(struct parser *p, int status)
{
	if (p->status == 0) {
		p->status = status;
		p->token = lex_token(p->text, p->text.len);
	}
}

void
parser_advance(struct parser *p)
{
	p->previous = p->token.start;
	p->token = lex_token(p->text, p->token.end);
}

struct slice
parser_quote(const struct parser *p, size_t start, size_t end)
{
	assert(start <= end && end <= p->text.len);
	return slice_of(p->text.at + start, end - start);
}

void
parser_error(struct parser *p)
{
	struct token t = p->token;
	struct slice near = parser_quote(p, p->previous, lex_token(p->text, t.end).end);

	if (t.type == TOKEN_END) {
		parser_refuse(p, t.start, "Syntax error; token: \"<EOF>\", near: \"%.*s\"",
			      SLICE_ARG(near));
	} else {
		parser_refuse(p, t.start, "Syntax error; token: \"%.*s\", near: \"%.*s\"",
			      SLICE_ARG(parser_quote(p, t.start, t.end)), SLICE_ARG(near));
	}
}

bool
parser_skip(struct parser *p, enum token_type type)
{
	bool is = p->token.type == type;

	if (is) {
		parser_advance(p);
	}
	return is;
}

void
parser_expect(struct parser *p, enum token_type type)
{
	if (!parser_skip(p, type)) {
		parser_error(p);
	}
}
