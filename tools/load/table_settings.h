/* table_settings - the members of a table's definition beside keys, indexes and streams: told of, compared, changed */
#ifndef TOOLS_LOAD_TABLE_SETTINGS_H
#define TOOLS_LOAD_TABLE_SETTINGS_H

#include "tools/load/model.h"

struct ctl;

/**
 * definition_tags - those of a table into @out, unless it has them: a server tells them to who asks for them alone
 * @arn:     of the table; empty: a store of our own, whose schema has all
 * @are_not: what is told of them when they may not be seen, as "are not copied"
 *
 * Of a server that has none there are none.
 */
int definition_tags(struct ctl *ctl, struct call *c, struct slice arn, const char *are_not,
		    struct schema *out) __attribute__((warn_unused_result));

/**
 * definition_check - can the table @now become like @wanted?
 *
 * Errors:  -ERR_USAGE  names the member that cannot be changed
 */
int definition_check(struct call *c, const struct schema *now, const struct schema *wanted)
	__attribute__((warn_unused_result));

/**
 * definition_change - each member that is said and differs becomes as it is said, one request after the other
 *
 * Billing mode and throughput, table class, encryption, throughput on demand and warm, deletion protection, of global indexes that
 * both have too; tags.  What is not said stays.
 */
int definition_change(struct ctl *ctl, struct call *c, const struct model_table *wanted)
	__attribute__((warn_unused_result));

/** definition_recovery - @to gets the point-in-time recovery of the table @from; who may not see it is told so */
int definition_recovery(struct ctl *from, struct call *c, struct slice table, struct ctl *to,
			struct slice target) __attribute__((warn_unused_result));

#endif
