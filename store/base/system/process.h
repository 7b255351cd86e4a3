/* process - what /proc tells of other processes */
#ifndef STORE_BASE_SYSTEM_PROCESS_H
#define STORE_BASE_SYSTEM_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * process_thread_is_dying - has a thread been killed, or is it ending?
 * @stat: the text of /proc/PID/task/TID/stat
 *
 * Such a thread never comes back from the kernel.  It may wait there for ever all the same.
 */
bool process_thread_is_dying(const char *stat);

/**
 * process_is_dying - is it still there, with all its threads dying?
 *
 * false also when /proc shows nothing of it.  A slow or stopped process is not dying.
 */
bool process_is_dying(pid_t pid);

/**
 * process_terminal - the terminal that a process has, and when the process was started, in the kernel's units
 *
 * Return: false: that is not known; without a terminal it is 0
 */
bool process_terminal(pid_t pid, dev_t *terminal, uint64_t *started);

/** process_is_stopped - by a signal, as of Ctrl-Z or kill -STOP: it does nothing until somebody continues it */
bool process_is_stopped(pid_t pid);

#endif
