/*
 * spending - capacity that a run consumes at endpoints: limited by --rate, added up, printed at the end
 *
 * There is one for the whole run: a command may use several stores, each with a struct ctl of its own.
 */
#ifndef TOOLS_SESSION_SPENDING_H
#define TOOLS_SESSION_SPENDING_H

#include "store/engine/meter.h"
#include "store/engine/rate.h"

struct ctl;

struct spending {
	struct meter *meter; /* of all endpoints, to be freed; NULL: none was opened */
	struct rate rate;
	bool has_rate;
};

/** spending_rate - parse --rate; NULL: it is not given; Errors: -ERR_USAGE */
int spending_rate(struct spending *s, struct call *c, const char *rate) must_check;

/** spending_open - wrap the engine of a remote store; Return: the wrapper, or @below for a store directory */
struct engine *spending_open(struct spending *s, const char *store, struct engine *below);

/** spending_say - print the consumed capacity at the end: with --capacity all of it, else one line on a terminal */
void spending_say(const struct spending *s, const struct ctl *ctl);

#endif
