/* tables - functions that the operations on tables share */
#ifndef STORE_LOCAL_TABLES_TABLES_H
#define STORE_LOCAL_TABLES_TABLES_H

#include "store/local/commit/txn.h"
#include "store/local/records/local_int.h"

/** fail_no_table - fail with the message of operations on the table itself: -ERR_NO_TABLE */
int fail_no_table(struct call *c, struct slice table) must_check;

/**
 * fail_no_such_table - fail with the message of operations on backups and exports: -ERR_NO_SUCH_TABLE
 * @table: exports pass its ARN
 */
int fail_no_such_table(struct call *c, struct slice table) must_check;

/** fail_in_use - the table, or an index of it, is being @doing, e.g. "created": -ERR_TABLE_CHANGING */
int fail_in_use(struct call *c, struct slice table, const char *doing) must_check;

/** table_write - put the definition of @s into the operation's batch */
void table_write(struct txn *t, struct call *c, const struct schema *s);

/** table_publish - report to the feed that the table was created or dropped: readers forget what they know of it */
void table_publish(struct txn *t, struct call *c, struct slice table);

/** table_altered - report to the feed that the definition has changed; @seq: sequence number of the change */
void table_altered(struct txn *t, struct call *c, struct slice table, uint64_t seq);

enum table_status table_status(const struct schema *s);

/**
 * table_totals - counts of the table (@ix NULL) or of its index @ix
 * @at:  NULL: the newest state
 * @out: all zero if nothing is stored
 *
 * Return:  0, -ERR_IO, -ERR_CORRUPT
 */
int table_totals(struct local *l, struct call *c, struct kv_snapshot *at, const struct schema *s,
		 const struct index *ix, struct totals *out) must_check;

/** table_describe - set @out to @s with its counts as of this point of the transaction */
int table_describe(struct txn *t, struct call *c, const struct schema *s, struct table_info *out)
	must_check;

/** table_check - validate the definition of a CreateTable; @out: the definition;  Return: 0, -ERR_VALIDATION */
int table_check(struct call *c, const struct create_table_in *in, struct schema *out) must_check;

/**
 * table_create - create a table; sets ids and times
 * @s:      checked with table_check()
 * @before: runs first in the same operation of the queue; may be NULL.  If it returns non-zero, no table is
 *          created and table_create() returns that
 *
 * Return:  0; results > 0 of before()
 * Errors:  those of before();  -ERR_TABLE_IN_USE  a table of this name exists;  those of txn_run()
 */
typedef int table_before_fn(struct txn *t, struct call *c, const struct schema *s, void *arg);
int table_create(struct local *l, struct call *c, const struct schema *s, table_before_fn *before,
		 void *arg, struct table_info *out) must_check;

/** table_give_up - drop a table that was not filled completely, even if it is still being created */
int table_give_up(struct local *l, struct call *c, struct slice table) must_check;

#endif
