/*
 * libcurl - the functions of libcurl, which is loaded when it is first needed
 *
 * libcurl depends on about twenty other libraries.  A command that opens a store itself needs none of them.
 */
#ifndef STORE_WIRE_CLIENT_LIBCURL_H
#define STORE_WIRE_CLIENT_LIBCURL_H

#include <curl/curl.h>

#include "store/base/core/base.h"

#define LIBCURL_NAME "libcurl.so.4"
#define LIBCURL_AGENT "itemfs/" ITEMFS_VERSION /* User-Agent */

/* All functions that are used: curl_NAME is the member NAME of struct libcurl. */
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
 * libcurl_load - load the library, which then stays loaded, and look up its functions
 * @name: LIBCURL_NAME
 *
 * Errors:  -ERR_NOT_SUPPORTED  the library is missing or lacks a function
 */
int libcurl_load(struct call *c, const char *name, struct libcurl *out) must_check;

#endif
