/*
 * script - a server on TCP that follows a script of answers, to see what a client makes of them
 *
 * Each request takes the next answer, whatever it asks for.
 */
#ifndef TESTS_WIRE_SCRIPT_H
#define TESTS_WIRE_SCRIPT_H

#include <pthread.h>
#include <stdatomic.h>

#include "store/engine/engine.h"
#include "store/wire/client/client.h"

enum { SCRIPT_REQUEST_MAX = 8192 };

/* Steps that are no answers: "" ends the script and closes whatever comes. */
#define SCRIPT_END ""
#define SCRIPT_SILENT "close" /* read the request, close without a word */
#define SCRIPT_RESET "reset"  /* read only its beginning, then reset the connection */
/* In front of an answer: close behind it. */
#define SCRIPT_LAST "last "

struct script {
	pthread_t thread;
	int listener;
	int port;
	const char *const *answers;
	atomic_uint requests;             /* begun so far */
	char request[SCRIPT_REQUEST_MAX]; /* the last one; read it when the client has its answer */
};

/** script_start - and a client of it, which is another's server to it */
struct engine *script_start(struct script *s, struct call *c, const char *const *answers);

/** script_start_as - with more of the client's options; the URL is the script's */
struct engine *script_start_as(struct script *s, struct call *c, const char *const *answers,
			       struct client_options o);

/** script_stop - both; the client first, so that its connection does not hold up the thread */
void script_stop(struct script *s, struct engine *e);

#endif
