/* as_text - prints JSON as "aws --output text" does: values between tabs, with names only for nested structures */
#ifndef TOOLS_OUT_AS_TEXT_H
#define TOOLS_OUT_AS_TEXT_H

#include "store/base/text/json.h"

/** as_text - append the lines for @json */
void as_text(struct buf *out, const struct json *json);

#endif
