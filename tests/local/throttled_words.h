/* throttled_words - messages of throttled requests, and their reasons as users see them */
#ifndef TESTS_LOCAL_THROTTLED_WORDS_H
#define TESTS_LOCAL_THROTTLED_WORDS_H

#include "tests/support/fixture.h"

enum { SECOND = 1000, START = 1000000 };

static const char table_spent[] =
	"The level of configured provisioned throughput for the table was exceeded. Consider "
	"increasing your provisioning level with the UpdateTable API.";
static const char gsi_spent[] =
	"The level of configured provisioned throughput for one or more global secondary indexes "
	"of the table was exceeded. Consider increasing your provisioning level for the "
	"under-provisioned global secondary indexes with the UpdateTable API";

#define KEY_SPENT "KeyRangeThroughputExceeded"
#define UNITS_SPENT "ProvisionedThroughputExceeded"
#define ARN "arn:aws:dynamodb:us-east-1:000000000000:table/"

/* Do the reasons of @t equal @expected in the form that users see? */
static inline bool
because_of(const struct throttled *t, const char *expected)
{
	struct buf shown;

	buf_init(&shown, &fixture.c.arena);
	throttled_put(&shown, t);
	return slice_is(buf_view(&shown), expected);
}

static inline bool
because(const char *expected)
{
	return because_of(&fixture.c.error.throttled, expected);
}

#endif
