/* aws_hints - corrected command lines for requests of the AWS tool, items and keys that the API refused */
#ifndef TOOLS_ADVICE_AWS_HINTS_H
#define TOOLS_ADVICE_AWS_HINTS_H

#include "tools/session/ctl.h"

/** aws_hints_find - append the fault of a request of "call" that was refused, and the corrected line; false: unknown */
bool aws_hints_find(const struct ctl *ctl, const struct call *c, struct buf *out);

/**
 * aws_hints_json - add a line with valid JSON to the error of @c, if the value can be corrected
 * @member: member of the request, whose option has the value
 * @text:   the value, which is not JSON
 */
void aws_hints_json(struct call *c, enum op_type type, struct slice member, struct slice text);

/**
 * aws_hints_broken - append what is wrong with the second word, which is not JSON, and the typed line with valid JSON
 *
 * Return: false: the word cannot be corrected; nothing is appended
 */
bool aws_hints_broken(const struct ctl *ctl, const struct call *c, struct buf *out);

/**
 * lacking_say - add the table's key, and the typed line with an item that has it, to the error of a put
 *
 * If @it is an answer or a request of the API, suggests import.  Leaves other errors unchanged.
 */
void lacking_say(struct ctl *ctl, struct call *c, struct slice table, const struct item *it);

/**
 * lacking_put - append the table's key, and the typed line with a corrected item in place of @typed
 * @member:  "Item" or "Key": what @it is
 * @message: DynamoDB's reason for the refusal
 * @typed:   the word to replace; "-": do not append the line
 *
 * Return:  false: there is no suggestion, and nothing is appended
 */
bool lacking_put(const struct ctl *ctl, struct call *own, struct slice table, const char *member,
		 const char *message, const struct item *it, struct slice typed, struct buf *out);

#endif
