/* rebuild - what a store must hold, computed from its items alone, and compared with what it holds */
#ifndef TESTS_SUPPORT_REBUILD_H
#define TESTS_SUPPORT_REBUILD_H

#include "store/kv/kv.h"
#include "store/model/schema.h"

/**
 * rebuild_differences - keys of table @s that are missing, too many, or of other content
 *
 * Items, index entries, partition records and totals; entries by their projected
 * content, whatever their time.  Prints the first few.
 */
size_t rebuild_differences(struct call *c, struct kv *kv, const struct schema *s);

#endif
