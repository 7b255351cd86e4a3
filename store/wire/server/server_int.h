/* server_int - state of the server, and the callbacks of libmicrohttpd */
#ifndef STORE_WIRE_SERVER_SERVER_INT_H
#define STORE_WIRE_SERVER_SERVER_INT_H

#include <microhttpd.h>
#include <stdatomic.h>

#include "store/base/core/workers.h"
#include "store/wire/codec/codec.h"
#include "store/wire/proto/credentials.h"
#include "store/wire/server/connections.h"
#include "store/wire/server/server.h"

struct server {
	struct engine *e;
	struct http_loops *loops;
	struct workers *workers;
	struct workers
		*readers; /* few, for operations with large answers, which do not wait for mounts */
	struct connections *connections;
	enum codec_peer peer; /* CODEC_OWN on the Unix socket */
	char *socket;         /* path to remove at the end, or NULL */
	unsigned lent;        /* number of descriptors for connections, see descriptors.h */
	int listener;
	int log; /* descriptor of the request log; -1: none */
	int port;
	server_refused_fn *refused;
	void *refused_arg;
	uint64_t (*now_ms)(void);
	unsigned fresh_ms;        /* see struct server_options */
	unsigned stop_ms;         /* likewise */
	char self[256];           /* this machine's name */
	struct call call;         /* memory of the next fields */
	struct credentials known; /* keys that may sign requests; empty: no signature is needed */
	bool trust_network;       /* see struct server_options */
	const char *hosts;        /* further names of this machine, separated by ':', or NULL */
	const char *token;        /* first component of the pages' path, or NULL */
	const struct page_patterns *patterns; /* of the pages, or NULL */
	const char *cors;            /* origin of web pages that may send requests, or NULL */
	uint64_t seed;               /* of request ids */
	atomic_uint_fast64_t ids;    /* number of request ids in use */
	atomic_size_t taking;        /* bytes that reads in progress may still allocate */
	atomic_size_t bodies;        /* bytes of all request bodies */
	atomic_ullong said_not_http; /* see not_http_say() */
	pthread_key_t spare;         /* of each loop: memory for its next request, or NULL */

	pthread_mutex_t lock;     /* guards the next fields */
	pthread_cond_t fewer;     /* @open or @under_way has decreased */
	unsigned open;            /* requests that have arrived and are not answered completely */
	struct slice advised[32]; /* hints that advice_say() has given, in the call's arena */
	size_t n_advised;
	unsigned under_way; /* those of @open that the engine or a worker has */
	bool stopping;      /* no request may begin */
};

/** request_access - callback: the headers, each piece of the body, and the end of a request */
enum MHD_Result request_access(void *server, struct MHD_Connection *connection, const char *url,
			       const char *method, const char *version, const char *upload,
			       size_t *upload_size, void **state);

/** request_line - callback: the first line of a request has arrived */
void *request_line(void *server, const char *uri, struct MHD_Connection *connection);

/** request_completed - callback: the answer was sent, or will never be */
void request_completed(void *server, struct MHD_Connection *connection, void **state,
		       enum MHD_RequestTerminationCode why);

#endif
