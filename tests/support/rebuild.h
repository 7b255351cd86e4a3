/* rebuild - computes the expected content of a store from its items and compares it with the actual content */
#ifndef TESTS_SUPPORT_REBUILD_H
#define TESTS_SUPPORT_REBUILD_H

#include "store/kv/kv.h"
#include "store/model/schema.h"

/**
 * rebuild_differences - count the keys of table @s that are missing, superfluous, or have other content
 *
 * It compares items, index entries, partition records and totals; entries by their projected
 * content, ignoring their times.  It prints the first differences.
 */
size_t rebuild_differences(struct call *c, struct kv *kv, const struct schema *s);

#endif
