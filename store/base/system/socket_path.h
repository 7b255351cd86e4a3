/* socket_path - the name of a Unix socket, however long its path is */
#ifndef STORE_BASE_SYSTEM_SOCKET_PATH_H
#define STORE_BASE_SYSTEM_SOCKET_PATH_H

#include "store/base/core/call.h"

/* Room for the path under which a Unix socket can be named in a struct sockaddr_un. */
enum { SOCKET_PATH_MAX = 108 };

/**
 * socket_path - a path that fits into struct sockaddr_un
 * @path: of the socket
 * @out:  SOCKET_PATH_MAX bytes: @path, or /proc/self/fd/N/NAME when it is too long
 * @dir:  the descriptor N, to be kept open as long as @out is used; -1 when not needed
 *
 * Errors:  -ERR_IO  its directory cannot be opened, or NAME alone is too long
 */
int socket_path(struct call *c, const char *path, char *out, int *dir)
	__attribute__((warn_unused_result));

/**
 * socket_path_below - likewise of a socket in a directory that is open, whatever becomes of its name
 * @dir: to be kept open as long as @out is used
 *
 * Errors:  -ERR_IO  @name is too long
 */
int socket_path_below(struct call *c, int dir, const char *name, char *out)
	__attribute__((warn_unused_result));

#endif
