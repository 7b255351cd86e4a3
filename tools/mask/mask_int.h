/* mask_int - between mask*.c */
#ifndef TOOLS_MASK_MASK_INT_H
#define TOOLS_MASK_MASK_INT_H

#include <stdatomic.h>

#include "store/base/core/buf.h"
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
	struct slice path;            /* as written */
	struct slice text;            /* redact: instead */
	struct number shift;          /* shift: added; of shift-days the days */
	int64_t days;                 /* shift-days */
	const struct mask_fake *fake; /* fake: of one of the kinds */
	struct slice after;           /* a separator; empty: none */
	bool parts;                   /* it: every second part, not all behind the first one */
	struct slice when;            /* texts that begin so; empty: all */
	struct slice *except;         /* values that stay */
	size_t n_except;
	struct slice words;      /* the line behind the path */
	struct mask_rule *other; /* for values that @when does not fit; NULL: it fits all */
	struct mask_rule *next;  /* in the file */
	atomic_bool used;
};

/* Rules by path: a name of it. */
struct mask_node {
	struct slice name;
	struct mask_rule *rule;  /* of the path up to here; NULL: none */
	struct mask_node *child; /* the first of those below */
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
	struct sha256_keyed *key; /* NULL: nothing needs one */
};

/* The last text that a rule changed: items of a collection, which come one behind the other, have many texts in common. */
struct mask_memo {
	struct slice in; /* at NULL: none */
	struct slice out;
	bool of_key; /* what is no date is refused in a key, and replaced elsewhere */
};

/* One call of mask_items(). */
struct masking {
	struct call *c;
	const struct mask *m;
	struct sha256_keyed *key; /* this thread's */
	struct mask_memo *memos;  /* one a rule */
};

/** mask_is_leaf - are there no rules below it? */
static inline bool
mask_is_leaf(const struct mask_node *n)
{
	return n == NULL || (n->child == NULL && n->any == NULL && n->each == NULL);
}

/** mask_action_name - the word in the file */
const char *mask_action_name(enum mask_action action);

/** mask_child - the node of @name below @n, or that of "*"; NULL: neither */
const struct mask_node *mask_child(const struct mask_node *n, struct slice name);

/* ------------------------------------------------------------ mask_hash.c: @v is S, N or B */

void mask_mac(struct masking *mk, struct slice bytes, uint8_t mac[SHA256_BYTES]);
struct slice mask_hash_text(struct masking *mk, struct slice text);
struct value mask_hash(struct masking *mk, const struct value *v);

/* ------------------------------------------------------------ mask_shift.c; false: it is no number, no date */

bool mask_shift_number(struct masking *mk, const struct mask_rule *r, struct slice number,
		       struct slice *out);
bool mask_shift_days_number(struct masking *mk, const struct mask_rule *r, struct slice number,
			    struct slice *out);
bool mask_shift_days_text(struct masking *mk, const struct mask_rule *r, struct slice text,
			  struct slice *out);

/* ------------------------------------------------------------ mask_fake.c */

/** mask_fake_find - a kind; NULL: there is none of that name */
const struct mask_fake *mask_fake_find(struct slice name);

/** mask_fake_kinds - append the names of all kinds, with ", " between them */
void mask_fake_kinds(struct buf *out);

/** mask_fake_of - a kind whose words are the lines of @text; NULL: there are none */
const struct mask_fake *mask_fake_of(struct arena *a, struct slice text);

struct slice mask_fake_text(struct masking *mk, const struct mask_fake *f, struct slice text);

#endif
