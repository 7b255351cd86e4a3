/* tables - what operations on tables share */
#ifndef STORE_LOCAL_TABLES_H
#define STORE_LOCAL_TABLES_H

#include "store/local/txn.h"

/** fail_no_table - a table's longer message, for operations on the table itself */
int fail_no_table(struct call *c, struct slice table) __attribute__((warn_unused_result));

/** table_write - the definition of @s, to the batch */
void table_write(struct txn *t, struct call *c, const struct schema *s);

/** table_publish - the feed's word for "forget this table" */
void table_publish(struct txn *t, struct call *c, struct slice table);

/** table_describe - @s with the numbers that it has within the transaction */
int table_describe(struct txn *t, struct call *c, const struct schema *s, enum table_status status,
		   struct table_info *out) __attribute__((warn_unused_result));

#endif
