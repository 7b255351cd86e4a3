/* send - a request to an endpoint, its raw answer */
#ifndef TESTS_ORACLE_SEND_H
#define TESTS_ORACLE_SEND_H

#include "tests/oracle/compare.h"

/** send_open - a connection, or NULL; says why on standard error */
void *send_open(const char *url);
void send_close(void *endpoint);

/** send_settle - wait until nothing of the table is being changed */
void send_settle(struct call *c, void *endpoint, const char *table);

/** send_one - POST; a request with pages gives all of them as one answer */
struct answer send_one(struct call *c, void *endpoint, const struct request *r);

#endif
