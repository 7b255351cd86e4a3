/* process - state of other processes, from /proc */
#ifndef STORE_BASE_SYSTEM_PROCESS_H
#define STORE_BASE_SYSTEM_PROCESS_H

#include "store/base/core/base.h"

/**
 * process_thread_is_dying - return true if a thread has been killed or is ending
 * @stat: the text of /proc/PID/task/TID/stat
 *
 * Such a thread never returns from the kernel to the program, but it may wait in the kernel for ever.
 */
bool process_thread_is_dying(const char *stat);

/**
 * process_is_dying - return true if the process exists and all its threads are dying
 *
 * Returns false if /proc does not show the process.  A slow or stopped process is not dying.
 */
bool process_is_dying(pid_t pid);

/**
 * process_terminal - the controlling terminal of a process, and its start time in the kernel's units
 * @terminal: set to 0 if it has none
 *
 * Return: false if they cannot be read
 */
bool process_terminal(pid_t pid, dev_t *terminal, uint64_t *started);

/** process_is_stopped - return true if a signal (Ctrl-Z, kill -STOP) has stopped the process until it is continued */
bool process_is_stopped(pid_t pid);

#endif
