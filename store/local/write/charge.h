/*
 * charge - a write and the budgets of its table: see throttle.h.  Only where told_ask() set w->throttled
 *
 * What any write consumes is noted, see heat.h: but for what DynamoDB does not ask for, as an item's
 * end by its time to live, or an import into a table that is being made.
 */
#ifndef STORE_LOCAL_WRITE_CHARGE_H
#define STORE_LOCAL_WRITE_CHARGE_H

#include "store/local/write/write.h"

/** charge_admit - is something left for the table?  Errors: as throttle_admit() */
int charge_admit(struct call *c, const struct write *w) __attribute__((warn_unused_result));

/** charge_admit_indexes - likewise for the GSIs that it touches, before anything is put */
int charge_admit_indexes(struct call *c, const struct write *w) __attribute__((warn_unused_result));

/** charge - pay, and note, what it has consumed */
void charge(struct call *c, const struct write *w);

#endif
