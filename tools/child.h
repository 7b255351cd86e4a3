/* child - another program, with the keys that end one as they were before we took them */
#ifndef TOOLS_CHILD_H
#define TOOLS_CHILD_H

#include <spawn.h>
#include <sys/types.h>

/**
 * child_start - by its name in PATH
 * @actions: for its descriptors, or NULL
 *
 * Return: 0, or an errno
 */
int child_start(const char *const argv[], const posix_spawn_file_actions_t *actions, pid_t *pid);

/** child_wait - Return: its status as of waitpid(2) */
int child_wait(pid_t pid);

#endif
