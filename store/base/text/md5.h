/* md5 - checksums that S3 and its tools expect beside files; they protect from nobody */
#ifndef STORE_BASE_TEXT_MD5_H
#define STORE_BASE_TEXT_MD5_H

#include <stdint.h>

#include "store/base/core/slice.h"

enum { MD5_BYTES = 16 };

/* One that is under way. */
struct md5;

struct md5 *md5_new(void);
void md5_add(struct md5 *m, struct slice bytes);

/** md5_end - of all that was added; frees @m */
void md5_end(struct md5 *m, uint8_t digest[MD5_BYTES]);

/** md5_of_bytes - of bytes that are all there */
void md5_of_bytes(struct slice bytes, uint8_t digest[MD5_BYTES]);

/** md5_of_file - of all that is read from a descriptor; Return: 0, or an errno */
int md5_of_file(int fd, uint8_t digest[MD5_BYTES]);

#endif
