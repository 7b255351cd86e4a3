/* keyval - keys of items as typed, see store/model/key_text.h */
#ifndef TOOLS_SESSION_KEYVAL_H
#define TOOLS_SESSION_KEYVAL_H

#include "store/model/schema.h"

struct words;

/**
 * keyval_key - parse the key of one item
 * @sk: NULL if none was given
 *
 * Errors:  -ERR_USAGE  also if a sort key is missing or superfluous
 */
int keyval_key(struct call *c, const struct key_schema *key, struct slice pk,
	       const struct slice *sk, struct item *out) must_check;

/** keyval_pick - the key attributes of @it; Errors: -ERR_USAGE  one is missing or has another type */
int keyval_pick(struct call *c, const struct key_schema *key, const struct item *it,
		struct item *out) must_check;

/** keyval_item - parse a key or an item in JSON or as {Name: 'x'}; Errors: those of ctl_item() */
int keyval_item(struct call *c, const char *text, struct item *out) must_check;

/** keyval_json_words - the words TABLE PK [SK] for TABLE JSON, in the call's arena; @words if the key is not JSON */
const struct words *keyval_json_words(struct call *c, const struct key_schema *key,
				      const struct words *words);

#endif
