/*
 * await - wait for background work of a store
 *
 * The functions poll the state several times a second with ordinary API operations.
 */
#ifndef TOOLS_SESSION_AWAIT_H
#define TOOLS_SESSION_AWAIT_H

#include "tools/session/ctl.h"

/* Check the work once, in the call @own; set *busy if it still runs.  Return: 0, or -ERR_* of @own to end the wait */
typedef int await_look_fn(struct ctl *ctl, struct call *own, void *arg, bool *busy);

/** await - call @look until the work has ended; Errors: those of @look, and of a store that can no longer be written */
int await(struct ctl *ctl, struct call *c, await_look_fn *look, void *arg) must_check;

/**
 * await_table - wait until a table of a remote store and its indexes are ACTIVE; returns immediately for other stores
 *
 * If DescribeTable is not permitted (AccessDenied), prints a note and does not wait.
 */
int await_table(struct ctl *ctl, struct call *c, struct slice table) must_check;

/** await_gone - likewise, wait until the table does not exist */
int await_gone(struct ctl *ctl, struct call *c, struct slice table) must_check;

/**
 * await_job - wait for the job that @in has started, if this process owns the store: the job would end with the process
 * @out: the answer to @in
 *
 * Errors:  those of await();  -ERR_IO  the job has failed (the message has the reason)
 */
int await_job(struct ctl *ctl, struct call *c, const struct op_in *in, const struct op_out *out)
	must_check;

#endif
