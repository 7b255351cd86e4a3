/* servers - finds the itemfs servers of this user on this machine, in /proc */
#ifndef TOOLS_SYSTEM_SERVERS_H
#define TOOLS_SYSTEM_SERVERS_H

#include "store/base/core/base.h"

enum { SERVERS_MAX = 256 };

struct server {
	unsigned port;
	pid_t pid;
};

/** servers_find - list the servers; @out has room for SERVERS_MAX; Return: their number */
size_t servers_find(struct server *out);

/** servers_url - http://127.0.0.1:PORT, in the call's arena */
const char *servers_url(struct call *c, unsigned port);

/** servers_store_of - the directory of the store of the server @pid, in the call's arena; NULL if it is not known */
const char *servers_store_of(struct call *c, pid_t pid);

/** servers_answers - return true if the server on @port answers a health check within TIMING_HEALTH */
bool servers_answers(unsigned port);

/** servers_only_serves - return true if the server @pid was started without a mount */
bool servers_only_serves(pid_t pid);

/** servers_store - the directory of the store of the server at @url, in the call's arena; NULL if it is not known */
const char *servers_store(struct call *c, const char *url);

#endif
