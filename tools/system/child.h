/* child - starts other programs, with the dispositions of SIGINT, SIGQUIT and SIGPIPE that this process inherited */
#ifndef TOOLS_SYSTEM_CHILD_H
#define TOOLS_SYSTEM_CHILD_H

#include "store/base/core/base.h"

/** child_inherit - note which of these signals are ignored; to be called before this process changes them */
void child_inherit(void);

enum child_form {
	CHILD_PLAIN,
	CHILD_APART, /* in its own session, so that the child survives the end of our terminal */
	CHILD_CLEAN, /* also with at most six environment variables, so none that set its options */
};

/**
 * child_start - start a program by its name in PATH
 * @argv: ends with NULL
 * @fds:  its standard input, output and error; NULL: those of this process
 *
 * Return: 0, or an errno
 */
int child_start(const char *const argv[], const int fds[3], enum child_form form, pid_t *pid);

/**
 * child_memory - an unnamed file in memory, for data that a child writes or reads
 * @flags: MFD_CLOEXEC, or 0: programs that this process becomes or starts keep it open
 *
 * The file cannot be executed, so systems that forbid executable memory (vm.memfd_noexec) allow it.
 * Return: a descriptor; -1 with errno on failure
 */
int child_memory(const char *name, unsigned flags);

/** child_wait - wait for the end of a child; Return: its status as of waitpid(2) */
int child_wait(pid_t pid);

#endif
