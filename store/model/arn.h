/*
 * arn - names of resources: arn:aws:dynamodb:REGION:ACCOUNT:table/NAME
 *
 * A store has no region and no account, as requests signed for any are
 * answered: it understands those of others, and has one of its own.
 */
#ifndef STORE_MODEL_ARN_H
#define STORE_MODEL_ARN_H

#include <stdbool.h>

#include "store/base/slice.h"

/* What the ARNs of a store's own tables begin with. */
#define ARN_REGION "local"
#define ARN_TABLE "arn:aws:dynamodb:" ARN_REGION ":000000000000:table/"

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
