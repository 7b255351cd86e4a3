/* table_change - one change of what is declared of a table */
#ifndef TOOLS_LOAD_TABLE_CHANGE_H
#define TOOLS_LOAD_TABLE_CHANGE_H

#include "tools/session/ctl.h"

/** alter_index - ask for it, then wait until it is done; Errors: -ERR_BUSY  interrupted: the store goes on */
int alter_index(struct ctl *ctl, struct call *c, struct slice table, const struct index_change *ch)
	__attribute__((warn_unused_result));

/** alter_take_types - attributes of the key of a new index @ix, named without types, have those of the table's items, where all have the same one */
void alter_take_types(struct ctl *ctl, const struct call *c, const struct schema *s,
		      struct index *ix);

/** alter_ttl - @attribute "off": items expire no more */
int alter_ttl(struct ctl *ctl, struct call *c, struct slice table, struct slice attribute)
	__attribute__((warn_unused_result));

/**
 * alter_check_settings - can the store keep throttle and collection limit?  A server cannot, as DynamoDB's protocol has neither
 * @line: what would set them in the store's directory, behind "itemctl -s STORE"
 *
 * Errors:  -ERR_USAGE
 */
int alter_check_settings(const struct ctl *ctl, struct call *c, struct slice line)
	__attribute__((warn_unused_result));

/** alter_note_settings - of a definition: say what of it a server does not keep */
void alter_note_settings(const struct ctl *ctl, struct call *c, const struct schema *wanted);

/** alter_stream - STREAM_NONE: off */
int alter_stream(struct ctl *ctl, struct call *c, struct slice table, enum stream_view view)
	__attribute__((warn_unused_result));

#endif
