/* url - what of a URL may stand in a message, and whether it leads off this machine */
#ifndef STORE_BASE_TEXT_URL_H
#define STORE_BASE_TEXT_URL_H

#include <stdbool.h>

#include "store/base/core/arena.h"

/** url_shown - @url, which may be none, without "user:password@"; in @a, or @url itself */
const char *url_shown(struct arena *a, const char *url);

/**
 * url_is_far - does the name of a store mean DynamoDB, or a server that is not on a loopback address?
 * @name: a directory, which never is far; http(s)://HOST:PORT; dynamodb:REGION, which always is, since what
 *        AWS_ENDPOINT_URL leads to may be a tunnel
 *
 * No name is resolved: only localhost, names below it and loopback addresses as they are written are near.
 */
bool url_is_far(const char *name);

/**
 * url_server - the server that @url means, as HOST:PORT, written in one way
 *
 * Capitals, the scheme's own port, user and password, a '.' at the end, escapes, and how an address is written
 * (127.1, [0:0::1]) make no difference.  localhost, 127.0.0.1 and ::1 are one.
 *
 * Return: in @a; empty: it is no http(s)://HOST
 */
struct slice url_server(struct arena *a, const char *url);

#endif
