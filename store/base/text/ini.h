/*
 * ini - parser of settings files: ~/.config/itemfs/config, ~/.aws/credentials, ~/.aws/config
 *
 *   [SECTION]
 *   KEY = VALUE
 *   GROUP =
 *     KEY = VALUE
 */
#ifndef STORE_BASE_TEXT_INI_H
#define STORE_BASE_TEXT_INI_H

#include <sys/stat.h>

#include "store/base/core/base.h"

struct ini_line {
	struct slice section; /* as in the file, without blanks around it */
	struct slice group;   /* of an indented line below "GROUP ="; else empty */
	struct slice key;     /* empty: the line that begins the section */
	struct slice value;
	size_t number; /* line number in the file, from 1 */
};

struct ini {
	const struct ini_line *line; /* in the order of the file; without comments */
	size_t n;
};

/** ini_judge_fn - decide whether to read the opened file, by its fstat(2); Return: 0, or -ERR_* to refuse it */
typedef int ini_judge_fn(struct call *c, const char *path, const struct stat *st);

/**
 * ini_read - read and parse a whole file; the result is in the call's arena
 * @judge: may be NULL, which accepts any file
 *
 * Ignores lines of any other form.
 * Errors:  -ERR_IO  the file cannot be read;  those of @judge
 */
int ini_read(struct call *c, const char *path, ini_judge_fn *judge, struct ini *out) must_check;

/** ini_has - return true if there is a section of that name */
bool ini_has(const struct ini *p, struct slice section);

/** ini_value - the last value of @key in @group ("": in no group) of @section; empty if there is none */
struct slice ini_value(const struct ini *p, struct slice section, const char *group,
		       const char *key);

#endif
