/*
 * parser - the reader that the grammars of expr share: tokens, syntax errors, document paths
 *
 * The first token that nothing can continue with is the one to blame; DynamoDB
 * quotes it with its two neighbours.
 */
#ifndef STORE_EXPR_PARSER_H
#define STORE_EXPR_PARSER_H

#include "store/expr/ast.h"
#include "store/expr/lex.h"

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
