/* why_clause - names of the mount that begin with a dot, and similar words of other tools */
#ifndef STORE_ENGINE_WHY_CLAUSE_H
#define STORE_ENGINE_WHY_CLAUSE_H

#include "store/base/core/base.h"

/** why_clause_is - return true if @name is a clause, a generated file, or another name that the mount does not list */
bool why_clause_is(struct slice name);

/** why_clause_is_sort - return true if @name is a condition on the sort key */
bool why_clause_is_sort(struct slice name);

/** why_clause_awaits - return true if the component after @name is its value */
bool why_clause_awaits(struct slice name);

/**
 * why_clause_none - explain a name that is no clause: another tool's word, a value after "=", or a spelling mistake
 * @name:  begins with a dot
 * @value: a value follows
 * @out:   the sentence is appended
 * @by:    empty; the clause that is meant is appended, without its value; nothing if it is not known
 */
void why_clause_none(struct slice name, bool value, struct buf *out, struct buf *by);

/** why_clause_bare - do the same for a clause, or another tool's word for one, without its dot; false: it is none */
bool why_clause_bare(struct slice name, bool value, struct buf *out, struct buf *by);

/**
 * why_clause_unfinished - explain a path that exists, but ends with a clause @name that needs a value
 * @before: the component before @name
 * @out:    the sentence is appended
 * @by:     empty; the two values of .between are appended if @name is both of them
 *
 * Return: false, with nothing appended, if @name needs no value
 */
bool why_clause_unfinished(struct slice before, struct slice name, struct buf *out, struct buf *by);

/** why_clause_text - append a sentence if @name is a generated file; else return false */
bool why_clause_text(struct slice name, struct buf *out);

#endif
