/* validate_int - the functions that op_validate() calls, and those that they share */
#ifndef STORE_OP_VALIDATE_INT_H
#define STORE_OP_VALIDATE_INT_H

#include "store/model/limits.h"
#include "store/op/validate.h"

#define CONSTRAINT "1 validation error detected: Value '%s' at '%s' failed to satisfy constraint: "

/** validate_table_name - check TableName: a name or an ARN */
int validate_table_name(struct call *c, struct slice name) must_check;

/** validate_tags - check the tags of TagResource and CreateTable */
int validate_tags(struct call *c, const struct tag *tags, size_t n) must_check;

/** validate_too_short - fail because @value, at @where in the request, is empty; Return: -ERR_VALIDATION */
int validate_too_short(struct call *c, const char *value, const char *where) must_check;

/** validate_length - check that @value, at @where in the request, has @min to @max bytes */
int validate_length(struct call *c, struct slice value, const char *where, size_t min, size_t max)
	must_check;

/** validate_fail_pattern - fail because @value, at @where in the request, does not match; Return: -ERR_VALIDATION */
int validate_fail_pattern(struct call *c, struct slice value, const char *where,
			  const char *pattern) must_check;
#define VALIDATE_NAME_PATTERN "[a-zA-Z0-9_.-]+"

/** validate_token - check a ClientRequestToken */
int validate_token(struct call *c, struct slice token) must_check;

/** validate_number - check that @value, at @where in the request, is @min to @max */
int validate_number(struct call *c, uint32_t value, const char *where, uint32_t min, uint32_t max)
	must_check;

/** validate_count - check that the list at @where in the request has @min to @max members; here it has @n */
int validate_count(struct call *c, size_t n, const char *where, size_t min, size_t max) must_check;

/** order_validate - check a request with the stages of order.c, except for the placeholders */
int order_validate(struct call *c, const struct op_in *in) must_check;

/* int validate_create_table(struct call *, const struct create_table_in *), ... for rows of op.def with OWN */
#define DECLARE_NOTHING(name)
#define DECLARE_TABLE(name)
#define DECLARE_TABLES(name)
#define DECLARE_STAGES(name)
#define DECLARE_OWN(name) \
	int validate_##name(struct call *c, const struct name##_in *in) must_check;
#define OP(NAME, name, Name, kind, group, meter, check) DECLARE_##check(name)
#include "store/op/op.def"
#undef OP

#endif
