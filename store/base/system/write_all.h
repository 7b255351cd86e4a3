/* write_all - write(2) until all is written */
#ifndef STORE_BASE_SYSTEM_WRITE_ALL_H
#define STORE_BASE_SYSTEM_WRITE_ALL_H

#include "store/base/core/slice.h"

/** write_all - interrupted or in pieces, it goes on; Return: 0, or why it could not */
int write_all(int fd, struct slice bytes) __attribute__((warn_unused_result));

#endif
