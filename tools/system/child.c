/* child - see child.h */
#include "tools/system/child.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

static int
child_spawn(const char *const argv[], char *const env[], const posix_spawn_file_actions_t *actions,
	    short flags, pid_t *pid)
{
	sigset_t defaults;
	posix_spawnattr_t attr;

	(void)sigemptyset(&defaults);
	for (size_t i = 0; i < sizeof(child_signals) / sizeof(*child_signals); i++) {
		if (sigismember(&child_ignored, child_signals[i]) != 1) {
			(void)sigaddset(&defaults, child_signals[i]);
		}
	}
	(void)posix_spawnattr_init(&attr);
	(void)posix_spawnattr_setsigdefault(&attr, &defaults);
	(void)posix_spawnattr_setflags(&attr, (short)(POSIX_SPAWN_SETSIGDEF | flags));
	int r = posix_spawnp(pid, argv[0], actions, &attr, (char *const *)argv, env);

	(void)posix_spawnattr_destroy(&attr);
	return r;
}

int
child_start(const char *const argv[], const posix_spawn_file_actions_t *actions, pid_t *pid)
{
	return child_spawn(argv, environ, actions, 0, pid);
}

int
child_start_apart(const char *const argv[], const posix_spawn_file_actions_t *actions, pid_t *pid)
{
	return child_spawn(argv, environ, actions, POSIX_SPAWN_SETSID, pid);
}

int
child_start_clean(const char *const argv[], const posix_spawn_file_actions_t *actions, pid_t *pid)
{
	/* The places of programs and libraries, and the language of names and messages. */
	static const char *const kept[] = {
		"PATH=", "LD_LIBRARY_PATH=", "LANG=", "LC_CTYPE=", "LC_MESSAGES=", "LC_ALL="};
	char *env[sizeof(kept) / sizeof(*kept) + 1];
	size_t n = 0;

	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++) {
		char **at = environ;

		while (*at != NULL && strncmp(*at, kept[i], strlen(kept[i])) != 0) {
			at++;
		}
		if (*at != NULL) {
			env[n++] = *at;
		}
	}
	env[n] = NULL;
	return child_spawn(argv, env, actions, POSIX_SPAWN_SETSID, pid);
}

int
child_wait(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
	}
	return status;
}
