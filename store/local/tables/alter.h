/*
 * alter - changing what is declared of a table: one funnel, as writes have theirs
 *
 * The definition and whatever the change writes beside it are one commit; the
 * catalog follows, and who was bound to the old schema binds again.
 */
#ifndef STORE_LOCAL_TABLES_ALTER_H
#define STORE_LOCAL_TABLES_ALTER_H

#include "store/local/commit/txn.h"
#include "store/local/records/local_int.h"

struct alteration {
	/*
	 * In the leader's thread.  @s: a copy of the present schema, in @c's arena, to be changed.
	 * Return: 0; < 0: refused, nothing changes.
	 */
	int (*change)(struct txn *t, struct call *c, struct schema *s, void *arg);
	/* The catalog has the new schema, @s; may be NULL. */
	void (*committed)(const struct schema *s, void *arg);
	void *arg;
	bool even_creating; /* a table that nobody else can see yet, too */
};

/**
 * alter_table - read, change and write a table's definition, durably
 * @out: the table as it is then; may be NULL
 *
 * Errors:  what change() answers;  -ERR_NO_TABLE  with the table's name;  as txn_run()
 * Thread:  any
 */
int alter_table(struct local *l, struct call *c, struct slice table, const struct alteration *a,
		struct table_info *out) __attribute__((warn_unused_result));

#endif
