/*
 * program - runs another program and collects its output, with limits of time and length
 *
 * Its standard input is empty.  It may prompt on a terminal.  For that it must stay in this process's group if that is
 * in the terminal's foreground; then only the program itself is killed.  Otherwise it gets a process group of its own,
 * and the whole group is killed.
 */
#ifndef STORE_BASE_SYSTEM_PROGRAM_H
#define STORE_BASE_SYSTEM_PROGRAM_H

#include "store/base/core/base.h"

enum program_end {
	PROGRAM_DONE,     /* it ended with status 0 */
	PROGRAM_FAILED,   /* it ended with another status, or by a signal */
	PROGRAM_MISSING,  /* it does not exist or cannot be started */
	PROGRAM_HUNG,     /* it took too long, or the requester gave up; it was killed */
	PROGRAM_TOO_LONG, /* it printed too much; it was killed */
};

struct program_result {
	enum program_end end;
	int status;       /* PROGRAM_FAILED: its exit status, or 128 + the signal */
	struct slice out; /* its standard output, in the call's arena */
	struct slice err; /* the last bytes of its standard error, in the call's arena */
};

/**
 * program_run - run a program and wait for its end
 * @argv: NULL-terminated; argv[0] is looked up in PATH
 * @most: maximum length of its output, in bytes
 * @ms:   maximum time
 *
 * Thread: any
 */
void program_run(struct call *c, const char *const argv[], size_t most, unsigned ms,
		 struct program_result *out);

#endif
