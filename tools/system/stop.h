/*
 * stop - Ctrl-C: long work ends where it leaves everything whole, and says how far it came
 *
 * Who never calls stop_listen() dies of the signal at once.  A second signal, a fifth of a second
 * after the first or later, ends any program.  A signal that is ignored when the program starts, as
 * by nohup(1) and of a script's background, stays ignored.
 */
#ifndef TOOLS_SYSTEM_STOP_H
#define TOOLS_SYSTEM_STOP_H

#include "store/base/core/call.h"

/** stop_listen - from here on SIGINT, SIGTERM and SIGHUP are only noted, but those that are ignored */
void stop_listen(void);

/** stop_listen_by - likewise, by another clock than clock_steady_ms(), which is read in a signal handler and is never 0 */
void stop_listen_by(uint64_t (*steady_ms)(void));

/** stop_asked - the signal that has come, or 0; any thread */
int stop_asked(void);

/** stop_asked_for_ms - has it come, and has so much time passed since? any thread */
bool stop_asked_for_ms(unsigned ms);

/** stop_pause - sleep; false: a signal has come */
bool stop_pause(unsigned ms) __attribute__((warn_unused_result));

/** stop_check - Errors: -ERR_BUSY  "interrupted" */
int stop_check(struct call *c) __attribute__((warn_unused_result));

#endif
