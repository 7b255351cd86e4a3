/* post_target - the parts of an endpoint's URL */
#ifndef STORE_WIRE_CLIENT_POST_TARGET_H
#define STORE_WIRE_CLIENT_POST_TARGET_H

#include "store/base/core/call.h"
#include "store/wire/client/libcurl.h"

struct post_target {
	const char *url;
	const char *host; /* value of the Host header, which is signed */
	const char *path;
};

/**
 * post_target_read - split @url; the parts are in the call's arena, @url is borrowed
 *
 * Errors:  -ERR_VALIDATION  @url is not http(s)://HOST:PORT
 */
int post_target_read(struct call *c, const struct libcurl *lib, const char *url,
		     struct post_target *out) __attribute__((warn_unused_result));

/** post_target_copy - Return: a copy on the heap, which post_target_free() frees */
struct post_target post_target_copy(const struct post_target *t);
void post_target_free(const struct post_target *t);

#endif
