/* update_words - an update's expression in several words or options, and one that would change the key */
#ifndef TOOLS_ADVICE_UPDATE_WORDS_H
#define TOOLS_ADVICE_UPDATE_WORDS_H

#include "tools/session/ctl.h"
#include "tools/text/sql_text.h"

enum { UPDATE_CLAUSES = 4 }; /* SET, ADD, REMOVE, and what is appended to lists */

/**
 * update_words_join - an expression whose words stand apart, or that options have, as the last one of *@words
 * @clauses: of --set, --add, --remove and --append; NULL: not given
 *
 * Words of an expression have lost their quotes to the shell: where one lacks them, it fails with the right line.
 * Errors:  -ERR_USAGE
 */
int update_words_join(struct ctl *ctl, struct call *c, const char *const clauses[UPDATE_CLAUSES],
		      const struct words **words) __attribute__((warn_unused_result));

/** update_words_key - append what is done instead, after the error that @expression would change the key of the item that @words name */
void update_words_key(const struct words *words, struct slice expression, const struct call *c,
		      struct buf *out);

/** update_words_lists - in the changes behind SET: n++, and || + += and array_append() of lists, as n + 1 and list_append(a, [b]) */
void update_words_lists(struct sql_text *t);

/** update_words_meant - append the typed line with an update that was JSON, or has += or "5", put right; else false */
bool update_words_meant(const struct call *c, struct slice expression, struct buf *out);

#endif
