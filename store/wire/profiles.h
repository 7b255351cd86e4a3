/*
 * profiles - files like ~/.aws/credentials and ~/.aws/config, line by line
 *
 *   [SECTION]
 *   KEY = VALUE
 *   GROUP =
 *     KEY = VALUE
 */
#ifndef STORE_WIRE_PROFILES_H
#define STORE_WIRE_PROFILES_H

#include "store/base/call.h"
#include "store/base/slice.h"

struct profile_line {
	struct slice section; /* as in the file, without blanks around it */
	struct slice group;   /* of an indented line below "GROUP ="; else empty */
	struct slice key;     /* empty: the line that begins the section */
	struct slice value;
};

struct profiles {
	const struct profile_line *line; /* in the order of the file; without comments */
	size_t n;
};

/**
 * profiles_read - all of a file; in the call's arena
 *
 * Lines that are none of these are passed over.
 * Errors:  -ERR_IO  it cannot be read
 */
int profiles_read(struct call *c, const char *path, struct profiles *out)
	__attribute__((warn_unused_result));

/** profiles_has - is there a section of that name? */
bool profiles_has(const struct profiles *p, struct slice section);

/** profiles_value - the last value of a key, of a group unless that is ""; empty when there is none */
struct slice profiles_value(const struct profiles *p, struct slice section, const char *group,
			    const char *key);

#endif
