/* servers - the servers that this user runs on this machine, and what helps when none is where one was asked */
#ifndef TOOLS_SYSTEM_SERVERS_H
#define TOOLS_SYSTEM_SERVERS_H

#include <sys/types.h>

#include "tools/session/ctl.h"

enum { SERVERS_MAX = 256, SERVERS_SHOWN = 8 }; /* in a message */

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

/**
 * servers_hint - after a connection that was refused, or an answer that is not DynamoDB's: what starts a server, and
 * those that run
 *
 * Return: false: the failure is another one, or that of another machine; nothing is appended
 */
bool servers_hint(const struct ctl *ctl, const struct call *c, struct buf *out);

#endif
