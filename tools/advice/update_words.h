/* update_words - update expressions in several words or options, updates of the key, and corrections */
#ifndef TOOLS_ADVICE_UPDATE_WORDS_H
#define TOOLS_ADVICE_UPDATE_WORDS_H

#include "tools/session/ctl.h"
#include "tools/text/sql_text.h"

enum { UPDATE_CLAUSES = 4 }; /* --set, --add, --remove, --append */

/**
 * update_words_join - join an expression in several words, or in options, to one word, the last one of *@words
 * @clauses: values of --set, --add, --remove and --append; NULL: not given
 * @words:   TABLE, keys, expression; replaced by words in the call's arena, or unchanged
 *
 * The shell has removed the quotes of the words: if a text lacks them, fails with the corrected line.
 * Errors:  -ERR_USAGE
 */
int update_words_join(struct ctl *ctl, struct call *c, const char *const clauses[UPDATE_CLAUSES],
		      const struct words **words) must_check;

/**
 * update_words_key - append the commands that replace an item by one with another key
 * @expression: would change the key of the item that @words name
 * @c:          has the error "Cannot update attribute NAME. ..."
 */
void update_words_key(const struct words *words, struct slice expression, const struct call *c,
		      struct buf *out);

/**
 * update_mend_json - append the members of '{"a":1}' or '{"$set":{"a":1}}' as an expression with SET
 *
 * Return: false: not JSON, or a name or value that SET cannot have; @out then has useless text
 */
bool update_mend_json(struct call *own, struct slice text, struct buf *out);

/**
 * update_words_lists - correct the first such operator after SET in a statement
 *
 * n++ becomes n + 1; || + += and array_append() of lists become list_append(a, [b]).
 */
void update_words_lists(struct sql_text *t);

/**
 * update_words_meant - append the typed line with a corrected update: JSON, += or "5"
 * @c: has the error of the update
 *
 * Return: false: there is no correction, and nothing is appended
 */
bool update_words_meant(const struct call *c, struct slice expression, struct buf *out);

#endif
