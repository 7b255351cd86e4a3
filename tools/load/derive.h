/*
 * derive - attributes that import makes of others: --set 'PK=DOCTOR#${id}'
 *
 *   NAME[:T]=TEMPLATE   T is S or N; without it the type of a key attribute of that name, else S
 *   ${name}             the record's own attribute, a text, a number, true or false; $${ stands for ${
 *
 * All templates see the record as it was read, in whichever order they are given.
 */
#ifndef TOOLS_LOAD_DERIVE_H
#define TOOLS_LOAD_DERIVE_H

#include "store/model/schema.h"

#include "tools/cli/opts.h"

struct derive;

/**
 * derive_new - read the options
 * @sets: none: @out is NULL
 *
 * Errors:  -ERR_USAGE  not written so; one name twice; templates that would give all records one key
 * Memory:  the call's arena and the strings; not changed afterwards, so that threads may share it
 */
int derive_new(struct call *c, const struct words *sets, const struct schema *s,
	       const struct derive **out) __attribute__((warn_unused_result));

/** derive_makes - is there a template for @name? @d may be NULL */
bool derive_makes(const struct derive *d, struct slice name);

/** derive_takes - the first attribute that a template names; empty: none */
struct slice derive_takes(const struct derive *d);

/**
 * derive_item - add to @it, or replace in it, what the templates make
 *
 * Errors:  -ERR_VALIDATION  an attribute that a template names is not there, or has no text; -ERR_USAGE  what is made is no number
 * Memory:  the call's arena
 */
int derive_item(struct call *c, const struct derive *d, struct item *it)
	__attribute__((warn_unused_result));

#endif
