/* prices - dollars for request units: on demand in us-east-1, or [prices] of the settings file */
#ifndef STORE_ENGINE_PRICES_H
#define STORE_ENGINE_PRICES_H

#include "store/base/core/call.h"

struct prices {
	double read; /* dollars per million units */
	double write;
};

/** prices_read - get the prices; Errors: -ERR_USAGE if a price in the file is no amount; those of trust_settings() */
int prices_read(struct call *c, struct prices *out) __attribute__((warn_unused_result));

/** prices_of - return the price of the units in dollars */
double prices_of(const struct prices *p, double read_units, double write_units);

#endif
