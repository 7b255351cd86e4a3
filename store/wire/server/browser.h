/* browser - requests of browsers for pages, which store/page generates */
#ifndef STORE_WIRE_SERVER_BROWSER_H
#define STORE_WIRE_SERVER_BROWSER_H

#include "store/wire/server/http_request.h"

enum { BROWSER_TOKEN_MIN = 16 }; /* characters of a secret in a path */

/** browser_check_token - check that a token can be in a path and is hard to guess; Errors: -ERR_VALIDATION */
int browser_check_token(struct call *c, const char *token) must_check;

/**
 * browser_asks - Return: whether a GET or HEAD request is for a page
 *
 * That is one whose Accept header names HTML and, if there is a token, whose path begins with it.  If there are
 * credentials and no token, there are no pages.
 */
bool browser_asks(const struct request *r, const char *url);

/** browser_begin - generate the page in a worker, as operation_begin(); Thread: the loop */
void browser_begin(struct request *r, const char *url);

#endif
