/* random_token - a text that nobody can guess */
#ifndef STORE_BASE_TEXT_RANDOM_TOKEN_H
#define STORE_BASE_TEXT_RANDOM_TOKEN_H

#include "store/base/core/buf.h"

/** token_put - 32 random hexadecimal digits; false: the kernel gives none, errno says why, and @out is as before */
bool token_put(struct buf *out) __attribute__((warn_unused_result));

#endif
