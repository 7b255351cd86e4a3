/* alter - one change of what is declared of a table */
#ifndef TOOLS_ALTER_H
#define TOOLS_ALTER_H

#include "tools/ctl.h"

/** alter_index - ask for it, then wait until it is done; Errors: -ERR_BUSY  interrupted: the store goes on */
int alter_index(struct ctl *ctl, struct call *c, struct slice table, const struct index_change *ch)
	__attribute__((warn_unused_result));

/** alter_ttl - @attribute "off": items expire no more */
int alter_ttl(struct ctl *ctl, struct call *c, struct slice table, struct slice attribute)
	__attribute__((warn_unused_result));

/** alter_stream - STREAM_NONE: off */
int alter_stream(struct ctl *ctl, struct call *c, struct slice table, enum stream_view view)
	__attribute__((warn_unused_result));

#endif
