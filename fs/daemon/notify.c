/*
 * notify - systemd's readiness protocol
 *
 * The protocol is one datagram, and systemd promises not to change it.  libsystemd would add five libraries
 * (DECISIONS.md).
 */
#include "fs/daemon/notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "store/base/core/cleanup.h"

void
notify(const char *state)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): no thread changes the environment */
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	size_t len = path == NULL ? 0 : strlen(path);

	if (len < 2 || len >= sizeof(to.sun_path) || (path[0] != '/' && path[0] != '@')) {
		return;
	}
	memcpy(to.sun_path, path, len);
	if (path[0] == '@') {
		to.sun_path[0] = '\0';
	}
	cleanup(cleanup_fd) int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd >= 0) {
		(void)sendto(fd, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&to,
			     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len));
	}
}
