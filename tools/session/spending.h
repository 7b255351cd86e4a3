/*
 * spending - what a command consumes of endpoints: held to --rate, added up, said at the end
 *
 * One for the whole run: a command may use several stores, each with a struct ctl of its own.
 */
#ifndef TOOLS_SESSION_SPENDING_H
#define TOOLS_SESSION_SPENDING_H

#include "store/engine/meter.h"
#include "store/engine/rate.h"

struct ctl;

struct spending {
	struct meter *meter; /* of all endpoints; NULL: none is open */
	struct rate rate;
	bool has_rate;
};

/** spending_rate - --rate, NULL: it is not given; Errors: -ERR_USAGE */
int spending_rate(struct spending *s, struct call *c, const char *rate)
	__attribute__((warn_unused_result));

/** spending_open - an engine around that of a store, unless the store is on this machine's disk: then @below */
struct engine *spending_open(struct spending *s, const char *store, struct engine *below);

/** spending_say - at the end: with --capacity all of it, else a line on a terminal */
void spending_say(const struct spending *s, const struct ctl *ctl);

void spending_release(struct spending *s);

#endif
