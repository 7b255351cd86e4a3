/* sql_text - splits SQL into statements, finds and replaces parts by lexemes, without a grammar; positions are byte offsets */
#ifndef TOOLS_TEXT_SQL_TEXT_H
#define TOOLS_TEXT_SQL_TEXT_H

#include "store/base/text/near.h"
#include "store/model/value.h"
#include "store/partiql/partiql_lex.h"

#include "tools/text/words.h"

struct sql_text {
	struct call *c;
	struct slice text; /* in the call's arena once it was changed */
};

/** sql_text_of - the bytes of the lexeme @at */
struct slice sql_text_of(struct slice text, struct lexeme at);

/* The verbs that SQL and PartiQL have in common */
#define SQL_TEXT_VERBS "SELECT INSERT UPDATE DELETE"

/** sql_text_is - return true if @at is one of the keywords @words, which are separated by blanks, in any case */
bool sql_text_is(struct slice text, struct lexeme at, const char *words);

/** sql_text_begins - return true if the first lexeme of @text is one of the keywords @words */
bool sql_text_begins(struct slice text, const char *words);

/** sql_text_near - the one of @words that is similar to @word; near.best is empty if none is */
struct near sql_text_near(struct slice word, const char *words);

/** sql_text_find - the first of the keywords @words from @from on, outside of brackets; LEXEME_END if there is none */
struct lexeme sql_text_find(struct slice text, size_t from, const char *words);

/** sql_text_path - start of the path that precedes @end, which is the start of a lexeme */
size_t sql_text_path(struct slice text, size_t end);

/** sql_text_close - end of the bracket that closes @open, or of the last lexeme if there is none */
size_t sql_text_close(struct slice text, struct lexeme open);

/** sql_text_end - end of the statement, without trailing blanks and semicolons */
size_t sql_text_end(struct slice text);

/** sql_text_cut - remove the bytes from @start to @end; offsets and lexemes that were found before become stale */
void sql_text_cut(struct sql_text *t, size_t start, size_t end);

/** sql_text_put - replace the bytes from @start to @end by formatted text; offsets become stale as above */
void sql_text_put(struct sql_text *t, size_t start, size_t end, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/** sql_text_string - the unescaped text of a literal in quotes; in the call's arena */
struct slice sql_text_string(struct call *c, struct slice literal);

/** sql_text_quoted - append @s as a literal in single quotes, or as a name in double quotes */
void sql_text_quoted(struct buf *out, struct slice s, char quote);

/** sql_text_name - find the name at or after @from: lexemes without blanks between them; false if there is none */
bool sql_text_name(struct slice text, size_t from, size_t *start, size_t *end);

/** sql_text_table - find the table's name as it was typed after FROM, INTO or UPDATE; false if there is none */
bool sql_text_table(struct slice text, size_t *start, size_t *end);

/** sql_text_explained - remove EXPLAIN [ANALYZE | VERBOSE | QUERY PLAN | PLAN FOR]; sets @explain if it is there */
struct slice sql_text_explained(struct slice statement, bool *explain);

/* ------------------------------------------------------------ several statements, separated by semicolons, or by GO on a line of its own */

/* A text and the position of the next statement. */
struct statements {
	struct slice text;
	size_t at;
};

/**
 * statements_next - the next statement, without its semicolon; empty statements are skipped
 * @questions: number of its parameters
 *
 * Return: false if there are no more
 */
bool statements_next(struct statements *s, struct slice *out, size_t *questions);

/**
 * statements_parameters - convert the words from @from on to values: Acme, 5, true, {"S":"5"}
 * @from: at most words->n
 *
 * JSON is read as in an item; any other word is a string.
 *
 * Errors:  -ERR_*  JSON that is not a value
 * Memory:  @c's
 */
int statements_parameters(struct call *c, const struct words *words, size_t from,
			  const struct value **out) must_check;

#endif
