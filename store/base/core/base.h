/*
 * base - what most files need: the C library, POSIX, and the memory, bytes and errors of a request
 *
 * A file includes it only if none of its other headers does, and does not name the headers below.
 */
#ifndef STORE_BASE_CORE_BASE_H
#define STORE_BASE_CORE_BASE_H

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "store/base/core/arena.h"
#include "store/base/core/ascii.h"
#include "store/base/core/buf.h"
#include "store/base/core/call.h"
#include "store/base/core/cleanup.h"
#include "store/base/core/error.h"
#include "store/base/core/lock.h"
#include "store/base/core/mem.h"
#include "store/base/core/slice.h"

#endif
