/* keyval - keys of items as they are typed, see store/model/key_text.h */
#ifndef TOOLS_SESSION_KEYVAL_H
#define TOOLS_SESSION_KEYVAL_H

#include "store/model/schema.h"

struct words;

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

/** keyval_item - JSON of a key or an item, also as {Name: 'x'}; Errors: those of ctl_item() */
int keyval_item(struct call *c, const char *text, struct item *out)
	__attribute__((warn_unused_result));

/** keyval_json_words - TABLE KEY as query takes it, where the key is JSON; @words: it is none */
const struct words *keyval_json_words(struct call *c, const struct key_schema *key,
				      const struct words *words);

/** keyval_crc32 - CRC-32 (IEEE 802.3, as in zlib): what --hash takes modulo the number of shards */
uint32_t keyval_crc32(struct slice bytes);

#endif
