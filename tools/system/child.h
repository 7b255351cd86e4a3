/* child - starts other programs, with the dispositions of SIGINT, SIGQUIT and SIGPIPE that this process inherited */
#ifndef TOOLS_SYSTEM_CHILD_H
#define TOOLS_SYSTEM_CHILD_H

#include <spawn.h>
#include <sys/types.h>

/** child_inherit - note which of these signals are ignored; to be called before this process changes them */
void child_inherit(void);

/**
 * child_start - start a program by its name in PATH
 * @argv: ends with NULL
 * @actions: for its descriptors, or NULL
 *
 * Return: 0, or an errno
 */
int child_start(const char *const argv[], const posix_spawn_file_actions_t *actions, pid_t *pid);

/** child_start_apart - as child_start(), in its own session, so that the child survives the end of our terminal */
int child_start_apart(const char *const argv[], const posix_spawn_file_actions_t *actions,
		      pid_t *pid);

/** child_start_clean - as child_start_apart(), with at most six environment variables, so none that set its options */
int child_start_clean(const char *const argv[], const posix_spawn_file_actions_t *actions,
		      pid_t *pid);

/** child_wait - wait for the end of a child; Return: its status as of waitpid(2) */
int child_wait(pid_t pid);

#endif
