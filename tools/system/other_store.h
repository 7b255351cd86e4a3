/* other_store - parser of STORE[/TABLE] and STORE/PATH, for another store than that of -s */
#ifndef TOOLS_SYSTEM_OTHER_STORE_H
#define TOOLS_SYSTEM_OTHER_STORE_H

#include "store/base/core/base.h"

#define OTHER_STORE_ALL "*" /* instead of a table's name: all tables */

struct other_store {
	const char *store;
	struct slice table; /* empty if none was given */
};

/**
 * other_store_split - split STORE[/TABLE]; STORE may be a section of the settings file
 *
 * Errors:  as find_store()
 * Memory:  the call's arena and @name
 */
int other_store_split(struct call *c, const char *name, struct other_store *out) must_check;

/**
 * other_store_target - as other_store_split(), for the target of a copy of a table of @own
 *
 * A name without a slash, a colon or ".db" is a table of @own, unless it is a store or a section of the settings.
 */
int other_store_target(struct call *c, const char *own, const char *name, struct other_store *out)
	must_check;

/**
 * other_store_table - split STORE/TABLE or the name of an endpoint that was typed as a table
 * @given: the store that is already chosen, or NULL
 * @table: the rest after STORE, which may be TABLE and a key; empty for an endpoint without a table
 *
 * Return: the store; NULL if @word is neither, or if its store is not @given
 * Memory:  the call's arena and @word
 */
const char *other_store_table(struct call *c, const char *word, const char *given,
			      struct slice *table);

/**
 * other_store_endpoint - Return: length of the endpoint, http[s]://HOST[:PORT] or dynamodb:REGION, with which @word
 * begins; store_is_remote(@word) is true
 */
size_t other_store_endpoint(const char *word);

/**
 * other_store_path - split STORE/PATH, where STORE is a store's directory, the URL of a server, or dynamodb:REGION
 * @path: the rest, which may be empty
 *
 * Return: the store; NULL if @word does not begin with one, or is an existing file
 * Memory:  the call's arena and @word
 */
const char *other_store_path(struct call *c, const char *word, struct slice *path);

/** other_store_is - return true if the directory @name is a store */
bool other_store_is(struct call *c, struct slice name);

/** other_store_same - return true if @a and @b are names of the same store */
bool other_store_same(const char *a, const char *b);

#endif
