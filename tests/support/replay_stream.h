/* replay_stream - what a stream's records tell, compared with what the store holds */
#ifndef TESTS_SUPPORT_REPLAY_STREAM_H
#define TESTS_SUPPORT_REPLAY_STREAM_H

#include "store/kv/kv.h"
#include "store/model/schema.h"

/**
 * replay_stream_differences - do each item's records follow from each other, and lead to the items of @s?
 *
 * The table was empty when its stream, of both images, began.  Prints the first few.
 */
size_t replay_stream_differences(struct call *c, struct kv *kv, const struct schema *s);

#endif
