/*
 * keyspace - construction and parsing of LevelDB keys, as in FORMAT.md, section "Keys"
 *
 * Notation: esc(x) = x with each 00 byte as 00 FF; name:u32be = 4 bytes, most
 * significant first.  A key value is S: its UTF-8, B: its bytes, N: number_to_key().
 */
#ifndef STORE_LOCAL_RECORDS_KEYSPACE_H
#define STORE_LOCAL_RECORDS_KEYSPACE_H

#include "store/model/schema.h"

/*
 * The first byte of every key.
 *
 *   key                                          value
 *   't' name                                     table definition
 *   'i' table:u32be index:u16be esc(pk) 00 01..  record of an item or index entry
 *   'p' table:u32be index:u16be esc(pk) 00 01    counts of the collection
 *   'c' table:u32be index:u16be                  counts of the table or index
 *   'b' table:u32be index:u16be                  progress of an index that is being filled
 *   'a' id                                       backup
 *   'e' kind:u8 id                               export or import
 *   'y' kind:u8 token                            id of the export or import
 *   'k' token                                    time and hash of the request
 *   'm' name                                     "seq", "next-table"
 *   's' table 00 label:u64be                     stream
 *   'r' stream:u64be seq:u64be                   record of the stream
 *   'x' table:u32be                              key ranges that are still to be deleted
 */
enum keyspace {
	KEYSPACE_TABLE = 't',
	KEYSPACE_ITEM = 'i',
	KEYSPACE_PARTITION = 'p',
	KEYSPACE_TOTALS = 'c',
	KEYSPACE_BACKFILL = 'b',
	KEYSPACE_ARCHIVE = 'a',
	KEYSPACE_TRANSFER = 'e',
	KEYSPACE_TRANSFER_OF = 'y',
	KEYSPACE_TOKEN = 'k',
	KEYSPACE_META = 'm',
	KEYSPACE_STREAM = 's',
	KEYSPACE_RECORD = 'r',
	KEYSPACE_DROPPED = 'x',
};

/* The index number that denotes the table itself. */
enum { KEYSPACE_BASE = 0 };

/* Length of the fixed part of keys 'i', 'p', 'c' and 'b': letter, table number, index number. */
enum { KEYSPACE_HEAD_BYTES = 7 };

/* The functions that make a key return it in the memory of @a. */

/** keyspace_name - make a letter followed by @name: the key of a table, a backup or a token; empty: of all of them */
struct slice keyspace_name(struct arena *a, enum keyspace space, struct slice name);

/**
 * keyspace_head - make the fixed part of the keys of a table (@ix NULL) or of an index
 *
 * This is the key of its totals and of the progress of its backfill, and the common prefix of all its items or entries,
 * and of the counts of all its collections.
 */
struct slice keyspace_head(struct arena *a, enum keyspace space, const struct schema *s,
			   const struct index *ix);

/**
 * keyspace_item - make the key of an item (@ix NULL) or of an index entry
 * @k: all values of the key, or only the first ones: then the common prefix of all keys that begin with them
 *
 * Shape:  'i' table:u32be index:u16be (esc(value) 00 01)...
 * Order:  memcmp gives DynamoDB's order of (partition, sort); in an index ties are ordered by the table's key
 */
struct slice keyspace_item(struct arena *a, const struct schema *s, const struct index *ix,
			   const struct key_values *k);

/**
 * keyspace_collection - make the common prefix of one collection's items or entries, or the key of its counts
 * @space: KEYSPACE_ITEM or KEYSPACE_PARTITION
 * @k:     begins with the values of the partition key
 */
struct slice keyspace_collection(struct arena *a, enum keyspace space, const struct schema *s,
				 const struct index *ix, const struct key_values *k);

/** keyspace_sort - append one sort value to a collection's prefix: esc(sk), followed by 00 01 if @closed */
void keyspace_sort(struct buf *out, const struct value *sk, bool closed);

/**
 * keyspace_after - make the smallest key greater than every key that begins with @prefix
 * @prefix: not only FF bytes; every key begins with a letter
 */
struct slice keyspace_after(struct arena *a, struct slice prefix);

/** keyspace_collection_bytes - length of the part of @key that its collection shares; 0: the key is damaged */
size_t keyspace_collection_bytes(const struct schema *s, const struct index *ix, struct slice key);

/**
 * keyspace_parse_item - parse a key of keyspace_item()
 * @out: has room for KEY_VALUES_MAX values; values are appended
 *
 * Errors:  -ERR_CORRUPT  @key is no such key
 * Memory:  values are in the call's arena, or borrow @key if nothing was escaped
 */
int keyspace_parse_item(struct call *c, const struct schema *s, const struct index *ix,
			struct slice key, struct values *out) must_check;

/**
 * keyspace_parse_entry - parse the part of such a key that follows the collection's prefix
 *
 * Used by listings, which know the partition key already.
 * Errors, Memory:  as keyspace_parse_item()
 */
int keyspace_parse_entry(struct call *c, const struct schema *s, const struct index *ix,
			 struct slice rest, struct values *out) must_check;

/** keyspace_parse_partition - parse the key of a collection's counts, as keyspace_parse_item() does */
int keyspace_parse_partition(struct call *c, const struct schema *s, const struct index *ix,
			     struct slice key, struct values *out) must_check;

#endif
