/*
 * arn - names of resources: arn:aws:dynamodb:REGION:ACCOUNT:table/NAME
 *
 * A store has no region: it answers requests that are signed for any region, with ARNs of that region. It writes always
 * the same account, and reads ARNs with any region and account.
 */
#ifndef STORE_MODEL_ARN_H
#define STORE_MODEL_ARN_H

#include "store/base/core/base.h"

/* The region if a request names none. */
#define ARN_REGION "us-east-1"

/** arn_put_table - append the ARN of a table; @region: empty for ARN_REGION */
void arn_put_table(struct buf *out, struct slice region, struct slice table);

/** arn_region - return @region, or ARN_REGION if it is empty */
static inline struct slice
arn_region(struct slice region)
{
	return region.len > 0 ? region : SLICE(ARN_REGION);
}

/** arn_is - return true if @text is meant as an ARN; no table name looks like one */
static inline bool
arn_is(struct slice text)
{
	return slice_starts(text, SLICE("arn:"));
}

/** arn_resource - return "table/NAME..." of an ARN of DynamoDB; empty if @arn is none */
struct slice arn_resource(struct slice arn);

/** arn_read - get NAME and ID of "table/NAME@kindID", with @kind such as "/backup/"; false: it is no such ARN */
bool arn_read(struct slice arn, const char *kind, struct slice *table, struct slice *id);

/** arn_table - return the table name in @name, a name or an ARN; it is not checked, and empty for another ARN */
struct slice arn_table(struct slice name);

#endif
