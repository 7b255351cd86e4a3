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

struct alteration {
	/*
	 * Changes @s, a copy of the current schema in @c's arena.  Runs in the commit leader's thread.
	 * Return: 0; < 0: refused, nothing changes.
	 */
	int (*change)(struct txn *t, struct call *c, struct schema *s, void *arg);

	void *arg;
	bool even_creating; /* allow a table that is still being created */
};

/**
 * alter_table - read, change and write a table's definition; the commit is synced
 * @table: name or ARN
 * @out:   the table after the change; may be NULL
 *
 * Return:  0
 * Errors:  those of change();  -ERR_NO_TABLE  with the table's name;  -ERR_TABLE_CHANGING  it is being created;
 *          those of txn_run()
 * Thread:  any
 */
int alter_table(struct local *l, struct call *c, struct slice table, const struct alteration *a,
		struct table_info *out) must_check;

#endif
