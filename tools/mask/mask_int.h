/* mask_int - rules, the tree of paths, and functions that the files of the mask share */
#ifndef TOOLS_MASK_MASK_INT_H
#define TOOLS_MASK_MASK_INT_H

#include <stdatomic.h>

#include "store/base/text/sha256.h"
#include "store/model/number.h"

#include "tools/cli/opts.h"
#include "tools/mask/mask.h"
#include "tools/text/text_lines.h"

enum mask_action {
	MASK_KEEP,
	MASK_DROP,
	MASK_REDACT,
	MASK_HASH,
	MASK_SHIFT,
	MASK_SHIFT_DAYS,
	MASK_FAKE,
};

struct mask_fake;

struct mask_rule {
	enum mask_action action;
	int line;
	size_t number;                /* of the rule, from 0 */
	struct slice path;            /* as typed */
	struct slice text;            /* redact: the replacement */
	struct number shift;          /* shift, shift-days: the number to add */
	int64_t days;                 /* shift-days */
	const struct mask_fake *fake; /* fake: the kind of text */
	struct slice after;           /* separator; empty: none */
	bool parts;           /* mask every second part; else all after the first separator */
	struct slice when;    /* prefix of the texts that the rule is for; empty: all */
	struct slice *except; /* values that stay */
	size_t n_except;
	struct slice words;      /* the line after the path */
	struct mask_rule *other; /* next rule of the path, for other values; NULL: @when is empty */
	struct mask_rule *next;  /* in the file */
	atomic_bool used;        /* has matched a value */
};

/* A node of the tree of paths: one name of a path. */
struct mask_node {
	struct slice name;
	struct mask_rule *rule;  /* first rule of the path that ends here; NULL: none */
	struct mask_node *child; /* first child */
	struct mask_node *next;
	struct mask_node *any;  /* "*" */
	struct mask_node *each; /* "[]" */
};

struct mask {
	struct arena arena;
	struct text_origin origin;
	struct mask_node root;
	struct mask_rule *rules; /* in the order of their lines */
	struct mask_rule *last_rule;
	size_t n_rules;
	struct sha256_keyed *key; /* NULL: no rule needs one */
};

/* The last text that a rule changed: consecutive items often belong to one partition, and have equal texts. */
struct mask_memo {
	struct slice in; /* in.at == NULL: none */
	struct slice out;
	bool of_key; /* in a key attribute, where a text that is no date is an error */
};

/* One call of mask_items(). */
struct masking {
	struct call *c;
	const struct mask *m;
	struct sha256_keyed key; /* copy for this thread */
	struct mask_memo *memos; /* by number of the rule */
};

/** mask_is_leaf - return true if there are no rules below @n, which may be NULL */
static inline bool
mask_is_leaf(const struct mask_node *n)
{
	return n == NULL || (n->child == NULL && n->any == NULL && n->each == NULL);
}

/** mask_action_name - return the word of the action in the file */
const char *mask_action_name(enum mask_action action);

/** mask_child - return the node of @name below @n, or else that of "*", or NULL */
const struct mask_node *mask_child(const struct mask_node *n, struct slice name);

/* ------------------------------------------------------------ mask_hash.c: the mask must have a key */

/** mask_mac - compute the keyed digest of @bytes */
void mask_mac(struct masking *mk, struct slice bytes, uint8_t mac[SHA256_BYTES]);

/** mask_hash_text - return the digest of a text, in hex */
struct slice mask_hash_text(struct masking *mk, struct slice text);

/** mask_hash - return the digest of @v, of type S, N or B, as a value of the same type */
struct value mask_hash(struct masking *mk, const struct value *v);

/* ------------------------------------------------------------ mask_shift.c */

/* Each moves a number or date by @by or the rule; false: the value is no date, or the result would be out of range. */
bool mask_shift_number(struct masking *mk, struct slice number, const struct number *by,
		       struct slice *out);
bool mask_shift_days_number(struct masking *mk, const struct mask_rule *r, struct slice number,
			    struct slice *out);
bool mask_shift_days_text(struct masking *mk, const struct mask_rule *r, struct slice text,
			  struct slice *out);

/* ------------------------------------------------------------ mask_fake.c */

/** mask_fake_find - return the kind of that name, or NULL */
const struct mask_fake *mask_fake_find(struct slice name);

/** mask_fake_kinds - append the names of all kinds, separated by ", " */
void mask_fake_kinds(struct buf *out);

/** mask_fake_of - create a kind whose words are the lines of @text, in @a; NULL: there are no words */
const struct mask_fake *mask_fake_of(struct arena *a, struct slice text);

/** mask_fake_text - return the made-up text for @text; the mask must have a key */
struct slice mask_fake_text(struct masking *mk, const struct mask_fake *f, struct slice text);

#endif
