/*
 * rate - an engine that limits the units that its operations consume per second
 *
 * The consumption of a request is only known from its answer. So a request starts as soon as its bucket is not below 0.
 * Until its answer arrives, it is charged what the last request in the same direction has consumed. A page of Query or
 * Scan without a limit gets one, of about the units of one second.
 */
#ifndef STORE_ENGINE_RATE_H
#define STORE_ENGINE_RATE_H

#include "store/engine/engine.h"

/* A token bucket of units. */
struct rate_bucket {
	double per_s;   /* 0: no limit */
	double most;    /* upper limit of have */
	double have;    /* below 0: consumed in advance */
	uint64_t at_ns; /* steady clock: when have was computed */
};

/** rate_fill - add the units that came in until @now_ns, of the steady clock; an earlier time adds none */
void rate_fill(struct rate_bucket *b, uint64_t now_ns);

/** rate_delay_ns - return the nanoseconds until the next request may start; 0: now */
uint64_t rate_delay_ns(const struct rate_bucket *b);

/* Callbacks around a wait, in the thread of the request. */
struct rate;
struct rate_waits {
	bool (*begin)(struct call *c, const struct rate *wanted); /* return false: do not wait */
	void (*end)(struct call *c); /* after a wait for which begin() returned true */
};

/* The limit. */
struct rate {
	double read_units; /* per second; 0: no limit */
	double write_units;
	unsigned percent; /* instead, if not 0: of the provisioned throughput of each table */
	double reads_at_once; /* unused read units that are kept, and pages get no limit; 0: those of one second */
	struct rate_waits waits; /* NULLs: no callbacks, all requests wait */
	const char *option;      /* name of the user's option, for messages */
};

/** rate_parse - read "100" or "0.5" (units per second) or "25%"; return false if it is neither */
bool rate_parse(const char *text, struct rate *out);

/**
 * rate_open - wrap an engine
 * @below:  owned from here on; engine_close() closes both
 * @wanted: copied
 *
 * Errors of its operations, in addition to those of @below:
 *   -ERR_THROTTLED       the call was given up while it waited; nothing was requested
 *   -ERR_USAGE           a percentage, but the table is billed on demand
 */
struct engine *rate_open(struct engine *below, const struct rate *wanted);

#endif
