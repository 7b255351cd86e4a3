/*
 * view - converts an item to the bytes of its file, and back; pure
 *
 *   rendering   key attributes first, then the others as stored; ends in a newline
 *   reading     every form is accepted; an empty text is an item of key attributes alone;
 *               key attributes may be omitted, and where they differ, the path's value is used
 *
 * Source: NAMESPACE 3.
 */
#ifndef FS_FORMAT_VIEW_H
#define FS_FORMAT_VIEW_H

#include "store/model/item_json.h"
#include "store/model/schema.h"

struct view_form {
	bool pretty;
	bool typed;
};

enum { VIEW_TEXT_MAX = 4 * 1024 * 1024 }; /* bytes of a file's text */

/** view_render - append the file's bytes; @it is an item or an index entry of @s */
void view_render(struct buf *out, const struct schema *s, struct view_form form,
		 const struct item *it);

/**
 * view_read - the item that a text describes
 * @key:      key attributes that the path gives: all, unless it has a shortened name without a key
 * @out:      key attributes first; in the call's arena, may borrow from @text
 * @replaced: a sentence if the text has another value of a key attribute than the path, else empty
 *
 * Errors:  -ERR_SERIALIZATION  not one JSON object
 *          -ERR_VALIDATION     not an item; a key attribute of another type, or one that neither text
 *                              nor path gives
 */
int view_read(struct call *c, const struct schema *s, struct slice text, const struct item *key,
	      struct item *out, struct slice *replaced) must_check;

/**
 * view_check - check @it for all errors of PutItem that do not depend on the store's contents
 *
 * Errors:  -ERR_VALIDATION, -ERR_KEY_TOO_LONG, -ERR_ITEM_TOO_BIG
 */
int view_check(struct call *c, const struct schema *s, const struct item *it) must_check;

#endif
