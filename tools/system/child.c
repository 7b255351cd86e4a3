/* child - see child.h */
#include "tools/system/child.h"

#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum {
	CHILD_KEPT = 6,           /* most variables of a clean environment */
	CHILD_NOEXEC_SEAL = 0x8U, /* MFD_NOEXEC_SEAL of Linux 6.3, which older headers lack */
};

static const int child_signals[] = {SIGINT, SIGQUIT, SIGPIPE};
static sigset_t child_ignored; /* signals that were ignored when this process started */

void
child_inherit(void)
{
	(void)sigemptyset(&child_ignored);
	for (size_t i = 0; i < sizeof(child_signals) / sizeof(*child_signals); i++) {
		struct sigaction inherited;

		if (sigaction(child_signals[i], NULL, &inherited) == 0 &&
		    inherited.sa_handler == SIG_IGN) {
			(void)sigaddset(&child_ignored, child_signals[i]);
		}
	}
}

/* The places of programs and libraries, and the language of names and messages. */
static char **
child_clean_environment(char *env[])
{
	static const char *const kept[CHILD_KEPT] = {
		"PATH=", "LD_LIBRARY_PATH=", "LANG=", "LC_CTYPE=", "LC_MESSAGES=", "LC_ALL="};
	size_t n = 0;

	for (size_t i = 0; i < CHILD_KEPT; i++) {
		char **at = environ;

		while (*at != NULL && strncmp(*at, kept[i], strlen(kept[i])) != 0) {
			at++;
		}
		if (*at != NULL) {
			env[n++] = *at;
		}
	}
	env[n] = NULL;
	return env;
}

int
child_start(const char *const argv[], const int fds[3], enum child_form form, pid_t *pid)
{
	short flags =
		(short)(POSIX_SPAWN_SETSIGDEF | (form == CHILD_PLAIN ? 0 : POSIX_SPAWN_SETSID));
	char *env[CHILD_KEPT + 1];
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t defaults;

	(void)sigemptyset(&defaults);
	for (size_t i = 0; i < sizeof(child_signals) / sizeof(*child_signals); i++) {
		if (sigismember(&child_ignored, child_signals[i]) != 1) {
			(void)sigaddset(&defaults, child_signals[i]);
		}
	}
	(void)posix_spawn_file_actions_init(&actions);
	for (int i = 0; fds != NULL && i < 3; i++) {
		(void)posix_spawn_file_actions_adddup2(&actions, fds[i], i);
	}
	(void)posix_spawnattr_init(&attr);
	(void)posix_spawnattr_setsigdefault(&attr, &defaults);
	(void)posix_spawnattr_setflags(&attr, flags);
	int r = posix_spawnp(pid, argv[0], &actions, &attr, (char *const *)argv,
			     form == CHILD_CLEAN ? child_clean_environment(env) : environ);

	(void)posix_spawnattr_destroy(&attr);
	(void)posix_spawn_file_actions_destroy(&actions);
	return r;
}

int
child_memory(const char *name, unsigned flags)
{
	int fd = memfd_create(name, flags | CHILD_NOEXEC_SEAL);

	return fd < 0 && errno == EINVAL ? memfd_create(name, flags) : fd; /* an older kernel */
}

int
child_wait(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
	}
	return status;
}
