/* as_text - JSON as "aws --output text" prints it: values between tabs, names only where structures are nested */
#ifndef TOOLS_OUT_AS_TEXT_H
#define TOOLS_OUT_AS_TEXT_H

#include "store/base/text/json.h"

/** as_text - append the lines of @json */
void as_text(struct buf *out, const struct json *json);

#endif
