/* random_token - random text that cannot be guessed */
#ifndef STORE_BASE_TEXT_RANDOM_TOKEN_H
#define STORE_BASE_TEXT_RANDOM_TOKEN_H

#include "store/base/core/base.h"

/** token_put - append 32 random hexadecimal digits; Return: false if getrandom(2) fails, with errno, @out unchanged */
bool token_put(struct buf *out) must_check;

#endif
