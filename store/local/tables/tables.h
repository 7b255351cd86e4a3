/* tables - what operations on tables share */
#ifndef STORE_LOCAL_TABLES_TABLES_H
#define STORE_LOCAL_TABLES_TABLES_H

#include "store/local/commit/txn.h"
#include "store/local/records/local_int.h"

/** fail_no_table - a table's longer message, for operations on the table itself */
int fail_no_table(struct call *c, struct slice table) __attribute__((warn_unused_result));

/** fail_no_such_table - in the words of operations on backups; exports name it by its ARN */
int fail_no_such_table(struct call *c, struct slice table) __attribute__((warn_unused_result));

/** fail_in_use - the table, or an index of it, is being "created" or "updated": -ERR_TABLE_CHANGING */
int fail_in_use(struct call *c, struct slice table, const char *doing)
	__attribute__((warn_unused_result));

/** table_write - the definition of @s, to the batch */
void table_write(struct txn *t, struct call *c, const struct schema *s);

/** table_publish - the feed's word for "forget this table" */
void table_publish(struct txn *t, struct call *c, struct slice table);

/** table_altered - likewise for "look at its definition again"; @seq: the change's number */
void table_altered(struct txn *t, struct call *c, struct slice table, uint64_t seq);

/** table_uses - is @name in a key of the table or of one of its indexes? Then it has this type. */
bool table_uses(const struct schema *s, struct slice name, enum value_type *type);

enum table_status table_status(const struct schema *s);

/** table_totals - of @s (@ix NULL) or an index of it, in a snapshot or now (@at NULL); Errors: -ERR_IO, -ERR_CORRUPT */
int table_totals(struct local *l, struct call *c, struct kv_snapshot *at, const struct schema *s,
		 const struct index *ix, struct totals *out) __attribute__((warn_unused_result));

/** table_describe - @s with the numbers that it has within the transaction */
int table_describe(struct txn *t, struct call *c, const struct schema *s, struct table_info *out)
	__attribute__((warn_unused_result));

/** table_check - everything that CreateTable demands of a definition; @out: the definition; Errors: -ERR_VALIDATION */
int table_check(struct call *c, const struct create_table_in *in, struct schema *out)
	__attribute__((warn_unused_result));

/**
 * table_create - make a table of a definition that has been checked; ids and times are set here
 * @before: runs in the same operation of the queue, and may refuse; may be NULL.  What it answers above 0 is
 *          answered, and no table made
 *
 * Errors:  those of before();  -ERR_TABLE_IN_USE  there is one of its name;  as txn_run()
 */
typedef int table_before_fn(struct txn *t, struct call *c, const struct schema *s, void *arg);
int table_create(struct local *l, struct call *c, const struct schema *s, table_before_fn *before,
		 void *arg, struct table_info *out) __attribute__((warn_unused_result));

/** table_give_up - drop a table that was not filled to its end */
int table_give_up(struct local *l, struct call *c, struct slice table)
	__attribute__((warn_unused_result));

#endif
