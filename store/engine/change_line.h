/*
 * change_line - a change as a line of JSON: what .stream, .stream.jsonl and "itemctl tail" consist of; pure
 *
 *   {"eventName":"MODIFY","seq":"000000000000000000042","Keys":{...},"NewImage":{...},"OldImage":{...}}
 *
 * Images are items in the mount's form.  A delete by the store itself has a member "userIdentity" at
 * the end, as records of streams have it.
 */
#ifndef STORE_ENGINE_CHANGE_LINE_H
#define STORE_ENGINE_CHANGE_LINE_H

#include "store/model/schema.h"
#include "store/op/op.h"

struct change_line {
	enum stream_event event;
	struct slice seq;      /* digits */
	bool service;          /* the item's time had come */
	struct item keys;      /* may be a whole item: the key attributes of it are shown */
	struct item new_image; /* n = 0: not told */
	struct item old_image; /* likewise */
};

/** change_line_put - append the line, newline included */
void change_line_put(struct buf *out, const struct schema *s, bool typed,
		     const struct change_line *l);

/** change_line_put_record - likewise a stream's record */
void change_line_put_record(struct buf *out, const struct schema *s, bool typed,
			    const struct stream_record *record);

#endif
