/*
 * daemon - the process in the background: fork, signals, log
 *
 * The parent waits until the child is ready or has ended, so that the user of a mount that fails gets its message and
 * its exit status.
 */
#ifndef FS_DAEMON_DAEMON_H
#define FS_DAEMON_DAEMON_H

#include <signal.h>

#include "store/base/core/base.h"

/**
 * daemon_fork - fork a child that becomes the daemon; to be called before any thread is started
 *
 * Only the child returns, with no open descriptors except the first three, the returned one and @device (-1: none).  The
 * parent exits with 0 after daemon_ready(), or with the child's status.
 * Return: the descriptor for daemon_ready(); -1: there is no child, and a message was printed
 */
int daemon_fork(int device);

/**
 * daemon_ready - let the parent exit, and leave the terminal
 * @parent: descriptor from daemon_fork()
 * @log:    absolute path of the file for standard error; NULL: none
 */
void daemon_ready(int parent, const char *log);

/**
 * daemon_reopen - open the log again as standard error (after logrotate); nothing for NULL
 *
 * A symbolic link or a file with several names is not opened.  If access is denied, the file is replaced by a new one.
 */
void daemon_reopen(const char *log);

/** daemon_is_told_to_end - Return: whether SIGTERM or SIGINT is pending; for call.given_up (store/base/core/call.h) */
bool daemon_is_told_to_end(const void *nobody);

/** daemon_signals - set @out to the signals that owner_run() handles */
void daemon_signals(sigset_t *out);

/** daemon_block_signals - block these signals and ignore SIGPIPE; to be called before any thread is started */
void daemon_block_signals(void);

/**
 * daemon_let_signals_end_it - let SIGTERM and SIGINT end the process
 *
 * To be called when the mounts are gone and their writes are durable.  The rest, such as a backup that is being
 * written, may take long.
 */
void daemon_let_signals_end_it(void);

/**
 * daemon_notify - send a message to the service manager, as sd_notify(3), if NOTIFY_SOCKET is set
 * @state: "READY=1", "STOPPING=1"
 *
 * NOTIFY_SOCKET is an absolute path, or '@' and an abstract name.  Failures are ignored.
 */
void daemon_notify(const char *state);

#endif
