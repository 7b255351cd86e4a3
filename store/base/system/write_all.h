/* write_all - write(2) until all bytes are written */
#ifndef STORE_BASE_SYSTEM_WRITE_ALL_H
#define STORE_BASE_SYSTEM_WRITE_ALL_H

#include "store/base/core/base.h"

/** write_all - write all of @bytes, also after interruptions and partial writes; Return: 0 or an errno */
int write_all(int fd, struct slice bytes) must_check;

#endif
