/* post_target - where requests go: the parts of an endpoint's URL */
#ifndef STORE_WIRE_CLIENT_POST_TARGET_H
#define STORE_WIRE_CLIENT_POST_TARGET_H

#include "store/base/core/call.h"
#include "store/wire/client/libcurl.h"

struct post_target {
	const char *url;
	const char *host; /* as it is sent and signed */
	const char *path;
};

/**
 * post_target_read - in the call's arena; @url stays the caller's
 *
 * Errors:  -ERR_VALIDATION  it is not http(s)://HOST:PORT
 */
int post_target_read(struct call *c, const struct libcurl *lib, const char *url,
		     struct post_target *out) __attribute__((warn_unused_result));

/** post_target_copy - on the heap, until post_target_free() */
struct post_target post_target_copy(const struct post_target *t);
void post_target_free(const struct post_target *t);

#endif
