/*
 * change_line - a change as one line of JSON, for .stream, .stream.jsonl and "itemctl tail"
 *
 *   {"eventName":"MODIFY","seq":"000000000000000000042","Keys":{...},"NewImage":{...},"OldImage":{...}}
 *
 * Images are typed or plain JSON. A delete by the store itself has a member "userIdentity" at the end, as in records of
 * DynamoDB's streams.
 */
#ifndef STORE_ENGINE_CHANGE_LINE_H
#define STORE_ENGINE_CHANGE_LINE_H

#include "store/model/schema.h"
#include "store/op/op.h"

/**
 * change_line_put - append the line of @record, including the newline, with typed values if @typed
 *
 * The keys may be a whole item: only the key attributes are written. Images without attributes are not written. Other
 * members that are used are event, seq and service.
 */
void change_line_put(struct buf *out, const struct schema *s, bool typed,
		     const struct stream_record *record);

#endif
