/*
 * prompt - lines that are typed: libedit's editing, history and completion on a terminal, where it is there; else lines of
 * standard input
 *
 * The library is loaded by prompt_open(), for the one command that needs it. One prompt a process.
 */
#ifndef TOOLS_SYSTEM_PROMPT_H
#define TOOLS_SYSTEM_PROMPT_H

#include "store/base/core/buf.h"

/**
 * Add to @out what may stand in place of the last word
 * @before: the line up to that word, which is @word
 */
typedef void prompt_complete_fn(void *arg, struct slice before, struct slice word, struct buf *out);

/** prompt_open - @complete appends candidates to @out, each with a NUL behind it; Return: is it a terminal that lines can be edited on? */
bool prompt_open(prompt_complete_fn *complete, void *arg);

/** prompt_remember - a command or a whole statement, as one entry of the history */
void prompt_remember(struct slice text);

/** prompt_close - keeps the history */
void prompt_close(void);

enum { PROMPT_LINE, PROMPT_INTERRUPTED, PROMPT_END, PROMPT_FAILED };

/**
 * prompt_read - the next line, without its newline
 * @ask: what stands before it on a terminal
 * @out: replaced
 *
 * Return: PROMPT_*; interrupted is a line that was given up with Ctrl-C; failed: standard input cannot be read, errno
 *         says why, EMSGSIZE: the line is over LINES_MAX
 */
int prompt_read(const char *ask, struct buf *out);

/** prompt_was_interrupted - has Ctrl-C been typed on the terminal since prompt_read() began? */
bool prompt_was_interrupted(void);

#endif
