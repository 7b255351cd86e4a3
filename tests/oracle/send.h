/* send - send a request to an endpoint and receive its raw answer */
#ifndef TESTS_ORACLE_SEND_H
#define TESTS_ORACLE_SEND_H

#include "tests/oracle/compare.h"

/** send_open - open a connection.  Return: NULL after a message on standard error */
void *send_open(const char *url);
void send_close(void *endpoint);

/** send_settle - wait until no change of the table is in progress */
void send_settle(struct call *c, void *endpoint, const char *table);

/** send_one - send a POST; return all pages of a request as one answer */
struct answer send_one(struct call *c, void *endpoint, const struct request *r);

#endif
