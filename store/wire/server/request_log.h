/* request_log - a line for each request in a file that was asked for */
#ifndef STORE_WIRE_SERVER_REQUEST_LOG_H
#define STORE_WIRE_SERVER_REQUEST_LOG_H

#include "store/wire/server/http_request.h"

/** request_log_open - the file to which lines are appended; NULL: none, -1; Errors: -ERR_IO */
int request_log_open(struct call *c, const char *path, int *fd) __attribute__((warn_unused_result));

/**
 * request_log_operation - "TIME OPERATION TABLE STATUS N ms ERROR", before the answer leaves; nothing without a file
 *
 * Thread: any, while the request's call is open
 */
void request_log_operation(const struct request *r);

/** request_log_other - likewise "TIME METHOD PATH STATUS", of what is no operation */
void request_log_other(const struct request *r, const char *method, const char *url);

#endif
