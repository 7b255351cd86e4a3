/* socket_path - see socket_path.h */
#include "store/base/system/socket_path.h"

#include <fcntl.h>
#include <sys/un.h>

_Static_assert(SOCKET_PATH_MAX == sizeof(((struct sockaddr_un *)0)->sun_path),
	       "a path of SOCKET_PATH_MAX bytes fits");

int
socket_path_below(struct call *c, int dir, const char *name, char *out)
{
	assert(dir >= 0);
	int n = snprintf(out, SOCKET_PATH_MAX, "/proc/self/fd/%d/%s", dir, name);

	return n >= 0 && n < SOCKET_PATH_MAX
		       ? 0
		       : call_fail(c, ERR_IO, "the name of the socket is too long: %s", name);
}

int
socket_path(struct call *c, const char *path, char *out, int *dir)
{
	*dir = -1;
	if (strlen(path) < SOCKET_PATH_MAX) {
		(void)snprintf(out, SOCKET_PATH_MAX, "%s", path);
		return 0;
	}
	const char *slash = strrchr(path, '/');
	const char *folder =
		slash == NULL ? "."
			      : slice_cstr(&c->arena, slice_of(path, (size_t)(slash - path) + 1));
	const char *name = slash == NULL ? path : slash + 1;

	*dir = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (*dir < 0) {
		return call_fail(c, ERR_IO, "cannot open %s: %m", folder);
	}
	int r = socket_path_below(c, *dir, name, out);

	if (r < 0) {
		(void)close(*dir);
		*dir = -1;
	}
	return r;
}
