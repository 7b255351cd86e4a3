/* serve_address - where a server listens, from the words and options of serve */
#ifndef TOOLS_CLI_SERVE_ADDRESS_H
#define TOOLS_CLI_SERVE_ADDRESS_H

#include "store/base/core/call.h"

#include "tools/cli/opts.h"

struct serve_address {
	const char *listen; /* as typed; when it is chosen as -o listen=, NULL: nowhere */
	struct opt_count port;
	struct words host;
	const char *names; /* of these the ones that are no addresses: as -o host= */
};

/** serve_address_is - is the word where to listen, rather than a store? */
bool serve_address_is(const char *word);

/** serve_address_hosts - sort --host: into names, and where to listen, as other servers call it; Errors: -ERR_USAGE */
int serve_address_hosts(struct call *c, struct serve_address *a)
	__attribute__((warn_unused_result));

/** serve_address_choose - @listen of all that was given; Errors: -ERR_USAGE */
int serve_address_choose(struct call *c, struct serve_address *a)
	__attribute__((warn_unused_result));

/**
 * serve_address_reach - refuse an address that others reach, if requests need not be signed
 * @signs:  there are credentials
 * @store:  NULL: in memory
 *
 * Errors: -ERR_USAGE, with all that it takes, ready to paste
 */
int serve_address_reach(struct call *c, const struct serve_address *a, bool signs,
			const char *store) __attribute__((warn_unused_result));

/**
 * serve_address_check - can it listen there? Of several ports one will do
 * @signs: there are credentials
 *
 * Who cannot makes no new store: the server learns of it only when the store is there.
 * Errors:  -ERR_VALIDATION;  -ERR_IO  with the line that was typed, and a port that is free
 */
int serve_address_check(struct call *c, const struct serve_address *a, bool signs)
	__attribute__((warn_unused_result));

#endif
