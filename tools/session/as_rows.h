/* as_rows - an answer of the API, or a part of it, in rows: a table, CSV and the other forms that have columns */
#ifndef TOOLS_SESSION_AS_ROWS_H
#define TOOLS_SESSION_AS_ROWS_H

#include "store/base/text/json.h"

#include "tools/session/ctl.h"

/**
 * as_rows - print @json with plain values
 * @request: what it is the answer of: its items are printed, or its only member, and what else it has is noted; empty: it
 *           is a part, and printed as a whole
 *
 * A list has a row for each element, an object one for each member.
 * Errors:  -ERR_VALIDATION  it has what looks like a typed value and is none
 */
int as_rows(struct ctl *ctl, struct call *c, const struct json *json, struct slice request)
	__attribute__((warn_unused_result));

#endif
