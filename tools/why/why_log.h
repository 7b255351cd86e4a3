/* why_log - log lines of the mounts: which operations they have refused */
#ifndef TOOLS_WHY_WHY_LOG_H
#define TOOLS_WHY_WHY_LOG_H

#include "tools/session/ctl.h"

/* Counts of the lines that were printed */
struct why_found {
	size_t lines;
	size_t open;    /* of these, lines that are not settled */
	size_t written; /* of the open lines, those about a write, not about a missing file */
};

/**
 * why_log_ask - open the store and print the lines about a path
 * @path:  absolute path; empty: print all lines that are not settled
 * @found: the counts are added to it
 *
 * Return: 0, also if @path is given and no store is known; -ERR_* if the store cannot be opened or fails
 */
int why_log_ask(struct ctl *ctl, struct call *c, struct slice path, struct why_found *found)
	must_check;

/** why_log_ask_path - like why_log_ask(); if there is no line, look the path up in the mount and ask again */
int why_log_ask_path(struct ctl *ctl, struct call *c, struct slice path, struct why_found *found)
	must_check;

/**
 * why_log_pasted - the text with the store added to its command lines, unless $ITEMFS_STORE is that store; in the
 * call's arena
 */
struct slice why_log_pasted(const struct ctl *ctl, struct call *c, struct slice text);

#endif
