/*
 * impatient - an engine that waits no longer than somebody wants to: not once the program was asked to stop (stop.h), and not for
 * ever for the owner of a store that is stopped
 *
 * After Ctrl-C a read ends at once.  A write has 0.7 seconds to be answered, since otherwise its outcome is not
 * known.  Before stop_listen() nothing of this happens.
 */
#ifndef TOOLS_SESSION_IMPATIENT_H
#define TOOLS_SESSION_IMPATIENT_H

#include "tools/session/ctl.h"

/* Of one piece of work that may have to wait: on the stack, while a call's given_up is impatient_*(). */
struct impatience {
	const struct ctl *ctl;
	uint64_t look_ms;  /* steady: of the next look at the owner */
	uint64_t since_ms; /* it has been seen to be stopped; 0: it is not */
	int owner;         /* it is given up: the process that is stopped; else 0 */
	uint64_t
		waits_ms; /* steady: from when on a wait for the store is said; 0: there was none */
	bool writes;
	bool opens; /* the store is being opened */
};

/** impatient_begin - the call @c is given up as @i says, until impatient_end() */
void impatient_begin(struct impatience *i, const struct ctl *ctl, struct call *c, bool writes);

/** impatient_end - after the work, which gave @r; Return: @r, or the error that says why it was given up */
int impatient_end(struct impatience *i, struct call *c, int r);

/** impatient_open - @below is closed with it; @ctl is borrowed */
struct engine *impatient_open(const struct ctl *ctl, struct engine *below);

#endif
