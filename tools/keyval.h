/* keyval - key values as they are typed: text for S, a number for N, base64 for B */
#ifndef TOOLS_KEYVAL_H
#define TOOLS_KEYVAL_H

#include "store/model/schema.h"

/**
 * keyval_parse - one key value
 * @text: borrowed as long as the value
 *
 * Errors:  -ERR_USAGE  not a number, not base64, empty (message names the attribute)
 */
int keyval_parse(struct call *c, const struct key_attr *attr, struct slice text, struct value *out)
	__attribute__((warn_unused_result));

/**
 * keyval_key - the key of one item
 * @sk: NULL when none was given
 *
 * Errors:  -ERR_USAGE  also when a sort key is missing or superfluous
 */
int keyval_key(struct call *c, const struct key_schema *key, struct slice pk,
	       const struct slice *sk, struct item *out) __attribute__((warn_unused_result));

/** keyval_pick - only the key attributes of @it; Errors: -ERR_USAGE when one is missing */
int keyval_pick(struct call *c, const struct key_schema *key, const struct item *it,
		struct item *out) __attribute__((warn_unused_result));

/** keyval_crc32 - CRC-32 (IEEE 802.3, as in zlib): what --hash takes modulo the number of shards */
uint32_t keyval_crc32(struct slice bytes);

#endif
