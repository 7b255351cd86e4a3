/* fake_disk - an fstatvfs() for tests that replaces the C library's and reports the given values for every disk */
#ifndef TESTS_SUPPORT_FAKE_DISK_H
#define TESTS_SUPPORT_FAKE_DISK_H

#include "store/base/core/base.h"

/** fake_disk_set - report a disk of @size bytes, of which @left are free */
void fake_disk_set(uint64_t size, uint64_t left);

/** fake_disk_read_only - report every disk as mounted read-only, with its real sizes */
void fake_disk_read_only(void);

/** fake_disk_end - report the real values again */
void fake_disk_end(void);

#endif
