/*
 * path - converts keys of items to names of files, and back; a key has one name
 *
 *   component   one key value, or the values of an index entry joined by "::"
 *   name        component + suffix, shortened when it is over 255 bytes
 *
 *   S   %XX (upper-case hex) for '/', NUL, '%', bytes below 0x20, 0x7F, and a '.' at the start of the name;
 *       in index views also for a ':' that touches another ':' or an end of its value
 *   N   canonical decimal; d.dddE+XX where plain decimal has over 40 digits
 *   B   lower-case hex
 *
 * A component is valid UTF-8. A shortened name is its first bytes, "%~", the first 32 hex digits of the component's
 * SHA-256, and the suffix. All functions are pure. Source: NAMESPACE 2.
 */
#ifndef FS_FORMAT_PATH_H
#define FS_FORMAT_PATH_H

#include "store/model/value.h"

enum {
	PATH_NAME_MAX = 255, /* bytes of a name, suffix included */
	PATH_VALUES_MAX = 6, /* an index's sort key of up to four attributes, and the table's key */
	PATH_SUFFIX_MAX = 64,  /* bytes of a suffix */
	PATH_HASH_LEN = 2 + 32 /* "%~" and the digits */
};

enum path_outcome { PATH_ODD = 1 }; /* no key has this name; a sentence says why */

/** path_put_value - append the component of a table's name or of a table's key value */
void path_put_value(struct buf *out, const struct value *v);

/**
 * path_put_entry - append a component of an index view
 * @values: of an entry or of its partition
 * @n:      1 to PATH_VALUES_MAX
 */
void path_put_entry(struct buf *out, const struct value *values, size_t n);

/**
 * path_read_value - the value that a component spells
 * @type:   S, N or B
 * @suffix: the rest of the name, for the sentence
 * @out:    in the call's arena, or borrowed from @component
 * @why:    with PATH_ODD: a sentence, which gives the canonical spelling if there is one
 *
 * Return:  0, or PATH_ODD; with PATH_ODD, @c may have an error in addition to the sentence
 */
int path_read_value(struct call *c, struct slice component, enum value_type type,
		    struct slice suffix, struct value *out, struct slice *why) must_check;

/** path_read_entry - the values that the component of an index entry spells; as path_read_value() */
int path_read_entry(struct call *c, struct slice component, const enum value_type *types, size_t n,
		    struct slice suffix, struct value *out, struct slice *why) must_check;

/**
 * path_is_scratch - Return: whether a name below a collection is no item's: it starts with '.' or lacks the suffix
 * @suffix: of the mount; if it is empty, names that end in '~' are no item's
 */
bool path_is_scratch(struct slice name, struct slice suffix);

/**
 * path_put_name - append the name of @component, shortened if necessary
 *
 * Return: whether it was shortened
 */
bool path_put_name(struct buf *out, struct slice component, struct slice suffix);

/** path_is_hashed - Return: whether a name without its suffix looks like a shortened one */
bool path_is_hashed(struct slice stem);

/** path_hashed_prefix - the part of a shortened name that is spelled out; @stem passes path_is_hashed() */
struct slice path_hashed_prefix(struct slice stem);

/**
 * path_split - split a component or the prefix of a shortened one into its values
 * @parts: raw components; the last one of a prefix may be cut anywhere
 *
 * Return: their number, 1 to @max
 */
size_t path_split(struct slice prefix, struct slice *parts, size_t max);

/**
 * path_unescape - append the bytes that an S component spells, canonical or not
 *
 * Return: false for a '%' without two hex digits after it
 */
bool path_unescape(struct buf *out, struct slice text);

/** path_unhex - append the bytes of lower-case hex; false: it is not lower-case hex, or has an odd number of digits */
bool path_unhex(struct buf *out, struct slice text);

#endif
