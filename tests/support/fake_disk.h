/* fake_disk - what fstatvfs() says of every disk, for tests: it stands before the C library's */
#ifndef TESTS_SUPPORT_FAKE_DISK_H
#define TESTS_SUPPORT_FAKE_DISK_H

#include <stdbool.h>
#include <stdint.h>

/** fake_disk_set - a disk of @size bytes, of which @left are free */
void fake_disk_set(uint64_t size, uint64_t left);

/** fake_disk_read_only - any disk is mounted read-only; its size and what is free are its own */
void fake_disk_read_only(void);

/** fake_disk_end - fstatvfs() tells the truth again */
void fake_disk_end(void);

#endif
