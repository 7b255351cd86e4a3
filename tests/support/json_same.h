/* json_same - comparison of JSON texts */
#ifndef TESTS_SUPPORT_JSON_SAME_H
#define TESTS_SUPPORT_JSON_SAME_H

#include "store/base/text/json.h"

/**
 * json_same - return true if both are equal, with members of objects in any order
 *
 * A member whose name is SS, NS or BS is a set: its elements may be in any order, too.  The string
 * "<any>" equals everything.
 */
bool json_same(const struct json *a, const struct json *b);

/** json_holds - return true if @all has every member of the object @some, with the same value */
bool json_holds(const struct json *all, const struct json *some);

#endif
