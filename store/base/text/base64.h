/* base64 - base64 as in RFC 4648: standard alphabet, padding required, no blanks */
#ifndef STORE_BASE_TEXT_BASE64_H
#define STORE_BASE_TEXT_BASE64_H

#include "store/base/core/base.h"

/** base64_encode - append the encoding of @bytes */
void base64_encode(struct buf *out, struct slice bytes);

/**
 * base64_decode - append the decoded bytes
 *
 * Return: false if @text is not canonical base64; @out is then unchanged.
 */
bool base64_decode(struct buf *out, struct slice text);

#endif
