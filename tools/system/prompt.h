/*
 * prompt - reads lines that a user types
 *
 * On a terminal, libedit provides editing, history and completion, if it is installed. Otherwise lines are read from
 * standard input. prompt_open() loads the library, because only one command needs it. The state is static: there is one
 * prompt in a process, for the main thread.
 */
#ifndef TOOLS_SYSTEM_PROMPT_H
#define TOOLS_SYSTEM_PROMPT_H

#include "store/base/core/base.h"

/**
 * Append candidates for the last word of a line, each followed by a NUL
 * @before: the line up to the last word
 * @word: the last word
 */
typedef void prompt_complete_fn(void *arg, struct slice before, struct slice word, struct buf *out);

/** prompt_open - start, and install signal handlers if lines can be edited; Return: whether they can be edited */
bool prompt_open(prompt_complete_fn *complete, void *arg);

/** prompt_remember - add a command or a whole statement to the history, as one entry */
void prompt_remember(struct slice text);

/** prompt_close - save the history and free everything */
void prompt_close(void);

enum { PROMPT_LINE, PROMPT_INTERRUPTED, PROMPT_END, PROMPT_FAILED };

/**
 * prompt_read - read the next line, without its newline
 * @ask: the text before the line, on a terminal
 * @out: replaced
 *
 * Return: PROMPT_LINE; PROMPT_END; PROMPT_INTERRUPTED if Ctrl-C abandoned the line; PROMPT_FAILED if standard input
 *         cannot be read, with errno set, EMSGSIZE if the line exceeds LINES_MAX
 */
int prompt_read(const char *ask, struct buf *out);

/** prompt_was_interrupted - return true if Ctrl-C was typed on the terminal since prompt_read() began */
bool prompt_was_interrupted(void);

#endif
