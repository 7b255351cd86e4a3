/*
 * capacity - computation and collection of consumed capacity units
 *
 *   struct capacity_sheet sheet = capacity_sheet(c, in->capacity);
 *   struct capacity *on = capacity_on(&sheet, s, in->table);      NULL if the request did not ask for capacity
 *   out->consumed = capacity_tell(&sheet, CAPACITY_ANY);
 *
 * All amounts are in halves of a unit.  Source: BEHAVIOUR 16.4
 */
#ifndef STORE_LOCAL_METER_CAPACITY_H
#define STORE_LOCAL_METER_CAPACITY_H

#include "store/op/op.h"

/* Halves that 4 KB cost, by the kind of read. */
enum capacity_read_cost {
	CAPACITY_EVENTUAL = 1,
	CAPACITY_CONSISTENT = 2,
	CAPACITY_TRANSACTION = 4,
};

/* Writes in a transaction cost twice. */
enum { CAPACITY_TRANSACTION_FACTOR = 2 };

/* The capacity that a request consumes of one table and its indexes. */
struct capacity {
	const struct schema *schema;
	struct slice table; /* the name or ARN in the request */
	uint64_t of_table;
	uint64_t *of_index; /* one for each index of the schema */
};

struct capacity_sheet {
	struct call *c;
	enum capacity_level level;
	struct capacity **at; /* in order of first use */
	size_t n;
	size_t cap;
};

/** capacity_blocks - the number of 4 KB blocks in which @bytes are read; at least 1 */
uint64_t capacity_blocks(uint64_t bytes);

/** capacity_read_cost - the cost of a consistent or an eventually consistent read */
static inline enum capacity_read_cost
capacity_read_cost(bool consistent)
{
	return consistent ? CAPACITY_CONSISTENT : CAPACITY_EVENTUAL;
}

/** capacity_read - the halves that a read of @bytes costs */
uint64_t capacity_read(uint64_t bytes, enum capacity_read_cost cost);

/** capacity_write - the halves that a write of an item costs; @old, @new: its bytes before and after, 0 if absent */
uint64_t capacity_write(uint64_t old, uint64_t updated);

/** capacity_new - allocate an empty one in the call's arena */
struct capacity *capacity_new(struct call *c, const struct schema *s, struct slice table);

/** capacity_add - add @more, multiplied by @times, to @to, which has the same schema */
void capacity_add(struct capacity *to, const struct capacity *more, uint64_t times);

/** capacity_part - the amount of the table (@ix NULL) or of the index @ix of its schema */
uint64_t *capacity_part(struct capacity *cap, const struct index *ix);

/** capacity_sheet - an empty sheet, which collects the amounts of all tables of a request */
struct capacity_sheet capacity_sheet(struct call *c, enum capacity_level level);

/** capacity_on - the table's entry in the sheet, made at first use; NULL if the level is CAPACITY_NONE */
struct capacity *capacity_on(struct capacity_sheet *sheet, const struct schema *s,
			     struct slice table);

/** capacity_count_read - add the read of one item to the sheet; @bytes: 0 if the item does not exist */
void capacity_count_read(struct capacity_sheet *sheet, const struct schema *s, struct slice table,
			 uint64_t bytes, enum capacity_read_cost cost);

/** capacity_tell - the sheet's content as a list for the answer; Memory: in the call's arena */
struct consumed_list capacity_tell(const struct capacity_sheet *sheet, enum capacity_kind kind);

#endif
