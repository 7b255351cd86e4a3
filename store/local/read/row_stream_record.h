/* row_stream_record - conversion of a record to the text of a row stream without decoding it */
#ifndef STORE_LOCAL_READ_ROW_STREAM_RECORD_H
#define STORE_LOCAL_READ_ROW_STREAM_RECORD_H

#include "store/engine/row_stream_text.h"

/**
 * row_stream_record_put - append the next item to the text of a row stream, from its record
 * @scratch: a call for temporary memory, and for the error
 *
 * Return:  0; 1: the item must be decoded, nothing was appended
 * Errors:  -ERR_CORRUPT
 */
int row_stream_record_put(struct row_stream_text *t, struct call *scratch, struct buf *out,
			  struct slice record) __attribute__((warn_unused_result));

#endif
