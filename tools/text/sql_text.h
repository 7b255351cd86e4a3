/* sql_text - the text of a statement of SQL: its parts are found and replaced by their lexemes, without a grammar */
#ifndef TOOLS_TEXT_SQL_TEXT_H
#define TOOLS_TEXT_SQL_TEXT_H

#include "store/base/core/call.h"
#include "store/base/text/near.h"
#include "store/partiql/partiql_lex.h"

struct sql_text {
	struct call *c;
	struct slice text; /* in the call's arena once it was changed */
};

/** sql_text_of - the bytes of @at */
struct slice sql_text_of(struct slice text, struct lexeme at);

/* The verbs that have a statement in PartiQL, too. */
#define SQL_TEXT_VERBS "SELECT INSERT UPDATE DELETE"

/** sql_text_is - is @at one of the keywords @words, which have blanks between them? */
bool sql_text_is(struct slice text, struct lexeme at, const char *words);

/** sql_text_near_verb - the verb that is near @word; near.best is empty: none is */
struct near sql_text_near_verb(struct slice word);

/** sql_text_find - the first of the keywords @words at or behind @from, outside of brackets; LEXEME_END: it is not there */
struct lexeme sql_text_find(struct slice text, size_t from, const char *words);

/** sql_text_path - where the path begins that ends before @end, which is a lexeme's start */
size_t sql_text_path(struct slice text, size_t end);

/** sql_text_close - behind the bracket that closes the one at @open, or behind the last lexeme */
size_t sql_text_close(struct slice text, struct lexeme open);

/** sql_text_end - where the statement ends: before its semicolons and blanks, if it has some */
size_t sql_text_end(struct slice text);

/** sql_text_cut - what stands from @start to @end goes */
void sql_text_cut(struct sql_text *t, size_t start, size_t end);

/** sql_text_put - what stands from @start to @end becomes this */
void sql_text_put(struct sql_text *t, size_t start, size_t end, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/** sql_text_string - the text of a literal in single quotes, unescaped; in the call's arena */
struct slice sql_text_string(struct call *c, struct slice literal);

/** sql_text_quoted - append it as a literal in single quotes, or as a name in double ones */
void sql_text_quoted(struct buf *out, struct slice s, char quote);

/** sql_text_name - the name at or behind @from: lexemes without blanks between them; false: there is none */
bool sql_text_name(struct slice text, size_t from, size_t *start, size_t *end);

/** sql_text_table - the name of the statement's table as it was typed, behind FROM, INTO or UPDATE; false: none */
bool sql_text_table(struct slice text, size_t *start, size_t *end);

/** sql_text_explained - without EXPLAIN [ANALYZE | VERBOSE | QUERY PLAN | PLAN FOR], which sets @explain */
struct slice sql_text_explained(struct slice statement, bool *explain);

#endif
