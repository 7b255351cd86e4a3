/* post_handle - a handle of libcurl: one connection, and the request that it carries */
#ifndef STORE_WIRE_CLIENT_POST_HANDLE_H
#define STORE_WIRE_CLIENT_POST_HANDLE_H

#include "store/wire/client/libcurl.h"
#include "store/wire/client/post.h"

enum {
	POST_SUM_MAX = 16, /* size of a checksum in decimal; a longer one cannot match */
	POST_ANSWER_MAX = 256 * 1024 * 1024, /* bytes of one answer */
};

struct post_handle {
	struct post_handle *next; /* in the list of idle ones */
	const struct libcurl *lib;
	CURL *curl;
	CURLM *multi;                  /* of this handle alone: keeps its connection */
	char problem[CURL_ERROR_SIZE]; /* libcurl's message about a failure */

	/* the present request */
	size_t most; /* bytes of an answer; post_handle_new() sets it to POST_ANSWER_MAX */
	bool once;   /* it must not be sent twice */
	int sent;    /* number of times that it was sent */
	const struct call *call;
	uint64_t until_ms;      /* see post_send() */
	bool too_long;          /* the answer */
	char sum[POST_SUM_MAX]; /* its x-amz-crc32; empty: none */
	uint64_t date_ms;       /* its Date; 0: none */
	struct buf answer;
};

/** post_handle_new - a handle without a connection; @lib and @to are borrowed */
struct post_handle *post_handle_new(const struct libcurl *lib, const struct client_options *to)
	__attribute__((returns_nonnull));

void post_handle_free(struct post_handle *h);

/**
 * post_handle_begin - forget the last request and begin another
 * @once, @until_ms: see struct post_request and post_send()
 *
 * The call's arena takes the answer.
 */
void post_handle_begin(struct post_handle *h, struct call *c, bool once, uint64_t until_ms);

/** post_handle_perform - send the request and receive its answer, as curl_easy_perform(), until the call is given up */
CURLcode post_handle_perform(const struct post_handle *h);

/** post_handle_judge - the result of a request; @code: of post_handle_perform(); @body: of the request */
void post_handle_judge(struct call *c, const struct post_handle *h, CURLcode code,
		       struct slice body, struct post_answer *out);

#endif
