/* table_change - single changes of a table: indexes, time to live, stream, settings of this store, tags, recovery */
#ifndef TOOLS_MODEL_TABLE_CHANGE_H
#define TOOLS_MODEL_TABLE_CHANGE_H

#include "store/model/schema.h"

#include "tools/session/ctl.h"

/**
 * alter_index - add or drop an index, wait until that is done, and note items that are not in a new index
 *
 * Errors:  -ERR_BUSY  interrupted: the store continues the change
 */
int alter_index(struct ctl *ctl, struct call *c, struct slice table, const struct index_change *ch)
	must_check;

/**
 * alter_take_types - set types of key attributes of the new index @ix from a sample of the items of the table
 * @ix: attributes without a type have type S
 *
 * A type changes only if all sampled items that have the attribute agree, and if it is no attribute of another key.
 * Does nothing for a store on another machine.
 */
void alter_take_types(struct ctl *ctl, const struct call *c, const struct schema *s,
		      struct index *ix);

/** alter_ttl - set the attribute of the time to live; "off" disables it */
int alter_ttl(struct ctl *ctl, struct call *c, struct slice table, struct slice attribute)
	must_check;

/**
 * alter_check_settings - check that the store can keep --throttle and --collection-limit
 * @line: the command that sets them in the directory of the store, without "itemctl -s STORE"
 *
 * Errors:  -ERR_USAGE  a server: the protocol of DynamoDB has no such settings
 */
int alter_check_settings(const struct ctl *ctl, struct call *c, struct slice line) must_check;

/** alter_note_settings - note settings of the definition @wanted that a server does not keep */
void alter_note_settings(const struct ctl *ctl, struct call *c, const struct schema *wanted);

/** alter_stream - enable a stream with @view; STREAM_NONE disables it */
int alter_stream(struct ctl *ctl, struct call *c, struct slice table, enum stream_view view)
	must_check;

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
