/* query - which segment of a parallel scan a partition key belongs to */
#ifndef STORE_LOCAL_READ_QUERY_H
#define STORE_LOCAL_READ_QUERY_H

#include <stdint.h>

#include "store/base/core/slice.h"

/** segment_of - 0..@total - 1, by a hash of the escaped partition key */
uint32_t segment_of(struct slice partition, uint32_t total);

#endif
