/* validate_int - declares the validate function of each operation, and functions that they share */
#ifndef STORE_OP_VALIDATE_INT_H
#define STORE_OP_VALIDATE_INT_H

#include "store/model/limits.h"
#include "store/op/validate.h"

#define CONSTRAINT "1 validation error detected: Value '%s' at '%s' failed to satisfy constraint: "

/** validate_table_name - check TableName: a name or an ARN */
int validate_table_name(struct call *c, struct slice name) __attribute__((warn_unused_result));

/** validate_tags - check the tags of TagResource and CreateTable */
int validate_tags(struct call *c, const struct tag *tags, size_t n)
	__attribute__((warn_unused_result));

/** validate_too_short - fail because @value, at @where in the request, is empty; Return: -ERR_VALIDATION */
int validate_too_short(struct call *c, const char *value, const char *where)
	__attribute__((warn_unused_result));

/** validate_length - check that @value, at @where in the request, has @min to @max bytes */
int validate_length(struct call *c, struct slice value, const char *where, size_t min, size_t max)
	__attribute__((warn_unused_result));

/** validate_fail_pattern - fail because @value, at @where in the request, does not match; Return: -ERR_VALIDATION */
int validate_fail_pattern(struct call *c, struct slice value, const char *where,
			  const char *pattern) __attribute__((warn_unused_result));
#define VALIDATE_NAME_PATTERN "[a-zA-Z0-9_.-]+"

/** validate_token - check a ClientRequestToken */
int validate_token(struct call *c, struct slice token) __attribute__((warn_unused_result));

/** validate_page - check Limit, which must be at most @most */
int validate_page(struct call *c, uint32_t limit, uint32_t most)
	__attribute__((warn_unused_result));

/* int validate_get_item(struct call *, const struct get_item_in *), ... */
#define OP(NAME, name, Name, kind, group, meter) \
	int validate_##name(struct call *c, const struct name##_in *in) \
		__attribute__((warn_unused_result));
#include "store/op/op.def"
#undef OP

/* Define the function of an operation that has nothing to check, or only the name of its table. */
#define VALIDATE_NOTHING(name) \
	int validate_##name(struct call *c, const struct name##_in *in) \
	{ \
		(void)c; \
		(void)in; \
		return 0; \
	}
#define VALIDATE_TABLE(name) \
	int validate_##name(struct call *c, const struct name##_in *in) \
	{ \
		return validate_table_name(c, in->table); \
	}

#endif
