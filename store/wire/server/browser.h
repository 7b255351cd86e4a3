/* browser - a request of a browser: what it asks for, and who may (store/page makes the page) */
#ifndef STORE_WIRE_SERVER_BROWSER_H
#define STORE_WIRE_SERVER_BROWSER_H

#include "store/wire/server/http_request.h"

enum { BROWSER_TOKEN_MIN = 16 }; /* characters of a secret in a path */

/** browser_check_token - may it stand in a path, and is it hard to guess?  Errors: -ERR_VALIDATION */
int browser_check_token(struct call *c, const char *token) __attribute__((warn_unused_result));

/**
 * browser_asks - is this GET or HEAD for a page?
 *
 * One whose Accept names HTML; where there is a token, only below it.  Where credentials are asked for and
 * there is no token, there are no pages.
 */
bool browser_asks(const struct request *r, const char *url);

/** browser_begin - make the page; as operation_begin() */
void browser_begin(struct request *r, const char *url);

#endif
