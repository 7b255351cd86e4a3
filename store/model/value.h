/*
 * value - an attribute value: one of DynamoDB's ten types
 *
 * Values are plain data in a call's arena, or borrowed from the request or
 * record they were decoded from.  Nobody changes a value in place.
 */
#ifndef STORE_MODEL_VALUE_H
#define STORE_MODEL_VALUE_H

#include <stdint.h>

#include "store/base/core/call.h"
#include "store/base/core/slice.h"

enum value_type {
	VALUE_S,
	VALUE_N,
	VALUE_B,
	VALUE_BOOL,
	VALUE_NULL,
	VALUE_L,
	VALUE_M,
	VALUE_SS,
	VALUE_NS,
	VALUE_BS,
	VALUE_TYPES
};

/* Several values: elements of a list or members of a set. */
struct values {
	struct value *at;
	size_t n;
};

/* An item, or a map: attributes in the order in which they were written. */
struct item {
	struct attr *at;
	size_t n;
};

/*
 * Invariants: text of N is canonical (number.h); S is UTF-8; set members are
 * S, N or B by the set's type, unique and, but in stores of old, in order; names in an item are unique.
 */
struct value {
	enum value_type type;
	union {
		struct slice text;  /* S: UTF-8; N: canonical decimal; B: raw bytes */
		bool truth;         /* BOOL */
		struct values list; /* L, SS, NS, BS */
		struct item map;    /* M */
	};
};

struct attr {
	struct slice name; /* 1..65535 bytes of UTF-8 */
	struct value value;
};

/** value_type_name - "S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS" */
const char *value_type_name(enum value_type type);

/** value_type_title - "STRING" ..., as messages about ADD and DELETE call the types */
const char *value_type_title(enum value_type type);

/** value_type_from_name - the inverse; VALUE_TYPES when there is none */
enum value_type value_type_from_name(struct slice name);

static inline struct value
value_string(struct slice text)
{
	return (struct value){.type = VALUE_S, .text = text};
}

/** value_eq - equal type and content; sets and maps without regard to order */
bool value_eq(const struct value *a, const struct value *b);

/**
 * value_cmp - order of two S, two N or two B
 *
 * Return: <0, 0, >0.  The caller has checked that the types are equal and ordered.
 */
int value_cmp(const struct value *a, const struct value *b);

/** value_is_ordered - is it S, N or B? */
static inline bool
value_is_ordered(enum value_type type)
{
	return type == VALUE_S || type == VALUE_N || type == VALUE_B;
}

static inline bool
value_is_set(enum value_type type)
{
	return type == VALUE_SS || type == VALUE_NS || type == VALUE_BS;
}

/** value_size - bytes DynamoDB counts for the value, without a name; Source: BEHAVIOUR 2.12 */
size_t value_size(const struct value *v);

/* Members of two sets of one type, which are shared with both, in order. */
struct values values_union(struct arena *a, const struct values *x, const struct values *y);
struct values values_minus(struct arena *a, const struct values *x, const struct values *y);

/**
 * values_sort - put the members of a new set in the order in which the service answers them
 *
 * Bytes in byte order, numbers in numeric order: the one change of a value in place,
 * by who makes it.
 */
void values_sort(struct values *set);

/** values_unique - are no two members of a set equal? */
bool values_unique(const struct values *set);

/**
 * value_check_set - limits of an SS, NS or BS
 *
 * Errors:  -ERR_VALIDATION  empty, or a member twice
 * Source:  BEHAVIOUR 2.3
 */
int value_check_set(struct call *c, const struct value *v) __attribute__((warn_unused_result));

/** value_copy - a deep copy in @a's memory */
struct value value_copy(struct arena *a, const struct value *v);

#endif
