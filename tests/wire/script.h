/*
 * script - a TCP server that follows a script of answers, to test a client
 *
 * Each request gets the next answer, whatever the request is.
 */
#ifndef TESTS_WIRE_SCRIPT_H
#define TESTS_WIRE_SCRIPT_H

#include <stdatomic.h>

#include "store/engine/engine.h"
#include "store/wire/client/client.h"

enum { SCRIPT_REQUEST_MAX = 8192 };

/* Steps other than answers.  "" ends the script: later connections are closed. */
#define SCRIPT_END ""
#define SCRIPT_SILENT "close" /* read the request, close without an answer */
#define SCRIPT_RESET "reset"  /* read only the first byte, then reset the connection */
/* Prefix of an answer: close the connection after it. */
#define SCRIPT_LAST "last "

struct script {
	pthread_t thread;
	int listener;
	int port;
	const char *const *answers;
	atomic_uint requests; /* number of requests so far */
	char request
		[SCRIPT_REQUEST_MAX]; /* the last request; read it only after the client got its answer */
};

/** script_start - start the server and a client of it, for which it is a foreign server */
struct engine *script_start(struct script *s, struct call *c, const char *const *answers);

/** script_start_as - like script_start(), with other options of the client; the URL is that of the server */
struct engine *script_start_as(struct script *s, struct call *c, const char *const *answers,
			       struct client_options o);

/** script_stop - stop the client, then the server, whose thread would otherwise wait for the client's connection */
void script_stop(struct script *s, struct engine *e);

#endif
