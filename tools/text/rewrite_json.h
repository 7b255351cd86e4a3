/* rewrite_json - broken JSON as it was meant */
#ifndef TOOLS_TEXT_REWRITE_JSON_H
#define TOOLS_TEXT_REWRITE_JSON_H

#include "store/base/core/buf.h"

/**
 * rewrite_json - append JSON as somebody types it, "{'a':b,}", as JSON has it; false: it is none then either
 *
 * With double quotes, without comments and last commas, and with the brackets that are missing at the end.
 */
bool rewrite_json(struct slice text, struct buf *out);

#endif
