/*
 * impatient - engine wrapper that ends waiting requests after Ctrl-C (stop.h), or if the store's owner stays stopped
 *
 * After Ctrl-C a read ends immediately.  A write ends after 0.7 seconds, to allow for its answer: otherwise its outcome
 * would be unknown.  Before stop_listen() signals end no request.
 */
#ifndef TOOLS_SESSION_IMPATIENT_H
#define TOOLS_SESSION_IMPATIENT_H

#include "tools/session/ctl.h"

/* State of one request that may have to wait; on the stack from impatient_begin() to impatient_end(). */
struct impatience {
	const struct ctl *ctl;
	uint64_t look_ms; /* steady time of the next check of the owner */
	uint64_t
		since_ms; /* steady time when the owner was first seen stopped; 0: it is not stopped */
	int owner;        /* process id of the stopped owner, once the wait is given up; else 0 */
	uint64_t waits_ms; /* steady time when a note reports the wait; 0: no wait yet */
	bool writes;
	bool opens; /* the store is being opened */
};

/** impatient_begin - set the callback @c->given_up, until impatient_end(); @i is borrowed */
void impatient_begin(struct impatience *i, const struct ctl *ctl, struct call *c, bool writes);

/** impatient_end - end the wait for a request that returned @r; Return: @r, or -ERR_* with the reason for giving up */
int impatient_end(struct impatience *i, struct call *c, int r);

/** impatient_open - wrap an engine; engine_close() closes @below, too; @ctl is borrowed until then */
struct engine *impatient_open(const struct ctl *ctl, struct engine *below);

#endif
