/*
 * libcurl - loaded when there is somebody to be a client of, not when a program starts
 *
 * With libcurl come some twenty libraries; a command on a store that is free
 * needs none of them.
 */
#ifndef STORE_WIRE_CLIENT_LIBCURL_H
#define STORE_WIRE_CLIENT_LIBCURL_H

#include <curl/curl.h>

#include "store/base/core/call.h"

#define LIBCURL_NAME "libcurl.so.4"
#define LIBCURL_AGENT "itemfs/" ITEMFS_VERSION /* what servers are told of who asks */

/* All that is used of it: each curl_NAME is the member NAME. */
#define LIBCURL_FUNCTIONS(F) \
	F(global_init) \
	F(global_cleanup) \
	F(easy_init) \
	F(easy_setopt) \
	F(easy_perform) \
	F(easy_getinfo) \
	F(easy_strerror) \
	F(easy_cleanup) \
	F(multi_init) \
	F(multi_add_handle) \
	F(multi_perform) \
	F(multi_poll) \
	F(multi_info_read) \
	F(multi_remove_handle) \
	F(multi_cleanup) \
	F(slist_append) \
	F(slist_free_all) \
	F(url) \
	F(url_set) \
	F(url_get) \
	F(url_cleanup) \
	F(getdate) \
	F(free)

struct libcurl {
#define F(name) __typeof__ (&curl_##name)(name);
	LIBCURL_FUNCTIONS(F)
#undef F
};

/**
 * libcurl_load - its functions; what is loaded once stays
 * @name: LIBCURL_NAME
 *
 * Errors:  -ERR_NOT_SUPPORTED  there is none, or one that lacks a function
 */
int libcurl_load(struct call *c, const char *name, struct libcurl *out)
	__attribute__((warn_unused_result));

/** libcurl_set_trust - certificates other than the system's: a file, a folder; NULL: the system's */
void libcurl_set_trust(const struct libcurl *lib, CURL *curl, const char *file, const char *folder);

#endif
