/*
 * consumed - what an operation consumes: asked for on the way down, taken from the answer on the way up
 *
 * For engines around engines: meter.h adds it up, rate.h spreads it over time.
 */
#ifndef STORE_ENGINE_CONSUMED_H
#define STORE_ENGINE_CONSUMED_H

#include "store/engine/engine.h"

/** consumed_tells - is it an operation whose answer tells what it has consumed? */
bool consumed_tells(enum op_type type);

/**
 * consumed_execute - run such an operation
 * @all: everything that it has consumed; @out has of it what @in asked for
 *
 * Errors: as engine_execute()
 */
int consumed_execute(struct engine *below, struct call *c, const struct op_in *in,
		     struct op_out *out, struct consumed_list *all)
	__attribute__((warn_unused_result));

/** consumed_add - what was told, added to half units of reads and of writes */
void consumed_add(const struct op_in *in, const struct consumed_list *told, uint64_t *read_halves,
		  uint64_t *write_halves);

/** consumed_table - the table of a request, the first one of a batch; empty: transactions and statements, whose answers tell it */
struct slice consumed_table(const struct op_in *in);

#endif
