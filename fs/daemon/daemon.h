/*
 * daemon - going to the background
 *
 * The parent waits until the child is ready or has ended, so that a mount that
 * fails does so in front of its user, with the sentence and the exit status.
 */
#ifndef FS_DAEMON_DAEMON_H
#define FS_DAEMON_DAEMON_H

#include <signal.h>
#include <stdbool.h>

/**
 * daemon_fork - leave the parent waiting for daemon_ready(); before any thread is made
 *
 * Only the child returns, with no other descriptor open than the first three and this one.  The
 * parent ends with 0 when the child is ready, else with its status.
 * Return: what daemon_ready() wants, or -1 when there is no second process (a sentence was printed)
 */
int daemon_fork(void);

/**
 * daemon_ready - let the parent go: from here on there is no terminal
 * @parent: of daemon_fork()
 * @log:    absolute path; standard error goes there
 */
void daemon_ready(int parent, const char *log);

/**
 * daemon_reopen - standard error to the file of that name as it is now (after logrotate)
 *
 * A symbolic link is not followed; what another user has left there gives way to a new file.
 */
void daemon_reopen(const char *log);

/** daemon_is_told_to_end - has a signal come that is blocked?  As given_up of a call (store/base/core/call.h) */
bool daemon_is_told_to_end(const void *nobody);

/** daemon_signals - those that owner_run() answers */
void daemon_signals(sigset_t *out);

/** daemon_block_signals - them; before any thread is made */
void daemon_block_signals(void);

/**
 * daemon_let_signals_end_it - the mounts are gone and what was written to them is durable
 *
 * What is left, a backup that is being written, may take long: who asks again, or now, need not wait for it.
 */
void daemon_let_signals_end_it(void);

#endif
