/* flow_record - conversion of a record to the text of a flow without decoding it */
#ifndef STORE_LOCAL_READ_FLOW_RECORD_H
#define STORE_LOCAL_READ_FLOW_RECORD_H

#include "store/engine/flow_text.h"

/**
 * flow_record_put - append the next item to the text of a flow, from its record
 * @scratch: a call for temporary memory, and for the error
 *
 * Return:  0; 1: the item must be decoded, nothing was appended
 * Errors:  -ERR_CORRUPT
 */
int flow_record_put(struct flow_text *t, struct call *scratch, struct buf *out, struct slice record)
	__attribute__((warn_unused_result));

#endif
