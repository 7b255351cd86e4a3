/* query - Query and Scan: the assignment of partition keys to the segments of a parallel scan */
#ifndef STORE_LOCAL_READ_QUERY_H
#define STORE_LOCAL_READ_QUERY_H

#include <stdint.h>

#include "store/base/core/slice.h"

/** segment_of - the segment of an escaped partition key, by its hash; Return: 0 to @total - 1; @total > 0 */
uint32_t segment_of(struct slice partition, uint32_t total);

#endif
