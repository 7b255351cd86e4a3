/* find_store_hints - a suggestion for a store that could not be opened, or that was not named */
#ifndef TOOLS_SYSTEM_FIND_STORE_HINTS_H
#define TOOLS_SYSTEM_FIND_STORE_HINTS_H

#include "store/base/core/buf.h"

/**
 * find_store_meant - append a command line that helps
 * @store: the name that is not a store or does not exist; NULL: none was given
 * @makes: the command creates a store if there is none
 *
 * It suggests a store in the directory, one with a similar name, a URL, or an import of the file @store.
 * Return: false, and nothing is appended, if there is no suggestion
 */
bool find_store_meant(struct buf *out, const char *store, bool makes);

#endif
