/*
 * ldb_shadow - a temporary copy through which a database on a full or read-only disk is opened
 *
 * When LevelDB opens a database, it writes the logs as tables and begins a new manifest. A full or read-only disk does
 * not allow that. Then LevelDB opens a private directory with copies of logs and manifest and links to the tables. The
 * original is not changed.
 */
#ifndef STORE_KV_LDB_SHADOW_H
#define STORE_KV_LDB_SHADOW_H

#include "store/base/system/temporary.h"

struct ldb_shadow {
	struct temporary at; /* path NULL and fd -1: there is no copy */
	char *why;           /* why the database is read-only, on the heap */
};

/**
 * ldb_shadow_needed - check whether the database in @dir cannot be opened for writing
 * @dir: its path
 * @fd:  its descriptor
 *
 * Return: the reason, a literal or in the call's arena; NULL if it can be opened, or there is no database
 */
const char *ldb_shadow_needed(struct call *c, const char *dir, int fd);

/**
 * ldb_shadow_make - copy logs and manifest of a database, after removing copies of processes that have ended
 * @fd:  of its directory; must stay open as long as the copy
 * @why: of ldb_shadow_needed()
 * @out: pair with ldb_shadow_remove(), also after an error
 *
 * Errors:  -ERR_NO_SPACE, -ERR_IO; the message begins with @why
 */
int ldb_shadow_make(struct call *c, int fd, const char *why, struct ldb_shadow *out) must_check;

/**
 * ldb_shadow_link - link the tables that the manifest of the copy names, after ldb_recover()
 * @dir: path of the database
 * @fd:  as for ldb_shadow_make()
 *
 * Other tables are not linked: LevelDB may use their numbers for new tables, and would write through the links.
 *
 * Errors:  -ERR_CORRUPT, -ERR_IO
 */
int ldb_shadow_link(struct call *c, const char *dir, int fd, const struct ldb_shadow *s) must_check;

/**
 * ldb_shadow_freeze - prevent LevelDB, which has opened the copy, from writing more tables there
 *
 * Otherwise compactions would in time copy the whole database.
 */
void ldb_shadow_freeze(const struct ldb_shadow *s);

/** ldb_shadow_remove - remove the directory and free, if there is a copy */
void ldb_shadow_remove(struct ldb_shadow *s);

#endif
