/*
 * derive - attributes that import computes from others: --set 'PK=DOCTOR#${id}'
 *
 *   NAME[:T]=TEMPLATE   T is S or N; the default is the type of a key attribute of that name, else S
 *   ${name}             an attribute of the record: a text, a number or a boolean; $${ is a literal ${
 *
 * Each template sees the record as it was read, regardless of the order of the options.
 */
#ifndef TOOLS_LOAD_DERIVE_H
#define TOOLS_LOAD_DERIVE_H

#include "store/model/schema.h"

#include "tools/cli/opts.h"

struct derive;

/**
 * derive_new - parse the options
 * @sets: values of --set; borrowed; if there are none, *@out is NULL
 * @out:  in the arena of the call; it does not change, so threads may share it
 *
 * Errors:  -ERR_USAGE  bad syntax; a name given twice; templates that would give all records the same key
 */
int derive_new(struct call *c, const struct words *sets, const struct schema *s,
	       const struct derive **out) must_check;

/** derive_makes - return true if there is a template for @name; @d may be NULL */
bool derive_makes(const struct derive *d, struct slice name);

/** derive_takes - return the first attribute that a template refers to; empty: there is none */
struct slice derive_takes(const struct derive *d);

/**
 * derive_item - add the attributes of the templates to @it, or replace them; allocates in the arena of the call
 *
 * Errors:  -ERR_VALIDATION  an attribute that a template refers to is missing, or has a type without a text;
 *          -ERR_USAGE  the result is no number
 */
int derive_item(struct call *c, const struct derive *d, struct item *it) must_check;

#endif
