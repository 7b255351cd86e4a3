/* partiql_lex - lexemes of a PartiQL statement, and reserved words */
#ifndef STORE_PARTIQL_PARTIQL_LEX_H
#define STORE_PARTIQL_PARTIQL_LEX_H

#include "store/base/core/base.h"

enum lexeme_type {
	LEXEME_END,
	LEXEME_WORD, /* a keyword or a name: letters, digits, '_', '$'; not beginning with a digit */
	LEXEME_QUOTED, /* "...": a name; "" inside is " */
	LEXEME_STRING, /* '...': a value; '' inside is ' */
	LEXEME_NUMBER, /* without a sign */
	LEXEME_EQ,
	LEXEME_NE, /* <> and != */
	LEXEME_LT,
	LEXEME_LE,
	LEXEME_GT,
	LEXEME_GE,
	LEXEME_OPEN, /* ( */
	LEXEME_CLOSE,
	LEXEME_LEFT, /* [ */
	LEXEME_RIGHT,
	LEXEME_TUPLE, /* { */
	LEXEME_TUPLE_END,
	LEXEME_BAG, /* << */
	LEXEME_BAG_END,
	LEXEME_COMMA,
	LEXEME_DOT,
	LEXEME_COLON,
	LEXEME_SEMICOLON,
	LEXEME_PARAMETER, /* ? */
	LEXEME_STAR,
	LEXEME_PLUS,
	LEXEME_MINUS,
	LEXEME_SLASH,
	LEXEME_PERCENT,
	LEXEME_CONCAT, /* || */
	LEXEME_OTHER, /* a byte that begins no lexeme, or the start of a text or comment without end */
};

struct lexeme {
	enum lexeme_type type;
	size_t start; /* offset of its first byte */
	size_t end;   /* offset after its last byte */
};

/** lex - Return: the first lexeme at or after offset @from, at most text.len; skips comments and white space */
struct lexeme lex(struct slice text, size_t from);

/** lex_reserved - Return: whether @word, in any case, is reserved, so that it must be quoted as a name */
bool lex_reserved(struct slice word);

#endif
