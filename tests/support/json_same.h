/* json_same - do two JSON texts say the same? */
#ifndef TESTS_SUPPORT_JSON_SAME_H
#define TESTS_SUPPORT_JSON_SAME_H

#include "store/base/text/json.h"

/**
 * json_same - equal, members of an object in any order
 *
 * A member whose name is SS, NS or BS is a set: its elements may stand in any order too.  The string
 * "<any>" is the same as everything.
 */
bool json_same(const struct json *a, const struct json *b);

/** json_holds - has @all every member of the object @some, with the same value? */
bool json_holds(const struct json *all, const struct json *some);

#endif
