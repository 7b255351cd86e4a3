/* child - another program, with the signals of the keyboard and of pipes as this process got them */
#ifndef TOOLS_SYSTEM_CHILD_H
#define TOOLS_SYSTEM_CHILD_H

#include <spawn.h>
#include <sys/types.h>

/** child_inherit - note which signals are ignored: children ignore them, too; before this process changes any */
void child_inherit(void);

/**
 * child_start - start a program by its name in PATH
 * @actions: for its descriptors, or NULL
 *
 * Return: 0, or an errno
 */
int child_start(const char *const argv[], const posix_spawn_file_actions_t *actions, pid_t *pid);

/** child_start_apart - as child_start(), in a session of its own: the child survives the end of our terminal */
int child_start_apart(const char *const argv[], const posix_spawn_file_actions_t *actions,
		      pid_t *pid);

/** child_start_clean - as child_start_apart(), with those variables only that any program needs: no options of its own from there */
int child_start_clean(const char *const argv[], const posix_spawn_file_actions_t *actions,
		      pid_t *pid);

/** child_wait - Return: its status as of waitpid(2) */
int child_wait(pid_t pid);

#endif
