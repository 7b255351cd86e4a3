/* servers - the servers that this user runs on this machine, and what helps when none is where one was asked */
#ifndef TOOLS_SERVERS_H
#define TOOLS_SERVERS_H

#include "tools/ctl.h"

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
