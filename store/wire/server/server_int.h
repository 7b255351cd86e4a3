/* server_int - the HTTP door's two halves: server.c listens, starts and stops; http_request.c answers */
#ifndef STORE_WIRE_SERVER_SERVER_INT_H
#define STORE_WIRE_SERVER_SERVER_INT_H

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>

#include "store/base/core/workers.h"
#include "store/wire/codec/codec.h"
#include "store/wire/proto/credentials.h"
#include "store/wire/server/connections.h"
#include "store/wire/server/server.h"

struct server {
	struct engine *e;
	struct MHD_Daemon *daemon;
	struct workers *workers;
	struct workers *readers; /* few, for what makes large answers and waits for no mount */
	struct connections *connections;
	enum codec_peer peer; /* CODEC_OWN on the Unix socket */
	char *socket;         /* path to remove at the end, or NULL */
	unsigned lent;        /* descriptors for connections: store/base/system/descriptors.h */
	int listener;
	int log; /* a descriptor, of struct server_options; -1: none */
	int port;
	server_refused_fn *refused;
	void *refused_arg;
	uint64_t (*now_ms)(void);
	unsigned fresh_ms;        /* see struct server_options */
	unsigned stop_ms;         /* likewise */
	char self[256];           /* this machine's name */
	struct call call;         /* memory of what follows */
	struct credentials known; /* who may ask; none: anybody */
	const char *hosts;        /* further names of this machine, separated by ':', or NULL */
	const char *token;        /* behind which a browser finds the pages, or NULL */
	const struct page_patterns *patterns; /* of the pages, or NULL */
	const char *cors;                     /* origin of web pages that may ask, or NULL */
	uint64_t seed;                        /* of request ids */
	atomic_uint_fast64_t ids;             /* given out */
	atomic_size_t taking;                 /* bytes that operations under way may yet take */
	atomic_size_t bodies;                 /* bytes held for all requests */
	atomic_ullong said_not_http;          /* not_http_say() */

	pthread_mutex_t lock;     /* of what follows */
	pthread_cond_t fewer;     /* one of the next two has become less */
	unsigned open;            /* requests that have arrived and whose answer is not out */
	struct slice advised[32]; /* what advice_say() has said, in the call's arena */
	size_t n_advised;
	unsigned under_way; /* those of them that the engine or a worker has */
	bool stopping;      /* no request begins any more */
};

/** request_access - libmicrohttpd's: headers, each piece of the body, the end of it */
enum MHD_Result request_access(void *server, struct MHD_Connection *connection, const char *url,
			       const char *method, const char *version, const char *upload,
			       size_t *upload_size, void **state);

/** request_line - libmicrohttpd's: the first line of a request is there */
void *request_line(void *server, const char *uri, struct MHD_Connection *connection);

/** request_completed - libmicrohttpd's: the answer is out, or never will be */
void request_completed(void *server, struct MHD_Connection *connection, void **state,
		       enum MHD_RequestTerminationCode why);

#endif
