/*
 * ast - an expression as a tree
 *
 * parse.c builds it from the text, expr_check.c refuses what the language forbids
 * whatever the placeholders stand for, bind.c puts names and values in place of
 * the placeholders.  After that it never changes.
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
	/* what an update sets */
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
	FUNCTION_IF_NOT_EXISTS, /* these two in update expressions only */
	FUNCTION_LIST_APPEND,
};

/* One step of a document path: an attribute or member called @name, or element @index. */
struct step {
	struct slice text; /* as written: a name, "#alias", or the digits of an index */
	size_t place;      /* of @text in the expression */
	bool element;      /* it is [index] */
	size_t index;      /* set by expr_check.c */
	struct slice name; /* set by bind.c, unless it came with the tree (trees.h) */
};

/* a.b[3].c; the first step is an attribute's name */
struct path {
	struct step *at;
	size_t n; /* 1.. */
};

struct node {
	enum node_type type;
	bool parens;               /* written in parentheses */
	size_t place;              /* where it begins in the text, or its operator stands */
	struct node **arg;         /* arguments */
	size_t n;                  /* how many */
	struct slice text;         /* NODE_CALL: function name; NODE_VALUE: ":placeholder" */
	enum function function;    /* NODE_CALL; set by expr_check.c */
	struct path path;          /* NODE_PATH */
	const struct value *value; /* NODE_VALUE; set by bind.c, unless it came with the tree */
	struct number number;      /* NODE_VALUE of type N: parsed once; set by bind.c */
	enum value_type wanted;    /* attribute_type: what it asks for; set by bind.c */
};

struct expr {
	enum expr_kind kind;
	const struct node *root;
	struct slice *names; /* top-level attributes mentioned, each once */
	size_t n_names;
	bool apart; /* the root joins as many conditions, each on one of these names alone */
};

/** expr_kind_name - "ConditionExpression" ...: how messages call it */
const char *expr_kind_name(enum expr_kind kind);

/** node_operator - "=", "BETWEEN", "AND" ... as messages write it; for a call its name */
struct slice node_operator(const struct node *n);

/** expr_blame - set the place of the failure just recorded; returns @r */
int expr_blame(struct call *c, size_t place, int r);

/* expr_fail - refuse an expression: "Invalid FilterExpression: ..." with the place to blame */
#define expr_fail(c, kind, place, fmt, ...) \
	expr_blame((c), (place), \
		   call_fail((c), ERR_VALIDATION, "Invalid %s: " fmt, expr_kind_name(kind), \
			     ##__VA_ARGS__))

/* ------------------------------------------------------------ the reader that the grammars of expr share */

struct parser {
	struct call *c;
	enum expr_kind kind;
	struct slice text;
	struct token token; /* the next one */
	size_t previous;    /* where the token before it begins; 0 at first */
	unsigned depth;     /* open parentheses and calls */
	unsigned operators; /* so far */
};

/**
 * parser_start - stand before the first token of @text
 *
 * Errors:  -ERR_VALIDATION  an empty expression, or one over 4 KB
 */
int parser_start(struct parser *p, struct call *c, enum expr_kind kind, struct slice text)
	__attribute__((warn_unused_result));

/** parser_advance - on to the next token */
void parser_advance(struct parser *p);

/** parser_quote - bytes @start..@end of the text */
struct slice parser_quote(const struct parser *p, size_t start, size_t end);

/** parser_error - refuse the next token; Return: -ERR_VALIDATION */
int parser_error(struct parser *p) __attribute__((warn_unused_result));

/** parser_expect - the next token must be a @type; on behind it */
int parser_expect(struct parser *p, enum token_type type) __attribute__((warn_unused_result));

#endif
