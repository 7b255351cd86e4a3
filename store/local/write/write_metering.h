/*
 * write_metering - admission and payment of a write, the size limit of an item collection, and the write report
 *
 * Admission and payment (throttle.h) are only for writes with w->throttled, which write_report_ask() sets. Key usage
 * (key_usage.h) is recorded for all writes except those that DynamoDB does not charge for: the expiration of an item by
 * its time to live, and an import into a table that is being created.
 */
#ifndef STORE_LOCAL_WRITE_WRITE_METERING_H
#define STORE_LOCAL_WRITE_WRITE_METERING_H

#include "store/local/meter/capacity.h"
#include "store/local/write/write.h"

/** write_metering_admit - check that something is left of the table's budgets; Errors: as throttle_admit() */
int write_metering_admit(struct call *c, const struct write *w) must_check;

/** write_metering_admit_indexes - the same check for the GSIs that the write changes, before anything is put */
int write_metering_admit_indexes(struct call *c, const struct write *w) must_check;

/** write_metering_pay - pay for the write, and record its key usage */
void write_metering_pay(struct call *c, const struct write *w);

/* ------------------------------------------------------------ the size of an item collection */

/** collection_bytes - the bytes of the collection that @w writes to, in the table and in its local indexes */
int collection_bytes(struct txn *t, struct call *c, const struct write *w, uint64_t *sum)
	must_check;

/**
 * collection_check - check the size limit of the collection after @w has changed it, if it has grown
 *
 * Errors:  -ERR_COLLECTION_TOO_BIG, -ERR_IO, -ERR_CORRUPT
 */
int collection_check(struct txn *t, struct call *c, const struct write *w) must_check;

/* ------------------------------------------------------------ the write report */

/* A write report that is being made: the consumed capacity and the item collections of a request's writes. */
struct write_report_sheet {
	struct call *c;
	struct capacity_sheet sheet;
	const struct write **collections; /* the last write to each */
	size_t n;
	size_t cap;
};

/**
 * write_report_ask - set up @w to count what the request asks for and what the budgets of the table need
 * @asked: the request's options
 * @table: the name or ARN in the request
 * @w:     prepared with write_prepare()
 */
void write_report_ask(struct call *c, const struct write_asked *asked, struct slice table,
		      struct write *w);

/** write_report_begin - an empty report */
struct write_report_sheet write_report_begin(struct call *c, const struct write_asked *asked);

/** write_report_add - add a write, its capacity @times times; write_report_ask() was called for it with the same @asked */
void write_report_add(struct write_report_sheet *t, const struct write *w, uint64_t times);

/** write_report_end - the report in the form of the answer; Memory: in the call's arena */
struct write_report write_report_end(const struct write_report_sheet *t, enum capacity_kind kind);

#endif
