/* update_words - update expressions in several words or options, and updates of the key */
#ifndef TOOLS_ADVICE_UPDATE_WORDS_H
#define TOOLS_ADVICE_UPDATE_WORDS_H

#include "tools/session/ctl.h"

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

#endif
