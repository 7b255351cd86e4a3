/*
 * arn - names of resources: arn:aws:dynamodb:REGION:ACCOUNT:table/NAME
 *
 * A store is in no region: requests that are signed for any are answered, with ARNs of
 * that region.  The account is always the same.  ARNs of any region and account are understood.
 */
#ifndef STORE_MODEL_ARN_H
#define STORE_MODEL_ARN_H

#include <stdbool.h>

#include "store/base/core/buf.h"

/* The region of a request that names none. */
#define ARN_REGION "us-east-1"

/** arn_put_table - append the ARN of a table; @region: empty for ARN_REGION */
void arn_put_table(struct buf *out, struct slice region, struct slice table);

/** arn_region - @region, or ARN_REGION when it is empty */
static inline struct slice
arn_region(struct slice region)
{
	return region.len > 0 ? region : SLICE(ARN_REGION);
}

/** arn_is - is @text meant as an ARN?  No name of a table looks like one */
static inline bool
arn_is(struct slice text)
{
	return slice_starts(text, SLICE("arn:"));
}

/** arn_resource - "table/NAME" of an ARN of DynamoDB's; empty when it is none */
struct slice arn_resource(struct slice arn);

/** arn_read - NAME and ID of "table/NAME@kindID", @kind being "/backup/" or the like; false when it is no such ARN */
bool arn_read(struct slice arn, const char *kind, struct slice *table, struct slice *id);

/** arn_table - the table that @name names: @name itself, or an ARN's NAME, which may be of any shape */
struct slice arn_table(struct slice name);

#endif
