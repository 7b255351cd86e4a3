/* jmespath_int - what the parser and the functions of jmespath share */
#ifndef TOOLS_OUT_JMESPATH_INT_H
#define TOOLS_OUT_JMESPATH_INT_H

#include "tools/out/jmespath.h"

/*
 * The expression is evaluated while it is read; the right side of a projection is read again for each element.
 */
struct jmespath {
	struct call *c;
	struct slice text;
	size_t at;
	unsigned depth;
	unsigned blind;    /* read only, for where it ends: nothing is evaluated */
	size_t made;       /* elements and members so far */
	size_t most;       /* so many: [@,@]|[@,@]|... would go on doubling */
	const char *fault; /* what is wrong at @at; NULL: nothing */
};

enum {
	JMESPATH_ARGS = 4,
	JMESPATH_TIMES =
		100, /* how much larger than what it is made of an answer may be, in values ... */
	JMESPATH_LEAST = 1000000, /* ... and these */
};

struct jmespath_arg {
	const struct json *value;
	size_t expression; /* of "&expression": where it begins; SIZE_MAX: it is a value */
};

extern const struct json jmespath_null;

/** jmespath_eval - the expression at @j->at, up to what binds less than @least, of @json */
const struct json *jmespath_eval(struct jmespath *j, const struct json *json, unsigned least);

/** jmespath_call - a function; Return: null after a fault */
const struct json *jmespath_call(struct jmespath *j, struct slice name,
				 const struct jmespath_arg *args, size_t n);

/** jmespath_fail - what is wrong, unless something is already; Return: null */
const struct json *jmespath_fail(struct jmespath *j, const char *fault);

extern const char jmespath_large[]; /* the fault of an answer that is */

/** jmespath_size - the values in @json, itself included; more than @most are not counted */
size_t jmespath_size(const struct json *json, size_t most);

/** jmespath_is_true - not false, null or empty */
bool jmespath_is_true(const struct json *json);

/** jmespath_same - are two values the same? */
bool jmespath_same(const struct json *a, const struct json *b);

/** jmespath_number - of a number */
double jmespath_number(struct jmespath *j, const struct json *json);

/* A list or an object that grows. */
struct jmespath_list {
	struct json *json;
	struct json *last;
};

struct jmespath_list jmespath_list(struct jmespath *j, enum json_type type);
/** jmespath_flat - the elements of @json, and those of its lists in their place */
const struct json *jmespath_flat(struct jmespath *j, const struct json *json);

/** jmespath_add - a copy of @json, called @name in an object */
void jmespath_add(struct jmespath *j, struct jmespath_list *list, struct slice name,
		  const struct json *json);

#endif
