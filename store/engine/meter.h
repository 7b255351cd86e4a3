/* meter - an engine around an engine that adds up what its operations consume */
#ifndef STORE_ENGINE_METER_H
#define STORE_ENGINE_METER_H

#include "store/base/core/buf.h"
#include "store/engine/engine.h"

struct meter;

/**
 * meter_new - nothing consumed yet
 * Thread: everything here may be called from any
 */
struct meter *meter_new(void);
void meter_free(struct meter *m);

/**
 * meter_open - ask @below for the capacity of every operation that tells it; who asked for less is told less
 * @below: owned from here on; engine_close() closes both
 * @m:     the sums; borrowed
 */
struct engine *meter_open(struct engine *below, struct meter *m);

/* All tables together. */
struct meter_sums {
	uint64_t requests; /* that tell their capacity */
	uint64_t read_halves;
	uint64_t write_halves;
};

/** meter_sums - so far */
struct meter_sums meter_sums(struct meter *m);

/**
 * meter_print - append a line for each table, for reads and for writes
 *
 * Shape: "1.5 read units of orders: table 0.5, GSI1 1.0\n"
 */
void meter_print(struct meter *m, struct buf *out);

#endif
