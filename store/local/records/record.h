/*
 * record - items and counts as bytes, as in FORMAT.md, section "Items and index entries"
 *
 * Shape of an item's record:
 *   rendered:varint mtime_ns:u64be n:varint (name_len:varint name type:u8 value)...
 *   value by type: S N B len:varint bytes | BOOL u8 | NULL nothing | L SS NS BS n:varint (type:u8 value)...
 *   (sets: no type byte) | M n:varint (name_len:varint name type:u8 value)...
 */
#ifndef STORE_LOCAL_RECORDS_RECORD_H
#define STORE_LOCAL_RECORDS_RECORD_H

#include "store/model/item.h"
#include "store/model/item_json.h"

/* The properties of an item that can be read without decoding it. */
struct record_head {
	uint64_t rendered_bytes; /* of the item as a plain JSON line with its newline */
	uint64_t mtime_ns;       /* Unix time of last write */
};

/** record_encode - append the record of @it */
void record_encode(struct buf *out, const struct record_head *head, const struct item *it);

/** record_make - make the record of @it in the call's arena; @item_bytes: item_size(), an estimate of its size */
struct slice record_make(struct call *c, const struct record_head *head, const struct item *it,
			 size_t item_bytes);

/** record_head - decode the head alone; Errors: -ERR_CORRUPT */
int record_head(struct call *c, struct slice record, struct record_head *out) must_check;

/**
 * record_decode - decode the whole item
 * @head: may be NULL
 *
 * Errors:  -ERR_CORRUPT  (any bytes are safe to pass)
 * Memory:  arrays in the call's arena, slices borrow @record
 */
int record_decode(struct call *c, struct slice record, struct record_head *head, struct item *out)
	must_check;

/** record_decode_sized - decode the item and return its item_size(), too, which costs nothing extra here */
int record_decode_sized(struct call *c, struct slice record, struct record_head *head,
			struct item *out, size_t *item_bytes) must_check;

/**
 * record_find - find one top-level attribute without decoding the item
 * @out: if the value is a list, a map or a set, only the type is valid
 *
 * Return:  0, RECORD_NONE
 * Errors:  -ERR_CORRUPT  only the part of the record up to the attribute is checked
 * Memory:  borrows @record
 */
enum record_outcome { RECORD_NONE = 1 }; /* the item has no such attribute */
int record_find(struct call *c, struct slice record, struct slice name, struct value *out)
	must_check;

/**
 * record_body - the attributes, which follow the head; two records of the same item have equal bodies
 *
 * Return: empty if @record is no record
 */
struct slice record_body(struct slice record);

/** record_body_encode - append the body of @it's record */
void record_body_encode(struct buf *out, const struct item *it);

/** record_body_decode - decode a body as record_decode_sized() does */
int record_body_decode(struct call *c, struct slice body, struct item *out, size_t *item_bytes)
	must_check;

/**
 * record_put_json - append the item as JSON without building a struct item
 *
 * Errors:  -ERR_CORRUPT; then @out has a part of the item
 * Memory:  lists, maps and sets use the call's arena
 */
int record_put_json(struct call *c, struct slice record, enum item_form form, struct buf *out,
		    size_t *item_bytes) must_check;

/** record_measure - compute item_size() of the item without decoding it; Errors: -ERR_CORRUPT */
int record_measure(struct call *c, struct slice record, size_t *item_bytes) must_check;

/* Counts of one collection, or the totals of a table or index. */
struct record_counts {
	uint64_t items;
	uint64_t item_bytes; /* by DynamoDB's count */
	union {
		uint64_t rendered_bytes; /* of a collection: plain JSON lines */
		uint64_t partitions;     /* of a table or index: its collections */
	};
};

/** record_counts_encode - append items:varint item_bytes:varint, then rendered_bytes:varint or partitions:varint */
void record_counts_encode(struct buf *out, const struct record_counts *n);

/** record_counts_decode - decode counts or totals; Errors: -ERR_CORRUPT */
int record_counts_decode(struct call *c, struct slice record, struct record_counts *out) must_check;

#endif
