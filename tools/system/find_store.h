/* find_store - which store is meant: that of a mount, one with a name of its own */
#ifndef TOOLS_SYSTEM_FIND_STORE_H
#define TOOLS_SYSTEM_FIND_STORE_H

#include "store/base/core/buf.h"
#include "store/base/core/call.h"

/**
 * find_store_here - the store of the mount in which the working directory is; NULL: it is in none
 *
 * Errors:  -ERR_ACCESS  another user's mount names what is not his
 */
int find_store_here(struct call *c, const char **out) __attribute__((warn_unused_result));

/** find_store_beside - the only store that is mounted on a directory in this one; NULL: none, or several; Errors: likewise */
int find_store_beside(struct call *c, const char **out) __attribute__((warn_unused_result));

/** find_store_at - the store of the mount that @path is in, as far as its directories are there; NULL: it is in none; Errors: likewise */
int find_store_at(struct call *c, const char *path, const char **out)
	__attribute__((warn_unused_result));

/**
 * find_store - what a name given by -s or ITEMFS_STORE stands for
 * @name: a store or endpoint; a path in a mount: the mount's store; NAME: of "[NAME]" in the file of settings, with
 *        store= or endpoint=, region=, profile= (then in the environment, where AWS clients look)
 * @out:  what store_open() takes; @name itself where it is nothing of that
 *
 * Errors:  -ERR_USAGE   the settings of NAME have no store
 *          -ERR_ACCESS  others can write the file of settings; another user's mount names what is not his
 */
int find_store(struct call *c, const char *name, const char **out)
	__attribute__((warn_unused_result));

/** find_store_lone - the only store in the working directory, or this itself, in memory of its own, until the next one; NULL: none, several, or one that is not trusted */
const char *find_store_lone(void);

/** find_store_looks - is @word written as a store is, a path or NAME.db, and as no table? */
bool find_store_looks(const char *word);

/**
 * find_store_meant - append a line that helps where the store could not be opened
 * @store: that is none, or not there; NULL: none was named
 * @makes: the command makes one where there is none
 *
 * Return: false: there is no only store in that directory or beside, and none with a near name; nothing is appended
 */
bool find_store_meant(struct buf *out, const char *store, bool makes);

/** find_store_has - is there a file or folder DIR/NAME? */
bool find_store_has(const char *dir, const char *name);

#endif
