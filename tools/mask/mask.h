/*
 * mask - items without what must not leave: rules for attributes and paths, one a line
 *
 *   PATH ACTION [ARGUMENTS] [after SEP | parts SEP] [when PREFIX] [except VALUE ...]
 *
 *   keep  drop  redact [TEXT]  hash  shift N  shift-days N  fake KIND  fake from FILE
 *
 * A path is names with "." between them, "*" for each name that has no rule of its own, "[]" behind
 * a name for each element of its list; a name with other signs stands in `backquotes`.
 * Rules with "when" stand before the one for all other values of the path.
 * hash is HMAC-SHA256: the same value becomes the same text wherever it stands, in whichever table.
 */
#ifndef TOOLS_MASK_MASK_H
#define TOOLS_MASK_MASK_H

#include "store/model/schema.h"

struct mask;

/**
 * mask_read - the rules of a file
 * @file: "-" is standard input
 * @key:  of the digests: a file that holds it; NULL: ITEMFS_MASK_KEY has it.  Neither is needed where nothing is hashed or made up
 *
 * Errors:  -ERR_USAGE  with file and line: what is no rule, a path twice; a key that is missing or shorter than 16 bytes
 * Memory:  mask_free()
 */
int mask_read(struct call *c, const char *file, const char *key, struct mask **out)
	__attribute__((warn_unused_result));

/** mask_check - would items of the table @s keep keys, each its own?  Errors: -ERR_USAGE with the line */
int mask_check(struct call *c, const struct mask *m, const struct schema *s)
	__attribute__((warn_unused_result));

/**
 * mask_items - replace @items by what the rules make of them, in the call's arena; any thread
 *
 * Errors:  -ERR_VALIDATION  a key attribute whose value a rule cannot change; its message has no value
 */
int mask_items(struct call *c, const struct mask *m, const struct key_schema *key,
	       struct item *items, size_t n) __attribute__((warn_unused_result));

/** mask_rule_of - what happens to the top-level attribute @name, for people: "hash after #", "keep" */
struct slice mask_rule_of(struct call *c, const struct mask *m, struct slice name);

/** mask_unused - how many rules have found nothing so far; with @note told each "FILE:LINE: PATH" */
size_t mask_unused(const struct mask *m, void (*note)(void *arg, const char *rule), void *arg);

void mask_free(struct mask *m);

#endif
