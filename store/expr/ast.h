/*
 * ast - tree of an expression, and the token reader that all grammars share
 *
 * parse.c builds the tree from the text.  expr_check.c refuses whatever is invalid
 * for any values of the placeholders.  bind.c replaces the placeholders by names
 * and values.  After that the tree does not change.
 */
#ifndef STORE_EXPR_AST_H
#define STORE_EXPR_AST_H

#include "store/expr/expr.h"
#include "store/expr/lex.h"
#include "store/model/number.h"

enum node_type {
	/* conditions */
	NODE_OR,  /* 2.. arguments */
	NODE_AND, /* 2.. arguments */
	NODE_NOT, /* 1 */
	NODE_EQ,  /* 2, like the next five */
	NODE_NE,
	NODE_LT,
	NODE_LE,
	NODE_GT,
	NODE_GE,
	NODE_BETWEEN, /* 3: operand, lower bound, upper bound */
	NODE_IN,      /* 2..: operand, candidates */
	/* values that an update sets */
	NODE_ADD,      /* 2 */
	NODE_SUBTRACT, /* 2 */
	/* a condition, or (size) an operand; in an update an operand */
	NODE_CALL, /* 1.. */
	/* operands */
	NODE_PATH,
	NODE_VALUE,
};

enum function {
	FUNCTION_NONE,
	FUNCTION_ATTRIBUTE_EXISTS,
	FUNCTION_ATTRIBUTE_NOT_EXISTS,
	FUNCTION_ATTRIBUTE_TYPE,
	FUNCTION_BEGINS_WITH,
	FUNCTION_CONTAINS,
	FUNCTION_SIZE,
	FUNCTION_IF_NOT_EXISTS, /* in update expressions only */
	FUNCTION_LIST_APPEND,   /* in update expressions only */
};

/* A component of a document path: an attribute or member called @name, or element @index. */
struct step {
	struct slice text; /* as written: a name, "#alias", or the digits of an index */
	size_t place;      /* offset of @text in the expression */
	bool element;      /* it is [index] */
	size_t index;      /* element: set by expr_check.c */
	struct slice name; /* not element: set by bind.c, or by the builder of the tree (trees.h) */
};

/* A document path: a.b[3].c. The first component is the name of an attribute. */
struct path {
	struct step *at;
	size_t n; /* 1.. */
};

struct node {
	enum node_type type;
	bool parens;               /* written in parentheses */
	size_t place;              /* offset in the text: of its first byte, or of its operator */
	struct node **arg;         /* arguments */
	size_t n;                  /* number of arguments */
	struct slice text;         /* NODE_CALL: function name; NODE_VALUE: ":placeholder" */
	enum function function;    /* NODE_CALL; set by expr_check.c */
	struct path path;          /* NODE_PATH */
	const struct value *value; /* NODE_VALUE; set by bind.c, or by the builder of the tree */
	struct number number;      /* NODE_VALUE of type N: the parsed number; set by bind.c */
	enum value_type wanted;    /* attribute_type(): the type asked for; set by bind.c */
};

/* A growing list of nodes. */
struct node_list {
	struct node **at;
	size_t n;
	size_t cap;
};

struct expr {
	enum expr_kind kind;
	const struct node *root;
	struct slice *names; /* top-level attributes that it mentions, each once */
	size_t n_names;
	bool apart; /* argument i of the root is a condition on names[i] only */
};

/** node_list_add - append @n */
void node_list_add(struct call *c, struct node_list *l, struct node *n);

/** node_over - make an operator or call; its arguments are @l, whose array belongs to it from here on */
struct node *node_over(struct call *c, enum node_type type, size_t place,
		       const struct node_list *l);

/** node_make - make an operator or call with a copy of the @n arguments, or a path or constant */
struct node *node_make(struct call *c, enum node_type type, size_t place, struct node *const *arg,
		       size_t n);

/** node_value - make a constant with a copy of @v */
struct node *node_value(struct call *c, const struct value *v, size_t place);

/** node_name - make a path to the attribute @name */
struct node *node_name(struct call *c, struct slice name, size_t place);

/** expr_kind_name - name of a kind in messages: "ConditionExpression" ... */
const char *expr_kind_name(enum expr_kind kind);

/** node_operator - operator of a node in messages: "=", "BETWEEN", "AND" ...; for a call, the function's name */
struct slice node_operator(const struct node *n);

/** expr_blame - set the place of the failure just recorded, unless it has one; Return: @r */
int expr_blame(struct call *c, size_t place, int r);

/* expr_fail - refuse an expression at @place: "Invalid FilterExpression: ..." */
#define expr_fail(c, kind, place, fmt, ...) \
	expr_blame((c), (place), \
		   call_fail((c), ERR_VALIDATION, "Invalid %s: " fmt, expr_kind_name(kind), \
			     ##__VA_ARGS__))

/* ------------------------------------------------------------ the token reader of all grammars */

struct parser {
	struct call *c;
	enum expr_kind kind;
	struct slice text;
	struct token token; /* the next one */
	size_t previous;    /* offset of the token before it; 0 at first */
	unsigned depth;     /* open parentheses and calls */
	unsigned operators; /* so far */
	int status;         /* 0 or -ERR_VALIDATION, with the first fault in the call */
};

/**
 * parser_start - initialize @p, with the first token of @text as the next one
 *
 * Refuses an empty expression, and one over 4 KB.  After a fault, the parser is at the end of the text.  So a caller
 * may parse on without a test: no loop goes on, later faults change nothing, and trees are incomplete, but valid.
 */
void parser_start(struct parser *p, struct call *c, enum expr_kind kind, struct slice text);

/** parser_fail - end parsing with the failure @status, if it is the first one */
void parser_fail(struct parser *p, int status);

/* parser_refuse - refuse the expression at @place */
#define parser_refuse(p, place, ...) \
	parser_fail((p), expr_fail((p)->c, (p)->kind, (place), __VA_ARGS__))

/** parser_advance - move to the next token */
void parser_advance(struct parser *p);

/** parser_quote - bytes @start..@end of the text */
struct slice parser_quote(const struct parser *p, size_t start, size_t end);

/** parser_error - fail with a syntax error at the next token */
void parser_error(struct parser *p);

/** parser_skip - move past the next token if it is a @type; Return: whether it was */
bool parser_skip(struct parser *p, enum token_type type);

/** parser_expect - move past the next token if it is a @type, otherwise fail as parser_error() */
void parser_expect(struct parser *p, enum token_type type);

#endif
