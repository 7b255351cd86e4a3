/* jmespath_int - state and values of jmespath, for jmespath*.c */
#ifndef TOOLS_OUT_JMESPATH_INT_H
#define TOOLS_OUT_JMESPATH_INT_H

#include "tools/out/jmespath.h"

/* The state of an evaluation */
struct jmespath {
	struct call *c;
	struct slice text;
	size_t at; /* offset of the next token */
	unsigned depth;
	unsigned blind;    /* > 0: only parse, to find the end; values are meaningless */
	size_t made;       /* elements and members created so far */
	size_t most;       /* limit of @made: [@,@]|[@,@]|... would double without end */
	const char *fault; /* the error at @at, or NULL */
};

enum {
	JMESPATH_ARGS = 4,
	JMESPATH_TIMES = 100,     /* a result has at most 100 times the values of the input ... */
	JMESPATH_LEAST = 1000000, /* ... plus these */
};

struct jmespath_arg {
	const struct json *value;
	size_t expression; /* offset of the expression in "&expression"; SIZE_MAX for a value */
};

extern const struct json jmespath_null;
extern const struct json jmespath_false;
extern const struct json jmespath_true;

/** jmespath_value - a new number or string */
const struct json *jmespath_value(struct jmespath *j, enum json_type type, struct slice text);

/** jmespath_eval - evaluate the expression at j->at on @json, up to an operator that binds @least or less */
const struct json *jmespath_eval(struct jmespath *j, const struct json *json, unsigned least);

/** jmespath_call - call a function, with n <= JMESPATH_ARGS, unless j->blind; Return: null after a fault */
const struct json *jmespath_call(struct jmespath *j, struct slice name,
				 const struct jmespath_arg *args, size_t n);

/** jmespath_fail - record a fault of evaluation, unless j->blind or there is one already; Return: null */
const struct json *jmespath_fail(struct jmespath *j, const char *fault);

extern const char jmespath_large[]; /* the fault of a result that is too large */

/** jmespath_size - number of values in @json, including itself; counting stops above @most */
size_t jmespath_size(const struct json *json, size_t most);

/** jmespath_is_true - return true if the value is neither false nor null nor empty */
bool jmespath_is_true(const struct json *json);

/** jmespath_same - return true if two values are equal */
bool jmespath_same(struct jmespath *j, const struct json *a, const struct json *b);

/** jmespath_number - the value of a number, or of a string that is one */
double jmespath_number(struct jmespath *j, const struct json *json);

/* A list or an object under construction */
struct jmespath_list {
	struct json *json;
	struct json *last;
};

/** jmespath_list - begin an empty list or object */
struct jmespath_list jmespath_list(struct jmespath *j, enum json_type type);

/** jmespath_flat - the elements of @json, with lists among them replaced by their elements */
const struct json *jmespath_flat(struct jmespath *j, const struct json *json);

/** jmespath_add - append a shallow copy of @json; @name: its name in an object */
void jmespath_add(struct jmespath *j, struct jmespath_list *list, struct slice name,
		  const struct json *json);

/*
 * Lexical analysis, in jmespath_text.c. The functions read at j->at and move it past what they read. For
 * jmespath_literal() and jmespath_raw() the opening quote must be there; the others skip blanks first.
 */

/** jmespath_wrong - record a fault of the syntax at j->at, unless there is one already; Return: null */
const struct json *jmespath_wrong(struct jmespath *j, const char *fault);

/** jmespath_blanks - skip blanks */
void jmespath_blanks(struct jmespath *j);

/** jmespath_at - return true if @token is next */
bool jmespath_at(struct jmespath *j, const char *token);

/** jmespath_take - take @token if it is next; Return: whether it was */
bool jmespath_take(struct jmespath *j, const char *token);

/** jmespath_expect - take @token, or record @fault */
void jmespath_expect(struct jmespath *j, const char *token, const char *fault);

/** jmespath_literal - read a literal in backquotes: JSON, or a string without its quotes */
const struct json *jmespath_literal(struct jmespath *j);

/** jmespath_raw - read a string in single quotes */
const struct json *jmespath_raw(struct jmespath *j);

/** jmespath_name - read a name, in double quotes or not; empty if there is none */
struct slice jmespath_name(struct jmespath *j);

/** jmespath_whole - read a whole number with its sign; false if there is none */
bool jmespath_whole(struct jmespath *j, long *out);

#endif
