/* why_names - names that are in no directory of a mount, and attributes that no item has */
#ifndef TOOLS_WHY_WHY_NAMES_H
#define TOOLS_WHY_WHY_NAMES_H

#include "store/base/core/buf.h"

/* What a directory of a mount has in it. */
enum why_level {
	WHY_OUTSIDE, /* no mount */
	WHY_OWN,     /* .itemfs */
	WHY_TABLES,  /* the root of a mount of all tables */
	WHY_TABLE,   /* the root of a table */
	WHY_INDEXES, /* .index */
	WHY_INDEX,   /* the root of an index */
	WHY_ITEMS,   /* a partition */
	WHY_QUERY,   /* below a clause */
};

/** why_names_root - the level of the directory @path if it is the root of a mount; else WHY_OUTSIDE */
enum why_level why_names_root(const char *path);

/** why_names_has_entry - is @name in the directory @dir? */
bool why_names_has_entry(const char *dir, struct slice name);

/** why_names_nearest - append ": did you mean NAME?" for the entry of @dir that is nearest, and NAME to @by, or nothing; is there one? */
bool why_names_nearest(const char *dir, struct slice name, struct buf *out, struct buf *by);

/** why_names_is_empty - is @path a directory that lists nothing? */
bool why_names_is_empty(const char *path);

/** why_names_read - append the text of a small file in @dir, or nothing if it cannot be read; then a zero */
void why_names_read(const char *dir, const char *name, struct buf *out);

/**
 * why_names_absent - append a sentence on @name, which is not in the directory @dir of @level; false: nothing to say
 * @rest: what is behind it in the path
 * @by:   appended: what is meant in its place, one component or several, where that is known
 */
bool why_names_absent(const char *dir, enum why_level level, struct slice name, struct slice rest,
		      struct buf *out, struct buf *by);

/** why_names_read_only - append that nothing is written to the mount that @dir is in, if that is so */
void why_names_read_only(const char *dir, struct buf *out);

/**
 * why_names_attribute - append a sentence on the first name in @expression that no item has, or on a comparison of types that no item can pass; else false
 * @above: the directory whose items are looked at, the first ones
 */
bool why_names_attribute(const char *above, struct slice expression, struct buf *out);

#endif
