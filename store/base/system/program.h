/*
 * program - another program that is run for what it prints, within bounds of time and length
 *
 * It reads nothing.  It may ask on a terminal: it is killed alone where this process is in the
 * terminal's foreground, else with whatever it has started.
 */
#ifndef STORE_BASE_SYSTEM_PROGRAM_H
#define STORE_BASE_SYSTEM_PROGRAM_H

#include "store/base/core/buf.h"
#include "store/base/core/call.h"

enum program_end {
	PROGRAM_DONE,     /* it ended with status 0 */
	PROGRAM_FAILED,   /* with another one, or by a signal */
	PROGRAM_MISSING,  /* there is none of that name, or it cannot be started */
	PROGRAM_HUNG,     /* it took too long, or nobody waits any more; it was killed */
	PROGRAM_TOO_LONG, /* it printed too much; it was killed */
};

struct program_result {
	enum program_end end;
	int status;       /* its exit status, 128 and more: a signal; PROGRAM_FAILED */
	struct slice out; /* what it printed, in the call's arena */
	struct slice err; /* the same of its messages: their last bytes */
};

/**
 * program_run - @argv, the first one by its name in PATH
 * @most: bytes that it may print
 * @ms:   how long it may take
 *
 * Thread: any
 */
void program_run(struct call *c, const char *const argv[], size_t most, unsigned ms,
		 struct program_result *out);

#endif
