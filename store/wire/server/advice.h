/* advice - on the server's standard error: what to write in place of what a client's request was refused for */
#ifndef STORE_WIRE_SERVER_ADVICE_H
#define STORE_WIRE_SERVER_ADVICE_H

#include "store/wire/server/server_int.h"

/** advice_suits - may there be a line for this failure?  Thread: any */
bool advice_suits(const struct server *s, const struct error *e);

/**
 * advice_say - say it, each once, and no more than some in all
 * @type: of the request, @target: its X-Amz-Target or empty, @body: its JSON
 *
 * Thread: any that may wait for the engine
 */
void advice_say(struct server *s, const struct error *e, enum op_type type, struct slice target,
		struct slice body);

/** advice_other - likewise for what is no operation; @type: its Content-Type, @target: its X-Amz-Target, or ""; Thread: any */
void advice_other(struct server *s, const char *method, const char *url, const char *type,
		  const char *target);

#endif
