/* stream_scene - the stream of the scene's table "tab", read in one line */
#ifndef TESTS_LOCAL_STREAM_SCENE_H
#define TESTS_LOCAL_STREAM_SCENE_H

#include "tests/support/scene.h"

/** stream_arn - of the table's newest stream */
struct slice stream_arn(void);

/** stream_described - that stream */
struct describe_stream_out stream_described(void);

/** stream_iterator - in @arn's shard; @seq is NULL where the type takes none.  Return: 0 or its error */
int stream_iterator(struct slice arn, enum iterator_type type, const char *seq, struct slice *out);

/** stream_read - a page; Return: 0 or its error */
int stream_read(struct slice iterator, uint32_t limit, struct get_records_out *out);

/** stream_all - every record of @arn from its beginning on; a failure of the test when it cannot be read */
struct get_records_out stream_all(struct slice arn);

#endif
