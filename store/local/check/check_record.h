/* check_record - checks of the records of streams */
#ifndef STORE_LOCAL_CHECK_CHECK_RECORD_H
#define STORE_LOCAL_CHECK_CHECK_RECORD_H

#include "store/local/check/check_int.h"

/**
 * check_records - decode the next records of streams
 * @from: key to begin with, or empty; set to the next key
 *
 * Return:  0;  CHECK_PAUSED: the page is full
 * Errors:  -ERR_IO;  -ERR_CORRUPT  in a repair: a file is damaged
 */
int check_records(struct check *k, struct slice *from) __attribute__((warn_unused_result));

#endif
