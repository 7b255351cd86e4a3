/*
 * keyspace - which LevelDB key holds what: FORMAT.md section "Keys" in code
 *
 * Notation: esc(x) = x with each 00 byte as 00 FF; name:u32be = 4 bytes, most
 * significant first.  A key value is S: its UTF-8, B: its bytes, N: number_to_key().
 */
#ifndef STORE_LOCAL_RECORDS_KEYSPACE_H
#define STORE_LOCAL_RECORDS_KEYSPACE_H

#include "store/base/core/buf.h"
#include "store/base/core/call.h"
#include "store/model/schema.h"

/* First byte of every key. */
enum keyspace {
	KEYSPACE_TABLE =
		't', /* 't' name                                           -> table definition */
	KEYSPACE_ITEM = 'i',      /* 'i' table:u32be index:u16be esc(pk) 00 01 [...]    -> record */
	KEYSPACE_PARTITION = 'p', /* 'p' table:u32be index:u16be esc(pk) 00 01          -> counts of
				     the collection */
	KEYSPACE_TOTALS = 'c',    /* 'c' table:u32be index:u16be                        -> counts of
				     table or index */
	KEYSPACE_BACKFILL = 'b', /* 'b' table:u32be index:u16be                        -> how far an
				     index is filled */
	KEYSPACE_ARCHIVE = 'a',  /* 'a' id                                             -> backup */
	KEYSPACE_TRANSFER = 'e', /* 'e' kind:u8 id                                     -> export */
	KEYSPACE_TRANSFER_OF = 'y', /* 'y' kind:u8 token                                  -> id of
				       the export */
	KEYSPACE_TOKEN = 'k', /* 'k' token                                          -> time and hash
				 of the request */
	KEYSPACE_META =
		'm', /* 'm' name                                           -> "seq", "next-table" */
	KEYSPACE_STREAM = 's',  /* 's' table 00 label:u64be                          -> a stream */
	KEYSPACE_RECORD = 'r',  /* 'r' stream:u64be seq:u64be                        -> a change
				  in it */
	KEYSPACE_DROPPED = 'x', /* 'x' table:u32be                                    -> ranges
				   still to be deleted */
};

/* Index number of the table itself. */
enum { KEYSPACE_BASE = 0 };

/* Length of the fixed part of keys 'i', 'p', 'c' and 'b': letter, table, index. */
enum { KEYSPACE_HEAD_BYTES = 7 };

/**
 * keyspace_item - key of an item (ix NULL) or of an index entry; of the first of its values, the
 * common prefix of those that begin with them
 *
 * Shape:  'i' table:u32be index:u16be (esc(value) 00 01)...
 * Order:  memcmp == DynamoDB's order of (partition, sort), ties in an index by the table's key
 */
void keyspace_item(struct buf *out, const struct schema *s, const struct index *ix,
		   const struct key_values *k);

/**
 * keyspace_collection - the common prefix of one collection's items or entries
 * @k: begins with the values of the partition key
 */
void keyspace_collection(struct buf *out, const struct schema *s, const struct index *ix,
			 const struct key_values *k);

/** keyspace_table - the common prefix of all items (ix NULL) or of all entries of an index */
void keyspace_table(struct buf *out, const struct schema *s, const struct index *ix);

/** keyspace_sort - append one sort value to a collection's prefix: esc(sk), @closed adds 00 01 */
void keyspace_sort(struct buf *out, const struct value *sk, bool closed);

/** keyspace_partition - of the collection's counts; @k as for keyspace_collection() */
void keyspace_partition(struct buf *out, const struct schema *s, const struct index *ix,
			const struct key_values *k);
/** keyspace_partitions - the common prefix of a table's or index's partition records */
void keyspace_partitions(struct buf *out, const struct schema *s, const struct index *ix);
void keyspace_totals(struct buf *out, const struct schema *s, const struct index *ix);

/** keyspace_after - the smallest key greater than every key that begins with @prefix (its last byte
 * counted up) */
void keyspace_after(struct buf *out, struct slice prefix);

/**
 * keyspace_parse_item - the inverse of keyspace_item()
 * @out: room for KEY_VALUES_MAX; values are appended
 *
 * Errors:  -ERR_CORRUPT  not such a key
 * Memory:  values are in the call's arena, or borrow @key when nothing was escaped
 */
int keyspace_parse_item(struct call *c, const struct schema *s, const struct index *ix,
			struct slice key, struct values *out) __attribute__((warn_unused_result));

/**
 * keyspace_parse_entry - the same of what follows a collection's prefix
 *
 * For listings, which know the partition key already.
 * Errors, Memory:  as keyspace_parse_item()
 */
int keyspace_parse_entry(struct call *c, const struct schema *s, const struct index *ix,
			 struct slice rest, struct values *out) __attribute__((warn_unused_result));

/** keyspace_parse_partition - the inverse of keyspace_partition(); as keyspace_parse_item() */
int keyspace_parse_partition(struct call *c, const struct schema *s, const struct index *ix,
			     struct slice key, struct values *out)
	__attribute__((warn_unused_result));

#endif
