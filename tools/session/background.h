/* background - a server beside this process: started, waited for, used by a command */
#ifndef TOOLS_SESSION_BACKGROUND_H
#define TOOLS_SESSION_BACKGROUND_H

#include <sys/types.h>

#include "store/base/core/buf.h"
#include "store/base/core/call.h"

#include "tools/session/ctl.h"

struct background {
	pid_t pid;
	struct buf said; /* what it has printed; in the call's arena */
};

/**
 * background_start - fork, and wait until the new process says "listening on"
 * @become: never returns when it works; what it fails with is printed
 * @tied:   end it when this process ends, however that is
 *
 * Return: 0, or the exit status of the new process, which has said why on standard error.  Errors: -ERR_IO
 */
int background_start(struct call *c, int (*become)(struct call *c, const void *arg),
		     const void *arg, bool tied, struct background *out)
	__attribute__((warn_unused_result));

/** background_exports - carry out its lines "export" and "unset" in the environment of this process; Errors: -ERR_USAGE  no line of a shell */
int background_exports(struct call *c, const struct background *b)
	__attribute__((warn_unused_result));

/**
 * background_run - run a program by its name in PATH, then end the server
 *
 * Return: the program's exit status, 128 and the signal that ended it, 127 if there is none
 */
int background_run(const struct background *b, const char *const argv[]);

/**
 * background_tell - what a shell reads of a server in the background, on standard output
 * @port_only: nothing but the port
 * @chosen:    the port was chosen by the kernel: a variable has it, and a note says how to get it alone
 */
void background_tell(struct ctl *ctl, struct call *c, const struct background *server,
		     bool port_only, bool chosen);

#endif
