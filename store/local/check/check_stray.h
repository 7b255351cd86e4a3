/* check_stray - the search for keys that belong to nothing */
#ifndef STORE_LOCAL_CHECK_CHECK_STRAY_H
#define STORE_LOCAL_CHECK_CHECK_STRAY_H

#include "store/local/check/check_int.h"

/** check_strays - find keys that belong to no table, index or stream, in one call;  Return: 0, -ERR_IO, -ERR_CORRUPT */
int check_strays(struct check *k) __attribute__((warn_unused_result));

#endif
