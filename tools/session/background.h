/* background - a server in a child process: start it, wait until it listens, run a program with it */
#ifndef TOOLS_SESSION_BACKGROUND_H
#define TOOLS_SESSION_BACKGROUND_H

#include <sys/types.h>

#include "store/base/core/buf.h"
#include "store/base/core/call.h"

#include "tools/session/ctl.h"

struct background {
	pid_t pid;
	struct buf said; /* standard output of the server so far; in the call's arena */
};

/**
 * background_start - fork, and wait until the child prints "listening on"
 * @become: runs the server in the child; does not return on success; the child prints its error
 * @tied:   the kernel ends the child when this process ends
 *
 * Call it before other threads exist.
 * Return: 0, or the exit status of the child, which has printed the reason on standard error.
 * Errors: -ERR_IO  there is no new process
 */
int background_start(struct call *c, int (*become)(struct call *c, const void *arg),
		     const void *arg, bool tied, struct background *out) must_check;

/**
 * background_exports - execute the lines "export" and "unset" that the server has printed, in this process
 *
 * Call it before other threads exist.
 * Errors: -ERR_USAGE  invalid quotes in such a line
 */
int background_exports(struct call *c, const struct background *b) must_check;

/**
 * background_run - run a program that is found in PATH, then end the server
 *
 * Return: the program's exit status, 128 + the signal that ended it, or 127 if it could not be started
 */
int background_run(const struct background *b, const char *const argv[]);

/**
 * background_tell - print the server's variables on standard output as lines for a shell
 * @port_only: print only the port
 * @chosen:    the kernel chose the port: also export it, and print a note with the line that prints only the port
 */
void background_tell(struct ctl *ctl, struct call *c, const struct background *server,
		     bool port_only, bool chosen);

#endif
