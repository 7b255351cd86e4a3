/* servers - the servers that this user runs on this machine */
#ifndef TOOLS_SYSTEM_SERVERS_H
#define TOOLS_SYSTEM_SERVERS_H

#include <sys/types.h>

#include "store/base/core/call.h"

enum { SERVERS_MAX = 256 };

struct server {
	unsigned port;
	pid_t pid;
};

/** servers_find - all of them, SERVERS_MAX at most; Return: how many */
size_t servers_find(struct server *out);

/** servers_url - http://127.0.0.1:PORT, in the call's arena */
const char *servers_url(struct call *c, unsigned port);

/** servers_store_of - the directory of the store that a server has, in the call's arena; NULL: not known */
const char *servers_store_of(struct call *c, pid_t pid);

/** servers_only_serves - is it no mount? */
bool servers_only_serves(pid_t pid);

/** servers_store - the directory of the store that a server at @url serves, in the call's arena; NULL: not known */
const char *servers_store(struct call *c, const char *url);

#endif
