/*
 * op_capacity - consumed capacity of a request, and the item collections that it touched
 *
 * Both are reported only on request.  Units are counted in halves,
 * since an eventually consistent read costs half a unit.
 */
#ifndef STORE_OP_OP_CAPACITY_H
#define STORE_OP_OP_CAPACITY_H

#include "store/model/item.h"

/* ReturnConsumedCapacity */
enum capacity_level { CAPACITY_NONE, CAPACITY_TOTAL, CAPACITY_INDEXES };

/* The kind of units, which only transactions report. */
enum capacity_kind { CAPACITY_ANY, CAPACITY_READ, CAPACITY_WRITE };

/* The part of one index. */
struct consumed_index {
	struct slice name;
	bool global;
	uint64_t halves;
};

/* ConsumedCapacity of one table. */
struct consumed {
	struct slice table; /* as the request named it */
	enum capacity_kind kind;
	uint64_t halves; /* total */
	bool detailed;   /* CAPACITY_INDEXES: the next members are set */
	uint64_t of_table;
	const struct consumed_index *index; /* indexes that were read or changed */
	size_t n_index;
};
struct consumed_list {
	const struct consumed *at;
	size_t n;
};

/* ItemCollectionMetrics of one collection of a table with a local index. */
struct collection {
	struct slice table; /* as the request named it */
	struct item key;    /* its partition key only */
	uint64_t low_gb;    /* low_gb..high_gb: estimate of its size */
	uint64_t high_gb;
};
struct collection_list {
	const struct collection *at;
	size_t n;
};

/* The write report: what is requested, and the report. */
struct write_asked {
	enum capacity_level capacity;
	bool collections; /* ReturnItemCollectionMetrics=SIZE */
};
struct write_report {
	struct consumed_list consumed;
	struct collection_list collections;
};

#endif
