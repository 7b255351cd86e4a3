/* ldb_damage - finds damaged table files of a database; messages of LevelDB as errors */
#ifndef STORE_KV_LDB_DAMAGE_H
#define STORE_KV_LDB_DAMAGE_H

#include "store/kv/ldb_manifest.h"

/**
 * ldb_damage_feet - check that each table file exists and has a valid end, before LevelDB opens it
 *
 * @intact: set to true unless a file that exists is damaged or cannot be read
 *
 * LevelDB takes wrong numbers there for sizes of memory, and aborts.
 * Errors:  -ERR_CORRUPT, with the names of the files
 */
int ldb_damage_feet(struct call *c, struct ldb_dir dir, const struct ldb_manifest *m, bool *intact)
	must_check;

/* ------------------------------------------------------------ messages of LevelDB */

/* The name under which LevelDB opens its directory; the number of a descriptor follows. */
#define LDB_PINNED "/proc/self/fd/"

enum { LDB_PINNED_BYTES = 32 };

/** ldb_free_text - free a text from LevelDB, or NULL; for cleanup() */
void ldb_free_text(char **text);

/**
 * ldb_fail - record LevelDB's message @why as an error
 * @dir: the database if it is open, otherwise NULL
 *
 * LevelDB does not name damaged files. So an error about damage in an open database has the command that names them.
 * One that cannot be opened cannot be checked either: its error has the command that restores a backup.
 * Return: -ERR_CORRUPT, -ERR_NO_SPACE, -ERR_IO
 */
int ldb_fail(struct call *c, const char *dir, const char *why);

#endif
