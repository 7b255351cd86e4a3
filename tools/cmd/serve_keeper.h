/*
 * serve_keeper - the process beside a server that ends it together with another process, and removes its temporary store
 */
#ifndef TOOLS_CMD_SERVE_KEEPER_H
#define TOOLS_CMD_SERVE_KEEPER_H

#include "store/base/core/call.h"

#include "tools/cli/opts.h"

/**
 * serve_keeper_watch - open the process that the server ends with
 * @out: its descriptor, which no program inherits; -1 if no process is given
 *
 * Errors: -ERR_USAGE  there is no such process, or it has ended
 *         -ERR_IO     this kernel cannot watch a process, or too many files are open
 */
int serve_keeper_watch(struct call *c, const struct opt_count *process, int *out) must_check;

/**
 * serve_keeper_start - start the keeper of this process, which becomes the server
 * @watched: when this process ends, the server gets SIGTERM; -1: none
 * @dir:     removed after the end of the server; NULL: none
 *
 * All signals must be blocked: the keeper inherits that, so only SIGKILL ends it early.
 * Errors: -ERR_IO  there is no new process
 */
int serve_keeper_start(struct call *c, int watched, const char *dir) must_check;

#endif
