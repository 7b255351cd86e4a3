/*
 * record - items and counts as bytes: FORMAT.md section "Items and index entries" in code
 *
 * Shape of an item's record:
 *   rendered:varint mtime_ns:u64be n:varint (name_len:varint name type:u8 value)...
 *   value by type: S N B len:varint bytes | BOOL u8 | NULL nothing | L SS NS BS n:varint (type:u8
 * value)... (sets: no type byte) | M n:varint (name_len:varint name type:u8 value)...
 */
#ifndef STORE_LOCAL_RECORDS_RECORD_H
#define STORE_LOCAL_RECORDS_RECORD_H

#include "store/base/core/buf.h"
#include "store/base/core/call.h"
#include "store/model/item.h"
#include "store/model/item_json.h"

/* What can be known of an item without decoding it. */
struct record_head {
	uint64_t rendered_bytes; /* as a plain JSON line with its newline */
	uint64_t mtime_ns;       /* Unix time of last write */
};

/** record_encode - append the record of @it */
void record_encode(struct buf *out, const struct record_head *head, const struct item *it);

/** record_make - likewise, in the call's arena; @item_bytes: item_size(), which tells how much room */
struct slice record_make(struct call *c, const struct record_head *head, const struct item *it,
			 size_t item_bytes);

/** record_head - decode the head alone; Errors: -ERR_CORRUPT */
int record_head(struct call *c, struct slice record, struct record_head *out)
	__attribute__((warn_unused_result));

/**
 * record_decode - the whole item
 * @head: may be NULL
 *
 * Errors:  -ERR_CORRUPT  (any bytes are safe to pass)
 * Memory:  arrays in the call's arena, slices borrow @record
 */
int record_decode(struct call *c, struct slice record, struct record_head *head, struct item *out)
	__attribute__((warn_unused_result));

/** record_decode_sized - likewise, with item_size() of the item, which costs nothing extra here */
int record_decode_sized(struct call *c, struct slice record, struct record_head *head,
			struct item *out, size_t *item_bytes) __attribute__((warn_unused_result));

/**
 * record_find - one top-level attribute, without decoding the item
 * @out: of a list, a map or a set only the type
 *
 * Return:  0, RECORD_NONE
 * Errors:  -ERR_CORRUPT  as far as it has read
 * Memory:  borrows @record
 */
enum record_outcome { RECORD_NONE = 1 }; /* the item has no such attribute */
int record_find(struct call *c, struct slice record, struct slice name, struct value *out)
	__attribute__((warn_unused_result));

/**
 * record_body - what follows the head: the attributes, which two records of the same item share
 *
 * Return: empty for what is no record
 */
struct slice record_body(struct slice record);

/** record_body_encode - append the body of @it's record */
void record_body_encode(struct buf *out, const struct item *it);

/** record_body_decode - as record_decode_sized(), of a body alone */
int record_body_decode(struct call *c, struct slice body, struct item *out, size_t *item_bytes)
	__attribute__((warn_unused_result));

/**
 * record_put_json - append the item as JSON and build none
 *
 * Errors:  -ERR_CORRUPT; @out has then a part of it
 * Memory:  lists, maps and sets pass through the call's arena
 */
int record_put_json(struct call *c, struct slice record, enum item_form form, struct buf *out,
		    size_t *item_bytes) __attribute__((warn_unused_result));

/** record_measure - item_size() of the item, without decoding it; Errors: -ERR_CORRUPT */
int record_measure(struct call *c, struct slice record, size_t *item_bytes)
	__attribute__((warn_unused_result));

/* Counts of one collection. */
struct record_counts {
	uint64_t items;
	uint64_t item_bytes;     /* by DynamoDB's count */
	uint64_t rendered_bytes; /* plain JSON lines */
};

/* Shape: items:varint item_bytes:varint rendered_bytes:varint */
void record_counts_encode(struct buf *out, const struct record_counts *n);
int record_counts_decode(struct call *c, struct slice record, struct record_counts *out)
	__attribute__((warn_unused_result));

/* Shape: items:varint bytes:varint partitions:varint */
struct totals;
void record_totals_encode(struct buf *out, const struct totals *t);
int record_totals_decode(struct call *c, struct slice record, struct totals *out)
	__attribute__((warn_unused_result));

#endif
