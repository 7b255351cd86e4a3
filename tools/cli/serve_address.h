/* serve_address - the address where a server listens, from the words and options of serve */
#ifndef TOOLS_CLI_SERVE_ADDRESS_H
#define TOOLS_CLI_SERVE_ADDRESS_H

#include "tools/cli/opts.h"

struct serve_address {
	const char *
		listen; /* as typed; after serve_address_choose(), as for -o listen=; NULL: do not listen */
	struct opt_count port;
	struct words host;
	const char *names; /* the hosts that are not addresses, as for -o host= */
};

/** serve_address_is - return true if the word is an address or a port, and not a store */
bool serve_address_is(const char *word);

/** serve_address_hosts - divide @host into @names and @listen: other servers use --host for both; Errors: -ERR_USAGE */
int serve_address_hosts(struct call *c, struct serve_address *a) must_check;

/** serve_address_choose - set @listen from all options; Errors: -ERR_USAGE */
int serve_address_choose(struct call *c, struct serve_address *a) must_check;

/**
 * serve_address_reach - fail if other machines can reach the address, and this is not wanted
 * @anywhere: requests must be signed, or the network is trusted
 * @store:    NULL: in memory
 *
 * Errors: -ERR_USAGE  with the lines that create credentials and use them
 */
int serve_address_reach(struct call *c, const struct serve_address *a, bool anywhere,
			const char *store) must_check;

/**
 * serve_address_check - fail if a server cannot listen on the address; a range of ports is not checked
 * @anywhere: as for serve_address_reach()
 *
 * It is called before a new store is created; the server itself would fail only after that.
 * Errors:  -ERR_VALIDATION
 *          -ERR_IO  if the port is in use, with the typed line and a free port
 */
int serve_address_check(struct call *c, const struct serve_address *a, bool anywhere) must_check;

#endif
