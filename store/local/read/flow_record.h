/* flow_record - the next item of a flow as it lies in the store */
#ifndef STORE_LOCAL_READ_FLOW_RECORD_H
#define STORE_LOCAL_READ_FLOW_RECORD_H

#include "store/engine/flow_text.h"

/**
 * flow_record_put - the next item, from its record
 * @scratch: memory that may be gone afterwards
 *
 * Return:  0; 1: it must be decoded, nothing was appended
 * Errors:  -ERR_CORRUPT
 */
int flow_record_put(struct flow_text *t, struct call *scratch, struct buf *out, struct slice record)
	__attribute__((warn_unused_result));

#endif
