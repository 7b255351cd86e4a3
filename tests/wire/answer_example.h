/* answer_example - an example answer of each operation, with all members */
#ifndef TESTS_WIRE_ANSWER_EXAMPLE_H
#define TESTS_WIRE_ANSWER_EXAMPLE_H

#include "store/base/text/json.h"
#include "store/op/op.h"

/**
 * answer_example - example answer of operation @type, in the call's arena
 *
 * It is the vector in tests/vectors/wire, or an empty object for ItemFS's own operations, completed with all members
 * of the table of members.  A new member therefore needs no line here.
 */
const struct json *answer_example(struct call *c, enum op_type type);

/** answer_example_parse - parse @text, which must be JSON, into the call's arena */
const struct json *answer_example_parse(struct call *c, struct slice text);

/** answer_example_json - append @json */
void answer_example_json(struct buf *b, const struct json *json);

#endif
