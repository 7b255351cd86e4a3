/* shell_run - a command line of the shell, run as a process of its own */
#ifndef TOOLS_CMD_SHELL_RUN_H
#define TOOLS_CMD_SHELL_RUN_H

#include <limits.h>

#include "tools/session/ctl.h"

struct shell {
	struct ctl *ctl;
	char self[PATH_MAX]; /* path of this program */
	bool terminal;       /* standard input is a terminal */
	int status; /* exit status of the last command; of a pipe or file, the first one that is not 0 */
	bool ended;
	const char *file; /* the file that is read; NULL: standard input */
	uint64_t line;    /* number of the last line that was read */
	uint64_t first;   /* number of the line where the statement or command begins */
	char *output;     /* file for the output of commands; heap; NULL: standard output */
	bool once;        /* @output is only for the next command */
	unsigned reading; /* depth of files that read each other */
};

/** shell_run_ended - store the exit status of a command; without a terminal, report the line if it failed */
void shell_run_ended(struct shell *sh, int status);

/** shell_run_complain - print the error of the call, and store its exit status */
void shell_run_complain(struct shell *sh, struct call *c);

/** shell_run_words - run "itemctl WORD...", wait for its end and store its exit status; at least one word */
void shell_run_words(struct shell *sh, struct call *c, const struct words *words);

/** shell_run_sql - run "itemctl sql TEXT" in the same way */
void shell_run_sql(struct shell *sh, struct call *c, struct slice text);

#endif
