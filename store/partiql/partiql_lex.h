/* partiql_lex - the words of a PartiQL statement */
#ifndef STORE_PARTIQL_PARTIQL_LEX_H
#define STORE_PARTIQL_PARTIQL_LEX_H

#include "store/base/core/slice.h"

enum lexeme_type {
	LEXEME_END,
	LEXEME_WORD,   /* a letter, '_' or '$', then digits too: a keyword or a name */
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
	LEXEME_OTHER,  /* one byte that begins nothing, or the quote of what has no end */
};

struct lexeme {
	enum lexeme_type type;
	size_t start; /* offset of its first byte */
	size_t end;   /* offset behind its last byte */
};

/** lex - the lexeme at or behind offset @from, comments and blanks skipped */
struct lexeme lex(struct slice text, size_t from);

/** lex_reserved - is @word one of SQL's or PartiQL's, in any case?  As a name it wants quotes */
bool lex_reserved(struct slice word);

#endif
