/*
 * ldb_shadow - a LevelDB that can only be read is opened as a copy of what opening would write
 *
 * To open a LevelDB its logs are written as tables and a new manifest is begun, which a full or
 * read-only disk does not allow.  Then a private directory in memory gets copies of logs and
 * manifest and links to the tables, and LevelDB opens that.  Nothing of the original is changed.
 */
#ifndef STORE_KV_LDB_SHADOW_H
#define STORE_KV_LDB_SHADOW_H

#include "store/base/core/call.h"
#include "store/base/system/temporary.h"

struct ldb_shadow {
	struct temporary at; /* without a path and descriptor: there is none */
	char *why;           /* nothing can be written, on the heap */
};

/**
 * ldb_shadow_needed - can the database in @dir not be opened to be written?
 * @dir: its name;  @fd: of it
 *
 * Return: why not, in the memory of the call; NULL: it can, or there is none
 */
const char *ldb_shadow_needed(struct call *c, const char *dir, int fd);

/**
 * ldb_shadow_make - the directory, whose files of earlier processes that have ended are removed before
 *
 * Errors:  -ERR_NO_SPACE, -ERR_IO  there is no place for it: @why, and what helps
 */
int ldb_shadow_make(struct call *c, const char *dir, int fd, const char *why,
		    struct ldb_shadow *out) __attribute__((warn_unused_result));

/**
 * ldb_shadow_freeze - LevelDB, which has opened it, makes no more tables there
 *
 * Else its compactions would copy the whole database to memory in time.
 */
void ldb_shadow_freeze(const struct ldb_shadow *s);

/** ldb_shadow_remove - the directory and its memory, if there is one */
void ldb_shadow_remove(struct ldb_shadow *s);

#endif
