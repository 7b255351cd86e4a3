/* read_file - reads a whole file */
#ifndef TESTS_SUPPORT_READ_FILE_H
#define TESTS_SUPPORT_READ_FILE_H

#include "store/base/core/base.h"

/** read_file - return its bytes; empty if it cannot be opened */
struct slice read_file(struct arena *a, const char *path);

#endif
