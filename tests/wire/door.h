/* door - two HTTP servers, on a Unix socket and on TCP, for an engine that only records requests */
#ifndef TESTS_WIRE_DOOR_H
#define TESTS_WIRE_DOOR_H

#include "store/wire/server/server.h"

#include "tests/wire/wire_test.h"

enum { DOOR_ANSWER_BYTES = 64 * 1024 };

#define DOOR_TYPE "Content-Type: application/x-amz-json-1.0\r\n"
#define DOOR_GET_ITEM "{\"TableName\":\"abc\",\"Key\":{\"PK\":{\"S\":\"x\"}}}"

struct door {
	struct call c;
	struct fake_engine fake;
	const char *folder;
	char path[128];
	struct server *local; /* on the Unix socket */
	struct server *tcp;
	char answer[DOOR_ANSWER_BYTES]; /* the last answer */
	bool asked_refused;             /* OP_REFUSED was received */
};

extern struct door door;

/* At its end a server waits longer than any test may take, so that a test that depends on this wait is noticed. */
enum { DOOR_STOP_MS = 60 * 60 * 1000 };

/** door_open, door_close - setup and teardown of a suite */
void door_open(void);
void door_close(void);

/** door_post - make a POST request with a body and its length */
const char *door_post(const char *target, const char *body);

/** door_say, door_say_tcp - send bytes and read one answer.  Return: its status */
unsigned door_say(const char *bytes);
unsigned door_say_tcp(const char *bytes);

/* Parts of the last answer; a header is in the call's arena. */
unsigned door_status(void);
const char *door_body(void);
const char *door_header(const char *name);

/** door_saw - return true if this was the engine's last request */
bool door_saw(enum op_type type, const char *body);

#endif
