/* answer_example - an answer of each operation that has every member */
#ifndef TESTS_WIRE_ANSWER_EXAMPLE_H
#define TESTS_WIRE_ANSWER_EXAMPLE_H

#include "store/base/text/json.h"
#include "store/op/op.h"

/**
 * answer_example - of that operation, in the call's arena
 *
 * It is the vector (tests/vectors/wire), of our own operations nothing; what it lacks of the table of members is added, so
 * that a new member is tried without a line here.
 */
const struct json *answer_example(struct call *c, enum op_type type);

/** answer_example_parse - @text, which is JSON, in the call's arena */
const struct json *answer_example_parse(struct call *c, struct slice text);

/** answer_example_json - append @json */
void answer_example_json(struct buf *b, const struct json *json);

#endif
