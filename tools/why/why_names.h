/* why_names - explains names that do not exist in a mount, and attributes that no item has */
#ifndef TOOLS_WHY_WHY_NAMES_H
#define TOOLS_WHY_WHY_NAMES_H

#include "store/base/core/base.h"

/* What a directory of a mount contains */
enum why_level {
	WHY_OUTSIDE, /* not in a mount */
	WHY_OWN,     /* .itemfs */
	WHY_TABLES,  /* the root of a mount of all tables */
	WHY_TABLE,   /* the root of a table */
	WHY_INDEXES, /* .index */
	WHY_INDEX,   /* the root of an index */
	WHY_ITEMS,   /* a partition */
	WHY_QUERY,   /* results of a query: below a clause */
};

/** why_names_root - the level of the directory @path if it is the root of a mount; else WHY_OUTSIDE */
enum why_level why_names_root(const char *path);

/** why_names_has_entry - return true if the directory @dir has an entry @name */
bool why_names_has_entry(const char *dir, struct slice name);

/**
 * why_names_nearest - append ": did you mean NAME?" to @out and NAME to @by, for the entry of @dir that is most similar
 *
 * Return: false if there is none; nothing is appended
 */
bool why_names_nearest(const char *dir, struct slice name, struct buf *out, struct buf *by);

/** why_names_is_empty - return true if @path is a directory that has no entries except names that begin with a dot */
bool why_names_is_empty(const char *path);

/** why_names_read - about the first MiB of a file in @dir, in the call's arena; empty if it cannot be read */
struct slice why_names_read(struct call *c, const char *dir, struct slice name);

/**
 * why_names_absent - append a sentence about @name, which is not in the directory @dir of @level
 * @rest: the path after @name
 * @by:   what is probably meant is appended, one component or several
 *
 * Return: false if there is nothing to say
 */
bool why_names_absent(const char *dir, enum why_level level, struct slice name, struct slice rest,
		      struct buf *out, struct buf *by);

/**
 * why_names_read_only - if @path is in a mount that is read-only, append @before and the reason
 * @path: absolute; need not exist
 *
 * Return: false if it is not; nothing is appended
 */
bool why_names_read_only(const char *path, const char *before, struct buf *out);

/**
 * why_names_attribute - append a sentence about the first name in @expression that no item has, or about a comparison
 * whose types no item has
 * @above: the directory whose first items are examined
 *
 * Return: false if there is no such name and no such comparison
 */
bool why_names_attribute(const char *above, struct slice expression, struct buf *out);

#endif
