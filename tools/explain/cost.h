/* cost - see cmd_cost.c */
#ifndef TOOLS_EXPLAIN_COST_H
#define TOOLS_EXPLAIN_COST_H

#include "tools/cli/opts.h"

struct command;
struct ctl;

/** cost_run - instead of the command's run: print what it would consume */
int cost_run(struct ctl *ctl, struct call *c, const struct command *command,
	     const struct words *words, const void *opts) __attribute__((warn_unused_result));

#endif
