/* table_tags - tags and point-in-time recovery of a table, which have operations of their own */
#ifndef TOOLS_MODEL_TABLE_TAGS_H
#define TOOLS_MODEL_TABLE_TAGS_H

#include "store/model/schema.h"

#include "tools/session/ctl.h"

/**
 * definition_tags - read the tags of a table into @out, unless @out has tags already
 * @arn:     of the table; empty: a local store, whose schema already contains all tags
 * @are_not: the end of the note if access to the tags is denied, for example "are not copied"
 *
 * A server without ListTagsOfResource counts as a table without tags.
 * Return: 0, also if access is denied; errors of the engine
 */
int definition_tags(struct ctl *ctl, struct call *c, struct slice arn, const char *are_not,
		    struct schema *out) must_check;

/**
 * table_tags_change - remove and add tags until the table @now has exactly the tags of @wanted
 * @arn: of the table; empty: a local store
 *
 * Tags that begin with "aws:" are kept.
 */
int table_tags_change(struct ctl *ctl, struct call *c, const struct schema *wanted,
		      const struct schema *now, struct slice arn) must_check;

/**
 * definition_recovery - enable point-in-time recovery for the table @target of @to if the table @table of @from has it
 *
 * Return: 0, also if access is denied, which is noted, or the endpoint has no such operation; errors of the engine
 */
int definition_recovery(struct ctl *from, struct call *c, struct slice table, struct ctl *to,
			struct slice target) must_check;

#endif
