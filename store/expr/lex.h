/* lex - tokens of an expression */
#ifndef STORE_EXPR_LEX_H
#define STORE_EXPR_LEX_H

#include "store/base/core/base.h"

enum token_type {
	TOKEN_END,
	TOKEN_NAME,  /* letter, then letters, digits, '_' */
	TOKEN_ALIAS, /* '#' and at least one letter, digit, '_' */
	TOKEN_VALUE, /* ':' and at least one letter, digit, '_' */
	TOKEN_INDEX, /* 0, or digits without a leading zero */
	TOKEN_AND,   /* keywords in any case */
	TOKEN_OR,
	TOKEN_NOT,
	TOKEN_IN,
	TOKEN_BETWEEN,
	TOKEN_SET, /* verbs of updates; keywords in all kinds of expressions */
	TOKEN_ADD,
	TOKEN_REMOVE,
	TOKEN_DELETE,
	TOKEN_EQ, /* = */
	TOKEN_NE, /* <> */
	TOKEN_LT,
	TOKEN_LE,
	TOKEN_GT,
	TOKEN_GE,
	TOKEN_OPEN, /* ( */
	TOKEN_CLOSE,
	TOKEN_LEFT, /* [ */
	TOKEN_RIGHT,
	TOKEN_COMMA,
	TOKEN_DOT,
	TOKEN_PLUS,
	TOKEN_MINUS,
	TOKEN_OTHER, /* one character that begins no token */
};

struct token {
	enum token_type type;
	size_t start; /* offset of its first byte */
	size_t end;   /* offset after its last byte; TOKEN_END: start == end == text.len */
};

/** lex_token - the first token at or after offset @from <= text.len; blanks are space, tab, CR, LF */
struct token lex_token(struct slice text, size_t from);

/** lex_keyword - TOKEN_AND ... TOKEN_DELETE for a keyword, ignoring case; else TOKEN_NAME */
enum token_type lex_keyword(struct slice word);

#endif
