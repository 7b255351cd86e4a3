/* meter - an engine that adds up the capacity that its operations consume */
#ifndef STORE_ENGINE_METER_H
#define STORE_ENGINE_METER_H

#include "store/engine/engine.h"

struct meter;

/**
 * meter_new - create sums of 0
 * Thread: any thread may call all functions of this header
 */
struct meter *meter_new(void);
void meter_free(struct meter *m);

/**
 * meter_open - wrap an engine so that the consumed capacity of its operations is added to @m
 * @below: owned from here on; engine_close() closes both
 * @m:     borrowed until engine_close()
 *
 * The answers have the capacity that was asked for, and no more. Passed requests are not counted.
 */
struct engine *meter_open(struct engine *below, struct meter *m);

/* The sums of all tables. */
struct meter_sums {
	uint64_t requests; /* whose answers have the consumed capacity */
	uint64_t read_halves;
	uint64_t write_halves;
};

/** meter_sums - return the sums so far */
struct meter_sums meter_sums(struct meter *m);

/**
 * meter_print - append a line for each table, for reads and for writes
 *
 * Shape: "1.5 read units of orders: table 0.5, GSI1 1.0\n"
 */
void meter_print(struct meter *m, struct buf *out);

#endif
