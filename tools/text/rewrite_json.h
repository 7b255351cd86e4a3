/* rewrite_json - repair of JSON with typical mistakes */
#ifndef TOOLS_TEXT_REWRITE_JSON_H
#define TOOLS_TEXT_REWRITE_JSON_H

#include "store/base/core/base.h"

/**
 * rewrite_json - append repaired JSON: "{'a':b,}" becomes {"a":"b"}
 *
 * It puts texts in double quotes, removes comments and trailing commas, and adds brackets that are missing at the end.
 * Return: false, and nothing is appended, if the result is still not JSON
 */
bool rewrite_json(struct slice text, struct buf *out);

#endif
