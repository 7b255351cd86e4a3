/* md5 - MD5 checksums, which S3 and its tools expect beside files; they do not protect against attacks */
#ifndef STORE_BASE_TEXT_MD5_H
#define STORE_BASE_TEXT_MD5_H

#include "store/base/core/base.h"

enum { MD5_BYTES = 16 };

/** md5_of_bytes - MD5 of @bytes */
void md5_of_bytes(struct slice bytes, uint8_t digest[MD5_BYTES]);

/** md5_of_file - MD5 of everything that @fd yields up to its end; Return: 0 or an errno */
int md5_of_file(int fd, uint8_t digest[MD5_BYTES]);

#endif
