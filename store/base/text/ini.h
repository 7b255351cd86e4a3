/*
 * ini - files of settings: ~/.config/itemfs/config, ~/.aws/credentials, ~/.aws/config
 *
 *   [SECTION]
 *   KEY = VALUE
 *   GROUP =
 *     KEY = VALUE
 */
#ifndef STORE_BASE_TEXT_INI_H
#define STORE_BASE_TEXT_INI_H

#include <sys/stat.h>

#include "store/base/core/call.h"
#include "store/base/core/slice.h"

struct ini_line {
	struct slice section; /* as in the file, without blanks around it */
	struct slice group;   /* of an indented line below "GROUP ="; else empty */
	struct slice key;     /* empty: the line that begins the section */
	struct slice value;
	size_t number; /* of the line in the file, from 1 */
};

struct ini {
	const struct ini_line *line; /* in the order of the file; without comments */
	size_t n;
};

/** Judges the file that has been opened, before it is read.  Return: 0, < 0: it is not read */
typedef int ini_judge_fn(struct call *c, const char *path, const struct stat *st);

/**
 * ini_read - all of a file; in the call's arena
 * @judge: NULL: any file will do
 *
 * Lines that are none of these are passed over.
 * Errors:  -ERR_IO  it cannot be read;  those of @judge
 */
int ini_read(struct call *c, const char *path, ini_judge_fn *judge, struct ini *out)
	__attribute__((warn_unused_result));

/** ini_has - is there a section of that name? */
bool ini_has(const struct ini *p, struct slice section);

/** ini_value - the last value of a key, of a group unless that is ""; empty when there is none */
struct slice ini_value(const struct ini *p, struct slice section, const char *group,
		       const char *key);

#endif
