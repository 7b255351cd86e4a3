/* request_log - a file with a line for each request */
#ifndef STORE_WIRE_SERVER_REQUEST_LOG_H
#define STORE_WIRE_SERVER_REQUEST_LOG_H

#include "store/wire/server/http_request.h"

/**
 * request_log_open - open the file for appending
 * @path: NULL: no file
 * @fd:   receives the descriptor, or -1 if @path is NULL
 *
 * Errors:  -ERR_IO
 */
int request_log_open(struct call *c, const char *path, int *fd) must_check;

/**
 * request_log_operation - write "TIME OPERATION TABLE STATUS N ms ERROR" before the answer is sent, if there is a file
 *
 * Thread: any, while the request's call is open
 */
void request_log_operation(const struct request *r);

/** request_log_other - write "TIME METHOD PATH STATUS" for a request that is no operation, if there is a file */
void request_log_other(const struct request *r, const char *method, const char *url);

#endif
