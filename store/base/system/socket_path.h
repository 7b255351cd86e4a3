/* socket_path - path for a Unix socket that fits into struct sockaddr_un, even if the real path is too long */
#ifndef STORE_BASE_SYSTEM_SOCKET_PATH_H
#define STORE_BASE_SYSTEM_SOCKET_PATH_H

#include "store/base/core/base.h"

/* Bytes of the path in struct sockaddr_un, including the NUL. */
enum { SOCKET_PATH_MAX = 108 };

/**
 * socket_path - make a path that fits into struct sockaddr_un
 * @path: of the socket
 * @out:  SOCKET_PATH_MAX bytes: set to @path, or to /proc/self/fd/N/NAME if that is too long
 * @dir:  set to the descriptor N, which the caller closes when @out is no longer used; -1 if there is none
 *
 * Errors:  -ERR_IO  the directory cannot be opened, or NAME alone is too long
 */
int socket_path(struct call *c, const char *path, char *out, int *dir) must_check;

/**
 * socket_path_below - as socket_path(), for a socket in an open directory, which may be renamed
 * @dir: of the directory; must stay open as long as @out is used
 *
 * Errors:  -ERR_IO  @name is too long
 */
int socket_path_below(struct call *c, int dir, const char *name, char *out) must_check;

#endif
