/* url - parts of a URL: without credentials for messages, whether it leads off this machine, the server */
#ifndef STORE_BASE_TEXT_URL_H
#define STORE_BASE_TEXT_URL_H

#include "store/base/core/base.h"

/** url_shown - @url without "user:password@", for messages; @url may be any text; Return: in @a, or @url itself */
const char *url_shown(struct arena *a, const char *url);

/**
 * url_is_far - return true if the name of a store means DynamoDB, or a server that is not on a loopback address
 * @name: a directory, which is never far; http(s)://HOST:PORT; or dynamodb:REGION, which is always far, since
 *        AWS_ENDPOINT_URL may lead to a tunnel
 *
 * Resolves no names: only localhost, names below it and literal loopback addresses are on this machine.
 */
bool url_is_far(const char *name);

/**
 * url_server - the server of @url, normalized to HOST:PORT
 *
 * Case, the scheme's default port, user and password, a '.' at the end, escapes, and the notation of an address
 * (127.1, [0:0::1]) make no difference.  localhost, 127.0.0.1 and ::1 are the same.
 *
 * Return: in @a; empty if @url is not http(s)://HOST.
 */
struct slice url_server(struct arena *a, const char *url);

#endif
