/*
 * capacity - units of read and write capacity
 *
 *   struct capacity_sheet sheet = capacity_sheet(c, in->capacity);
 *   struct capacity *on = capacity_on(&sheet, s, in->table);      NULL when nobody asked
 *   out->consumed = capacity_tell(&sheet, CAPACITY_ANY);
 *
 * Everything is counted in halves of a unit.  Source: BEHAVIOUR 16.4
 */
#ifndef STORE_LOCAL_METER_CAPACITY_H
#define STORE_LOCAL_METER_CAPACITY_H

#include "store/op/op.h"

/* Halves that 4 KB cost, by how they are read. */
enum capacity_read_cost {
	CAPACITY_EVENTUAL = 1,
	CAPACITY_CONSISTENT = 2,
	CAPACITY_TRANSACTION = 4,
};

/* Writes in a transaction cost twice. */
enum { CAPACITY_TRANSACTION_FACTOR = 2 };

/* What a request consumes of one table and of its indexes. */
struct capacity {
	const struct schema *schema;
	struct slice table; /* as the request named it */
	uint64_t of_table;
	uint64_t *of_index; /* one for each index of the schema */
	struct capacity *next;
};

struct capacity_sheet {
	struct call *c;
	enum capacity_level level;
	struct capacity *first; /* in the order of their first use */
	struct capacity *last;
	size_t n;
};

/** capacity_blocks - 4 KB pieces that @bytes are read in; nothing at all is one */
uint64_t capacity_blocks(uint64_t bytes);

/** capacity_read_cost - the usual two */
static inline enum capacity_read_cost
capacity_read_cost(bool consistent)
{
	return consistent ? CAPACITY_CONSISTENT : CAPACITY_EVENTUAL;
}

/** capacity_read - halves that reading @bytes costs */
uint64_t capacity_read(uint64_t bytes, enum capacity_read_cost cost);

/** capacity_write - halves that writing an item costs; @old, @new: bytes, 0 where there is none */
uint64_t capacity_write(uint64_t old, uint64_t new);

/** capacity_new - nothing yet; in the call's arena */
struct capacity *capacity_new(struct call *c, const struct schema *s, struct slice table);

/** capacity_add - add @times @more */
void capacity_add(struct capacity *to, const struct capacity *more, uint64_t times);

/** capacity_part - the number of the table (@ix NULL) or of one of its indexes */
uint64_t *capacity_part(struct capacity *cap, const struct index *ix);

struct capacity_sheet capacity_sheet(struct call *c, enum capacity_level level);

/** capacity_on - the table's line, made at first use; NULL when nobody asked */
struct capacity *capacity_on(struct capacity_sheet *sheet, const struct schema *s,
			     struct slice table);

/** capacity_count_read - the reading of one item, of 0 bytes when there is none */
void capacity_count_read(struct capacity_sheet *sheet, const struct schema *s, struct slice table,
			 uint64_t bytes, enum capacity_read_cost cost);

/** capacity_tell - the sheet as an answer tells it */
struct consumed_list capacity_tell(const struct capacity_sheet *sheet, enum capacity_kind kind);

#endif
