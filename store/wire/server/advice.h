/* advice - hints on the server's standard error that tell how to correct a refused request */
#ifndef STORE_WIRE_SERVER_ADVICE_H
#define STORE_WIRE_SERVER_ADVICE_H

#include "store/wire/server/server_int.h"

/** advice_suits - Return: whether there may be a hint for this error; Thread: any */
bool advice_suits(const struct server *s, const struct error *e);

/**
 * advice_say - print a hint, each one once, and only a limited number in all
 * @type:   of the request
 * @target: its X-Amz-Target, or empty
 * @body:   its JSON
 *
 * Thread: any that may wait for the engine
 */
void advice_say(struct server *s, const struct error *e, enum op_type type, struct slice target,
		struct slice body);

/**
 * advice_other - as advice_say(), for a request that is no operation
 * @type:   its Content-Type, or ""
 * @target: its X-Amz-Target, or ""
 *
 * Thread: any
 */
void advice_other(struct server *s, const char *method, const char *url, const char *type,
		  const char *target);

#endif
