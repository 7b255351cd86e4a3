/*
 * stop - notes SIGINT, SIGTERM and SIGHUP, so that long work can end in a consistent state and report its progress
 *
 * Without stop_listen() these signals end the process immediately. After it, a second signal ends the process if it
 * comes more than 200 ms after the first. A signal that was ignored when the program started, as by nohup(1) or in the
 * background of a script, stays ignored.
 */
#ifndef TOOLS_SYSTEM_STOP_H
#define TOOLS_SYSTEM_STOP_H

#include "store/base/core/base.h"

/** stop_listen - only note the signals from now on; also uses SIGALRM and alarm(2) */
void stop_listen(void);

/** stop_listen_by - as stop_listen(), for tests: @steady_ms replaces clock_steady_ms(); async-signal-safe, never 0 */
void stop_listen_by(uint64_t (*steady_ms)(void));

/** stop_asked - the first signal that came, or 0; any thread */
int stop_asked(void);

/** stop_asked_for_ms - return true if a signal came at least @ms ago; any thread */
bool stop_asked_for_ms(unsigned ms);

/** stop_pause - sleep; any thread; Return: false if a signal has come */
bool stop_pause(unsigned ms) must_check;

/** stop_check - fail if a signal has come; any thread; Errors: -ERR_BUSY  "interrupted" */
int stop_check(struct call *c) must_check;

#endif
