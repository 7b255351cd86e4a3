/* prices - see prices.h */
#include "store/engine/prices.h"

#include <stdlib.h>

#include "store/base/system/trust.h"
#include "store/base/text/ini.h"

/* https://aws.amazon.com/dynamodb/pricing/on-demand/, us-east-1, standard table class, in 2026. */
static const struct prices prices_on_demand = {.read = 0.125, .write = 0.625};

static int
prices_take(struct call *c, const struct ini *file, const char *key, double *out)
{
	struct slice text = ini_value(file, SLICE("prices"), "", key);
	const char *number = slice_cstr(&c->arena, text);
	char *end;

	if (text.len == 0) {
		return 0;
	}
	*out = strtod(number, &end);
	/* Written so that NaN fails too. */
	if (*end != '\0' || !(*out >= 0 && *out <= 1e6)) {
		return call_fail(
			c, ERR_USAGE,
			"[prices] in the settings: %s = %s is not a number of dollars per million "
			"units; for example: %s = 0.125",
			key, number, key);
	}
	return 0;
}

int
prices_read(struct call *c, struct prices *out)
{
	struct ini file = {0};
	int r = trust_settings(c, &file);

	*out = prices_on_demand;
	r = r < 0 ? r : prices_take(c, &file, "read", &out->read);
	return r < 0 ? r : prices_take(c, &file, "write", &out->write);
}

double
prices_of(const struct prices *p, double read_units, double write_units)
{
	return (read_units * p->read + write_units * p->write) / 1e6;
}
