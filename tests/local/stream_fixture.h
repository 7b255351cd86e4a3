/* stream_fixture - one-line reads of the stream of the fixture's table "tab" */
#ifndef TESTS_LOCAL_STREAM_FIXTURE_H
#define TESTS_LOCAL_STREAM_FIXTURE_H

#include "tests/support/fixture.h"

/** stream_arn - ARN of the table's newest stream */
struct slice stream_arn(void);

/** stream_described - DescribeStream of that stream */
struct describe_stream_out stream_described(void);

/**
 * stream_iterator - get an iterator of @arn's shard; @seq is NULL where the type takes none.  Return: 0 or the
 * error
 */
int stream_iterator(struct slice arn, enum iterator_type type, const char *seq, struct slice *out);

/** stream_read - read one page.  Return: 0 or the error */
int stream_read(struct slice iterator, uint32_t limit, struct get_records_out *out);

/** stream_all - all records of @arn from its beginning; the test fails if the stream cannot be read */
struct get_records_out stream_all(struct slice arn);

#endif
