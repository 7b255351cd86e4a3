/* other_store - STORE[/TABLE]: a table that is not in the store of -s */
#ifndef TOOLS_SYSTEM_OTHER_STORE_H
#define TOOLS_SYSTEM_OTHER_STORE_H

#include "store/base/core/call.h"

#define OTHER_STORE_ALL "*" /* in the place of a table to copy */

struct other_store {
	const char *store;
	struct slice table; /* empty: none is named */
};

/**
 * other_store_split - cut STORE[/TABLE]; STORE may be a name of the file of settings
 *
 * Errors:  as find_store()
 * Memory:  the call's arena and @name
 */
int other_store_split(struct call *c, const char *name, struct other_store *out)
	__attribute__((warn_unused_result));

/**
 * other_store_target - likewise where a copy of a table of @own goes
 *
 * A name without a slash, a colon and ".db" is a table of @own, unless a store of that name is there or the file of settings has it.
 */
int other_store_target(struct call *c, const char *own, const char *name, struct other_store *out)
	__attribute__((warn_unused_result));

/**
 * other_store_table - STORE/TABLE or a server's URL, in the place of a table
 * @given: the store that was named before; NULL: none
 * @table: gets the table; empty: a URL has none
 *
 * Return: the store; NULL: @word is no such thing, or of another store than @given
 * Memory:  the call's arena and @word
 */
const char *other_store_table(struct call *c, const char *word, const char *given,
			      struct slice *table);

/** other_store_is - is the directory @name a store? */
bool other_store_is(struct call *c, struct slice name);

/** other_store_same - do two names stand for one store? */
bool other_store_same(const char *a, const char *b);

#endif
