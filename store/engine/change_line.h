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

struct change_line {
	enum stream_event event;
	struct slice seq;      /* digits */
	bool service;          /* deleted by the store: the time to live was over */
	struct item keys;      /* may be a whole item: only its key attributes are written */
	struct item new_image; /* n = 0: not known, not written */
	struct item old_image; /* likewise */
};

/** change_line_put - append the line, including the newline, with typed values if @typed */
void change_line_put(struct buf *out, const struct schema *s, bool typed,
		     const struct change_line *l);

/** change_line_put_record - append the line of a stream record */
void change_line_put_record(struct buf *out, const struct schema *s, bool typed,
			    const struct stream_record *record);

#endif
