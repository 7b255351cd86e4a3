/*
 * await - until what goes on in the background of a store has ended
 *
 * It is looked for, some times a second, with operations that anybody may ask for.
 */
#ifndef TOOLS_SESSION_AWAIT_H
#define TOOLS_SESSION_AWAIT_H

#include "tools/session/ctl.h"

/* One look, in the call @own; *busy: it still goes on.  Return: 0, or -ERR_* of @own: no more looks. */
typedef int await_look_fn(struct ctl *ctl, struct call *own, void *arg, bool *busy);

/** await - look until it has ended; Errors: those of @look, and of a store that can be written no more */
int await(struct ctl *ctl, struct call *c, await_look_fn *look, void *arg)
	__attribute__((warn_unused_result));

/**
 * await_table - until a table of another's server and its indexes are ACTIVE; a store of ours needs no time
 *
 * Who may not ask for it (AccessDenied) does not wait, and is told so.
 */
int await_table(struct ctl *ctl, struct call *c, struct slice table)
	__attribute__((warn_unused_result));

/** await_gone - likewise, until there is no such table */
int await_gone(struct ctl *ctl, struct call *c, struct slice table)
	__attribute__((warn_unused_result));

/**
 * await_job - what @in has begun, if this process has the store for itself: it would end with the process
 * @out: the answer to @in
 *
 * Errors:  as await();  -ERR_IO  the job has failed (message says why)
 */
int await_job(struct ctl *ctl, struct call *c, const struct op_in *in, const struct op_out *out)
	__attribute__((warn_unused_result));

#endif
