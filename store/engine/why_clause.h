/* why_clause - the names that begin with a dot: those there are, and what other tools call them */
#ifndef STORE_ENGINE_WHY_CLAUSE_H
#define STORE_ENGINE_WHY_CLAUSE_H

#include "store/base/core/buf.h"

/** why_clause_is - is @name a clause, a text, or another name that a mount answers to without listing it? */
bool why_clause_is(struct slice name);

/** why_clause_is_sort - is it a condition on the sort key? */
bool why_clause_is_sort(struct slice name);

/** why_clause_awaits - is the component behind it a value? */
bool why_clause_awaits(struct slice name);

/**
 * why_clause_none - append a sentence on a name that is no clause: another tool's word, a value behind "=", or a slip
 * @value: a value is behind it
 * @by:    appended: the clause that is meant, without that value; nothing: not known
 */
void why_clause_none(struct slice name, bool value, struct buf *out, struct buf *by);

/** why_clause_bare - likewise if @name is a clause, or another tool's word for one, without its dot; else false */
bool why_clause_bare(struct slice name, bool value, struct buf *out, struct buf *by);

/**
 * why_clause_unfinished - append a sentence if a path that is there ends with @name and asks for nothing yet; else false
 * @before: the component in front of @name
 * @by:     appended: the two values of .between, if @name is both; else nothing
 */
bool why_clause_unfinished(struct slice before, struct slice name, struct buf *out, struct buf *by);

/** why_clause_text - append a sentence if @name is a text made on reading; else false */
bool why_clause_text(struct slice name, struct buf *out);

#endif
