/*
 * rate - an engine around an engine that consumes so many units a second and no more
 *
 * What a request consumes is known from its answer.  So a request goes when what those before it have consumed is paid
 * off, and is counted with what the last one of its kind consumed until its own answer is there.  A page of Query and
 * Scan that has no limit of its own gets one, of about a second's units.
 */
#ifndef STORE_ENGINE_RATE_H
#define STORE_ENGINE_RATE_H

#include "store/engine/engine.h"

/* Units that come in over time.  Below 0: they were taken in advance. */
struct rate_bucket {
	double per_s; /* 0: no limit */
	double most;  /* not used until now, at most */
	double have;
	uint64_t at_ns; /* steady: of have */
};

/** rate_fill - what came in until @now_ns */
void rate_fill(struct rate_bucket *b, uint64_t now_ns);

/** rate_delay_ns - until the next request may go; 0: it may now */
uint64_t rate_delay_ns(const struct rate_bucket *b);

/* Who has to wait is told to whoever opened the engine, in the request's thread. */
struct rate;
struct rate_waits {
	bool (*begin)(struct call *c, const struct rate *wanted); /* false: it does not wait */
	void (*end)(struct call *c);                              /* of one that did */
};

/* What is wanted. */
struct rate {
	double read_units; /* a second; 0: no limit */
	double write_units;
	unsigned percent;        /* instead of these: of what each table has provisioned */
	double reads_at_once;    /* of reads that were not used until now; 0: a second's */
	bool whole_pages;        /* pages get no limit */
	struct rate_waits waits; /* NULLs: nobody is told, all wait */
	const char *option;      /* that asked for it, for messages */
};

/** rate_parse - "100", "0.5" units a second, "25%"; false: it is neither */
bool rate_parse(const char *text, struct rate *out);

/**
 * rate_open - @below is closed with it
 *
 * Errors of its operations beside those of @below:
 *   -ERR_THROTTLED       the call was given up while it waited; nothing was asked
 *   -ERR_USAGE           a percentage of a table that is billed on demand
 */
struct engine *rate_open(struct engine *below, const struct rate *wanted);

#endif
