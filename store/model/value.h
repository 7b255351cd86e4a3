/*
 * value - an attribute value: one of DynamoDB's ten types
 *
 * Values are plain data in a call's arena, or borrowed from the request or record that they were decoded from. They are
 * not modified after they are built.
 */
#ifndef STORE_MODEL_VALUE_H
#define STORE_MODEL_VALUE_H

#include "store/base/core/base.h"

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

/* The elements of a list, or the members of a set. */
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
 * Invariants: text of N is canonical (number.h). S is UTF-8. Members of a set are S, N or B by the set's type, unique,
 * and sorted, except in old stores. Names in an item are unique.
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

/** value_type_name - return "S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS" or "BS" */
const char *value_type_name(enum value_type type);

/** value_type_title - return "STRING" ..., the names of types in messages about ADD and DELETE */
const char *value_type_title(enum value_type type);

/** value_type_from_name - return the type with the value_type_name() @name; VALUE_TYPES if there is none */
enum value_type value_type_from_name(struct slice name);

static inline struct value
value_string(struct slice text)
{
	return (struct value){.type = VALUE_S, .text = text};
}

/** value_eq - return true if type and content are equal; the order in sets and maps is ignored */
bool value_eq(const struct value *a, const struct value *b);

/**
 * value_cmp - compare two S, two N or two B; the caller has checked the types
 *
 * Return: < 0, 0, > 0
 */
int value_cmp(const struct value *a, const struct value *b);

/** value_is_ordered - return true for S, N and B */
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

/** value_size - return the bytes that DynamoDB counts for a value, without a name; Source: BEHAVIOUR 2.12 */
size_t value_size(const struct value *v);

/* values_union, values_minus - combine two sets of one type; sorted, with members borrowed from both */
struct values values_union(struct arena *a, const struct values *x, const struct values *y);
struct values values_minus(struct arena *a, const struct values *x, const struct values *y);

/**
 * values_sort - sort the members of a new set as the service does
 *
 * Text and bytes are in byte order, numbers in numeric order. Only the code that builds a set may call it.
 */
void values_sort(struct values *set);

/** values_unique - return true if no two members of a set are equal */
bool values_unique(const struct values *set);

/**
 * value_check_set - check an SS, NS or BS
 *
 * Errors:  -ERR_VALIDATION  empty, or a member twice
 * Source:  BEHAVIOUR 2.3
 */
int value_check_set(struct call *c, const struct value *v) must_check;

/** value_copy - return a deep copy in @a */
struct value value_copy(struct arena *a, const struct value *v);

#endif
