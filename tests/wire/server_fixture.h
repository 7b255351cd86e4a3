/* server_fixture - two HTTP servers, on a Unix socket and on TCP, for an engine that only records requests */
#ifndef TESTS_WIRE_SERVER_FIXTURE_H
#define TESTS_WIRE_SERVER_FIXTURE_H

#include "store/wire/server/server.h"

#include "tests/wire/wire_test.h"

enum { SERVER_FIXTURE_ANSWER_BYTES = 64 * 1024 };

#define SERVER_FIXTURE_TYPE "Content-Type: application/x-amz-json-1.0\r\n"
#define SERVER_FIXTURE_GET_ITEM "{\"TableName\":\"abc\",\"Key\":{\"PK\":{\"S\":\"x\"}}}"

struct server_fixture {
	struct call c;
	struct fake_engine fake;
	const char *folder;
	char path[128];
	struct server *local; /* on the Unix socket */
	struct server *tcp;
	char answer[SERVER_FIXTURE_ANSWER_BYTES]; /* the last answer */
	bool asked_refused;                       /* OP_REFUSED was received */
};

extern struct server_fixture server_fixture;

/* At its end a server waits longer than any test may take, so that a test that depends on this wait is noticed. */
enum { SERVER_FIXTURE_STOP_MS = 60 * 60 * 1000 };

/** server_fixture_open, server_fixture_close - setup and teardown of a suite */
void server_fixture_open(void);
void server_fixture_close(void);

/** server_fixture_restart - restart the server on TCP with other options */
void server_fixture_restart(const struct server_options *o);

/** server_fixture_post - make a POST request with a body and its length */
const char *server_fixture_post(const char *target, const char *body);

/** server_fixture_say, server_fixture_say_tcp - send bytes and read one answer.  Return: its status */
unsigned server_fixture_say(const char *bytes);
unsigned server_fixture_say_tcp(const char *bytes);

/* Parts of the last answer; a header is in the call's arena. */
unsigned server_fixture_status(void);
const char *server_fixture_body(void);
const char *server_fixture_header(const char *name);

/** server_fixture_saw - return true if this was the engine's last request */
bool server_fixture_saw(enum op_type type, const char *body);

#endif
