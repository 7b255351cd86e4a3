/*
 * find_store - resolves the name of a store, finds the store of a mount or a directory, and suggests another store
 *
 * Only the main thread calls these functions. find_store() sets environment variables, so no threads may exist yet.
 */
#ifndef TOOLS_SYSTEM_FIND_STORE_H
#define TOOLS_SYSTEM_FIND_STORE_H

#include "store/base/core/base.h"

/**
 * find_store_here - the store of the mount that contains the working directory; NULL if there is none
 *
 * Errors:  -ERR_ACCESS  it is another user's mount of a store that does not belong to that user
 */
int find_store_here(struct call *c, const char **out) must_check;

/** find_store_beside - the only store that is mounted on a subdirectory; NULL: none or several; Errors: as above */
int find_store_beside(struct call *c, const char **out) must_check;

/**
 * find_store_at - the store of the mount that contains @path; NULL if there is none
 * @path: need not exist: its deepest existing directory counts
 *
 * Errors: as above
 */
int find_store_at(struct call *c, const char *path, const char **out) must_check;

/**
 * find_store - resolve a name that was given by -s or ITEMFS_STORE
 * @name: a store or endpoint; a path in a mount, for the mount's store; a port or HOST:PORT; aws:REGION; or NAME of
 *        a section "[NAME]" in the settings file, with store= or endpoint=, region=, profile=. The last two go into
 *        the environment, where AWS clients look for them.
 * @out:  an argument of store_open(); @name itself if it is none of the others
 *
 * Errors:  -ERR_USAGE   the section has no store, endpoint or region
 *          -ERR_ACCESS  other users can write the settings file; or as find_store_here()
 */
int find_store(struct call *c, const char *name, const char **out) must_check;

/**
 * find_store_lone - the working directory if it is a store, else the only store in it
 *
 * Return: static memory, valid until the next call; NULL if there is none, several, or one that is not trusted
 */
const char *find_store_lone(void);

/** find_store_looks - return true if @word looks like a store: a path, NAME.db, NAME.store or NAME.itemfs */
bool find_store_looks(const char *word);

/** find_store_has - return true if there is a file or directory DIR/NAME */
bool find_store_has(const char *dir, const char *name);

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
