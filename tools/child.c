/* child - see child.h */
#include "tools/child.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int
child_start(const char *const argv[], const posix_spawn_file_actions_t *actions, pid_t *pid)
{
	sigset_t defaults;
	posix_spawnattr_t attr;

	(void)sigemptyset(&defaults);
	(void)sigaddset(&defaults, SIGINT);
	(void)sigaddset(&defaults, SIGQUIT);
	(void)sigaddset(&defaults, SIGPIPE);
	(void)posix_spawnattr_init(&attr);
	(void)posix_spawnattr_setsigdefault(&attr, &defaults);
	(void)posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	int r = posix_spawnp(pid, argv[0], actions, &attr, (char *const *)argv, environ);

	(void)posix_spawnattr_destroy(&attr);
	return r;
}

int
child_wait(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
	}
	return status;
}
