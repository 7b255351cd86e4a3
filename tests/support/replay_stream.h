/* replay_stream - compares the records of a stream with the content of the store */
#ifndef TESTS_SUPPORT_REPLAY_STREAM_H
#define TESTS_SUPPORT_REPLAY_STREAM_H

#include "store/kv/kv.h"
#include "store/model/schema.h"

/**
 * replay_stream_differences - count records that contradict earlier ones, and items of @s that differ
 *
 * The table must have been empty when its stream, with both images, began.  It prints the first differences.
 */
size_t replay_stream_differences(struct call *c, struct kv *kv, const struct schema *s);

#endif
