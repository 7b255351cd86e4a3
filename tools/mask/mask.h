/*
 * mask - replaces values that must not leave a store, by rules for attributes and paths, one on each line
 *
 *   PATH ACTION [ARGUMENTS] [after SEP | parts SEP] [when PREFIX] [except VALUE ...]
 *
 *   keep  drop  redact [TEXT]  hash  shift N  shift-days N  fake KIND  fake from FILE
 *
 * A path consists of names separated by ".".  "*" means each name without a rule of its own, and "[]" after a name
 * means each element of its list.  Names with other characters are in `backquotes`.  Rules with "when" come before the
 * rule for all other values of the path.  hash is HMAC-SHA256: equal values become equal texts in all tables.
 */
#ifndef TOOLS_MASK_MASK_H
#define TOOLS_MASK_MASK_H

#include "store/model/schema.h"

struct ctl;
struct mask;

/**
 * mask_read - read a file of rules
 * @file: "-" is standard input
 * @key:  the file with the key of the digests; NULL: the key is in ITEMFS_MASK_KEY.  Only hash and fake need a key.
 * @out:  also set on failure; free it with mask_free()
 *
 * Errors:  -ERR_USAGE  syntax errors and duplicate paths, with file and line; a key that is missing or shorter than 16
 *          bytes
 */
int mask_read(struct call *c, const char *file, const char *key, struct mask **out) must_check;

/** mask_check - check that the rules keep keys of the table @s distinct; Errors: -ERR_USAGE, with file and line */
int mask_check(struct call *c, const struct mask *m, const struct schema *s) must_check;

/**
 * mask_items - apply the rules to @items; new values are in the arena of the call
 * @key: of the table of the items
 *
 * Runs in any thread.  Errors:  -ERR_VALIDATION  a rule cannot change a key attribute; the message does not contain the
 * value
 */
int mask_items(struct call *c, const struct mask *m, const struct key_schema *key,
	       struct item *items, size_t n) must_check;

/** mask_rule_of - describe the rule for the top-level attribute @name, such as "hash after #" or "keep" */
struct slice mask_rule_of(struct call *c, const struct mask *m, struct slice name);

/** mask_note_unused - print "FILE:LINE: PATH: @what" for each rule that has matched nothing */
void mask_note_unused(const struct mask *m, const struct ctl *ctl, const char *what);

/** mask_free - NULL is allowed */
void mask_free(struct mask *m);

#endif
