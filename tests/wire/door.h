/* door - the HTTP door twice, on a Unix socket and on TCP, over an engine that only takes notes */
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
	char answer[DOOR_ANSWER_BYTES]; /* the last one */
	bool asked_refused;             /* OP_REFUSED has come */
};

extern struct door door;

/* The door's servers wait at their end for longer than any test may take: what waits for that is found out. */
enum { DOOR_STOP_MS = 60 * 60 * 1000 };

/** door_open, door_close - setup and teardown of a suite */
void door_open(void);
void door_close(void);

/** door_post - a request with a body and its length */
const char *door_post(const char *target, const char *body);

/** door_say, door_say_tcp - send bytes, read one answer; its status */
unsigned door_say(const char *bytes);
unsigned door_say_tcp(const char *bytes);

/* Parts of the last answer; a header is in the call's arena. */
unsigned door_status(void);
const char *door_body(void);
const char *door_header(const char *name);

/** door_saw - was this the engine's last request? */
bool door_saw(enum op_type type, const char *body);

#endif
