/*
 * consumed - requests the consumed capacity of an operation, and takes it from the answer
 *
 * For engines that wrap another one: meter.h adds the capacity up, rate.h limits it.
 */
#ifndef STORE_ENGINE_CONSUMED_H
#define STORE_ENGINE_CONSUMED_H

#include "store/engine/engine.h"

/** consumed_tells - return true if the answer of this operation has the consumed capacity */
bool consumed_tells(enum op_type type);

/**
 * consumed_execute - run an operation for which consumed_tells() is true
 * @all: set to all capacity that it has consumed, unless it fails; @out has only the part that @in asked for
 *
 * Errors: as engine_execute()
 */
int consumed_execute(struct engine *below, struct call *c, const struct op_in *in,
		     struct op_out *out, struct consumed_list *all) must_check;

/** consumed_add - add the capacity @reported to @read_halves and @write_halves, in half units */
void consumed_add(const struct op_in *in, const struct consumed_list *reported,
		  uint64_t *read_halves, uint64_t *write_halves);

/** consumed_table - return the (first) table of a request; empty for transactions and statements */
struct slice consumed_table(const struct op_in *in);

#endif
