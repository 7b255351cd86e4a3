/*
 * path - names of files and keys of items: one name for one key, and back
 *
 *   component   one key value, or the values of an index entry joined by "::"
 *   name        component + suffix, shortened when it is over 255 bytes
 *
 *   S   %XX (upper-case hex) for '/', NUL, '%', bytes below 20, 7F, and a '.' that leads the name;
 *       in index views also for a ':' that touches another ':' or an end of its value
 *   N   canonical decimal; d.dddE+XX where plain decimal has over 40 digits
 *   B   lower-case hex
 *
 * A component is bytes of valid UTF-8.  A shortened name is its first bytes, "%~", the first 32
 * hex digits of the component's SHA-256, and the suffix.  Pure functions.
 * Source: NAMESPACE 2.
 */
#ifndef FS_FORMAT_PATH_H
#define FS_FORMAT_PATH_H

#include "store/base/core/buf.h"
#include "store/base/core/call.h"
#include "store/model/value.h"

enum {
	PATH_NAME_MAX = 255,   /* bytes of a name, suffix included */
	PATH_VALUES_MAX = 6,   /* sort key of an index, of up to four attributes; the table's key */
	PATH_SUFFIX_MAX = 64,  /* bytes of a suffix */
	PATH_HASH_LEN = 2 + 32 /* "%~" and the digits */
};

enum path_outcome { PATH_ODD = 1 }; /* the name is no key's; a sentence says why */

/** path_put_value - append the component of a table's name or of its own key value */
void path_put_value(struct buf *out, const struct value *v);

/** path_put_entry - append a component of an index view: of an entry or, with one value, of its
 * partition; @n is 1..PATH_VALUES_MAX */
void path_put_entry(struct buf *out, const struct value *values, size_t n);

/**
 * path_read_value - the value that a component stands for
 * @type:   S, N or B
 * @suffix: what stands behind it in the name, for the sentence
 * @out:    in the call's arena, or borrowed from @component
 * @why:    with PATH_ODD: a sentence that names the canonical spelling where there is one
 *
 * Return:  0, or PATH_ODD; the call may then have failed with a reason of its own.
 */
int path_read_value(struct call *c, struct slice component, enum value_type type,
		    struct slice suffix, struct value *out, struct slice *why)
	__attribute__((warn_unused_result));

/** path_read_entry - the values of an index entry's component; as path_read_value() */
int path_read_entry(struct call *c, struct slice component, const enum value_type *types, size_t n,
		    struct slice suffix, struct value *out, struct slice *why)
	__attribute__((warn_unused_result));

/**
 * path_is_scratch - is a name below a collection no item's: a leading '.', no suffix?
 * @suffix: of the mount; when it is empty, a trailing '~' tells
 */
bool path_is_scratch(struct slice name, struct slice suffix);

/**
 * path_put_name - append the name of @component, shortened if it must be
 *
 * Return: whether it was shortened.
 */
bool path_put_name(struct buf *out, struct slice component, struct slice suffix);

/** path_is_hashed - has a name without its suffix the look of a shortened one? */
bool path_is_hashed(struct slice stem);

/** path_hashed_prefix - the part of a shortened name that is spelled out */
struct slice path_hashed_prefix(struct slice stem);

/**
 * path_split - the spelled-out values of a shortened entry's prefix
 * @parts: raw components, the last one cut anywhere
 *
 * Return: how many, 1..@max.
 */
size_t path_split(struct slice prefix, struct slice *parts, size_t max);

/**
 * path_unescape - append the bytes that an S component stands for, whatever its spelling
 *
 * Return: false for a '%' that no two hex digits follow.
 */
bool path_unescape(struct buf *out, struct slice text);

/** path_unhex - append the bytes of lower-case hex; false when it is not, an odd digit included */
bool path_unhex(struct buf *out, struct slice text);

#endif
