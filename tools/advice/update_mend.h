/* update_mend - corrections of update expressions: JSON patches, +=, ++, quoted numbers, operators of lists */
#ifndef TOOLS_ADVICE_UPDATE_MEND_H
#define TOOLS_ADVICE_UPDATE_MEND_H

#include "tools/session/ctl.h"
#include "tools/text/sql_text.h"

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
