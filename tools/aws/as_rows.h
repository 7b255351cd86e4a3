/* as_rows - an answer of the API, or a part of it, as rows: for tables, CSV and other formats with columns */
#ifndef TOOLS_AWS_AS_ROWS_H
#define TOOLS_AWS_AS_ROWS_H

#include "store/base/text/json.h"

#include "tools/session/ctl.h"

/**
 * as_rows - print @json with plain values
 * @request: JSON of the request that @json answers: prints the items of the answer, or its only member, and shows the
 *           other members as notes; empty: @json is a part of an answer and is printed as a whole
 *
 * A list becomes a row for each element, an object one row with a column for each member.
 * Errors:  -ERR_VALIDATION  @json contains an object that looks like a typed value but is invalid
 */
int as_rows(struct ctl *ctl, struct call *c, const struct json *json, struct slice request)
	must_check;

#endif
