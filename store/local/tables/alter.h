/*
 * alter - changes of table definitions
 *
 * Every change of an existing definition goes through alter_table().  The definition and
 * whatever else the change writes are one commit.  Then the catalog is updated, and
 * operations that were bound to the old schema bind again.
 */
#ifndef STORE_LOCAL_TABLES_ALTER_H
#define STORE_LOCAL_TABLES_ALTER_H

#include "store/local/commit/txn.h"
#include "store/local/records/local_int.h"

/*
 * Changes @s, a copy of the current schema in @c's arena.  Runs in the commit leader's thread.
 * Return: 0; < 0: refused, nothing changes.
 */
typedef int alter_fn(struct txn *t, struct call *c, struct schema *s, void *arg);

/**
 * alter_table - read, change and write a table's definition; the commit is synced
 * @table: name or ARN
 * @arg:   of @change
 * @out:   the table after the change; may be NULL
 *
 * Return:  0
 * Errors:  those of change();  -ERR_NO_TABLE  with the table's name;  -ERR_TABLE_CHANGING  it is being created;
 *          those of txn_run()
 * Thread:  any
 */
int alter_table(struct local *l, struct call *c, struct slice table, alter_fn *change, void *arg,
		struct table_info *out) must_check;

/**
 * alter_complete - make a table visible that a restore or an import has filled; the commit is synced
 * @also: changes something else in the same commit
 *
 * Return, Errors, Thread:  as alter_table()
 */
int alter_complete(struct local *l, struct call *c, struct slice table, alter_fn *also, void *arg)
	must_check;

#endif
