/* servers - see servers.h; it compares the descriptors of itemfs processes with the listening sockets */
#include "tools/system/servers.h"

#include <arpa/inet.h>
#include <limits.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "store/base/core/timing.h"
#include "store/base/text/url.h"

#include "tools/system/other_store.h"
#include "tools/text/fmt.h"

enum { SERVERS_SOCKETS = 4096, MS_PER_S = 1000, US_PER_MS = 1000 };

/* A listening socket on 127.0.0.1 or on all addresses */
struct listener {
	unsigned port;
	unsigned long inode;
};

/* List the listening sockets of this user. */
static size_t
servers_listeners(struct listener *out)
{
	enum { LISTEN = 0x0a };
	FILE *sockets = fopen("/proc/self/net/tcp", "re");
	char line[512];
	size_t n = 0;

	while (sockets != NULL && n < SERVERS_SOCKETS &&
	       fgets(line, sizeof(line), sockets) != NULL) {
		unsigned address;
		unsigned state;
		unsigned uid;
		struct listener l;

		/* NOLINTNEXTLINE(cert-err34-c): the kernel writes these numbers */
		if (sscanf(line, " %*u: %x:%x %*x:%*x %x %*x:%*x %*x:%*x %*x %u %*u %lu", &address,
			   &l.port, &state, &uid, &l.inode) == 5 &&
		    state == LISTEN && uid == geteuid() &&
		    (address == 0 || address == htonl(INADDR_LOOPBACK))) {
			out[n++] = l;
		}
	}
	if (sockets != NULL) {
		(void)fclose(sockets);
	}
	return n;
}

/* The port on which a process listens; 0 if there is none */
static unsigned
servers_port(pid_t pid, const struct listener *listeners, size_t n)
{
	char path[64];
	unsigned port = 0;

	(void)snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	cleanup(cleanup_dir) DIR *fds = opendir(path);

	/* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody else reads this stream */
	for (struct dirent *e; fds != NULL && port == 0 && (e = readdir(fds)) != NULL;) {
		char name[64] = "";
		unsigned long inode;

		if (readlinkat(dirfd(fds), e->d_name, name, sizeof(name) - 1) < 0 ||
		    sscanf(name, "socket:[%lu", &inode) != 1) { /* NOLINT(cert-err34-c) */
			continue;
		}
		for (size_t i = 0; i < n; i++) {
			port = listeners[i].inode == inode ? listeners[i].port : port;
		}
	}
	return port;
}

/* Read the beginning of a file of a process, followed by a NUL.  Return: bytes */
static size_t
servers_read(pid_t pid, const char *name, char *out, size_t size)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	FILE *file = fopen(path, "re");
	size_t n = file == NULL ? 0 : fread(out, 1, size - 1, file);

	out[n] = '\0';
	if (file != NULL) {
		(void)fclose(file);
	}
	return n;
}

static bool
servers_is_itemfs(pid_t pid)
{
	char text[64];

	return servers_read(pid, "comm", text, sizeof(text)) > 0 && strcmp(text, "itemfs\n") == 0;
}

size_t
servers_find(struct server *out)
{
	struct listener listeners[SERVERS_SOCKETS];
	size_t n_listeners = servers_listeners(listeners);
	cleanup(cleanup_dir) DIR *all = opendir("/proc");
	size_t n = 0;

	/* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody else reads this stream */
	for (struct dirent *e; all != NULL && n < SERVERS_MAX && (e = readdir(all)) != NULL;) {
		pid_t pid = (pid_t)strtol(e->d_name, NULL, 10);
		unsigned port = pid > 0 && servers_is_itemfs(pid)
					? servers_port(pid, listeners, n_listeners)
					: 0;

		if (port != 0) {
			out[n++] = (struct server){port, pid};
		}
	}
	return n;
}

bool
servers_answers(unsigned port)
{
	static const char request[] = "GET /health HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n";
	unsigned ms = timing_ms(TIMING_HEALTH);
	const struct timeval patience = {ms / MS_PER_S, (suseconds_t)(ms % MS_PER_S) * US_PER_MS};
	const struct sockaddr_in at = {.sin_family = AF_INET,
				       .sin_port = htons((uint16_t)port),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	char answer[] = "HTTP/1.1 200"; /* the beginning of a good one */
	const size_t n = sizeof(answer) - 1;
	cleanup(cleanup_fd) int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return fd >= 0 &&
	       setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) == 0 &&
	       setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)) == 0 &&
	       connect(fd, (const struct sockaddr *)&at, sizeof(at)) == 0 &&
	       send(fd, request, sizeof(request) - 1, MSG_NOSIGNAL) == sizeof(request) - 1 &&
	       recv(fd, answer, n, MSG_WAITALL) == (ssize_t)n &&
	       strcmp(answer + strlen("HTTP/1.1"), " 200") == 0;
}

const char *
servers_url(struct call *c, unsigned port)
{
	return arena_print(&c->arena, "http://127.0.0.1:%u", port);
}

bool
servers_only_serves(pid_t pid)
{
	static const char option[] = "\0--no-mount"; /* with both of its NULs */
	char line[PATH_MAX];

	return memmem(line, servers_read(pid, "cmdline", line, sizeof(line)), option,
		      sizeof(option)) != NULL;
}

/* The first word of its command line that is a store; paths are relative to its working directory. */
const char *
servers_store_of(struct call *c, pid_t pid)
{
	char cwd[PATH_MAX] = "";
	char path[64];
	char line[PATH_MAX];
	const char *found = NULL;

	(void)snprintf(path, sizeof(path), "/proc/%d/cwd", (int)pid);
	ssize_t length = readlink(path, cwd, sizeof(cwd) - 1);
	size_t n = servers_read(pid, "cmdline", line, sizeof(line)); /* each word ends with a NUL */

	for (size_t at = strlen(line) + 1; length > 0 && found == NULL && at < n;
	     at += strlen(line + at) + 1) {
		bool whole = line[at] == '/';
		struct slice store = fmt_slice(&c->arena, "%s%s%s", whole ? "" : cwd,
					       whole ? "" : "/", line + at);

		found = other_store_is(c, store) ? store.at : NULL;
	}
	return found;
}

const char *
servers_store(struct call *c, const char *url)
{
	struct slice server = url_server(&c->arena, url);
	struct server servers[SERVERS_MAX];
	size_t n = server.len == 0 || url_is_far(url) ? 0 : servers_find(servers);

	for (size_t i = 0; i < n; i++) {
		if (slice_eq(url_server(&c->arena, servers_url(c, servers[i].port)), server)) {
			return servers_store_of(c, servers[i].pid);
		}
	}
	return NULL;
}
