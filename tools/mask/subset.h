/*
 * subset - a part of the items of a table, optionally masked, and its copy: --sample, --filter, --partitions, --mask
 *
 *   Scan, or a Query of each partition --page--> sampled and masked in the thread that fetched it --> another table
 *
 * Threads read pages ahead; the calling thread puts them as they arrive.  Putting an item twice does no harm, so an
 * interrupted copy is resumed after the last page that is known to be durable.
 */
#ifndef TOOLS_MASK_SUBSET_H
#define TOOLS_MASK_SUBSET_H

#include "tools/cli/opts.h"
#include "tools/mask/mask.h"
#include "tools/session/exprs.h"
#include "tools/system/progress.h"
#include "tools/write/bulk.h"

/* The first member of the options struct of a command. */
struct subset_opts {
	const char *sample;
	const char *filter;
	const char *names;
	const char *values;
	const char *partitions;
	const char *mask;
	const char *mask_key;
};

/* clang-format off */
#define SUBSET_AT(field) offsetof(struct subset_opts, field)
#define SUBSET_OPTIONS \
	{"sample", 0, OPT_TEXT, "P%|N", SUBSET_AT(sample), \
	 "whole partitions: P percent of them, or those of about N items; always the same ones"}, \
	{"filter", 0, OPT_EXPR, "EXPR", SUBSET_AT(filter), "only items that match EXPR"}, \
	{"names", 0, OPT_JSON, "JSON", SUBSET_AT(names), "placeholders of EXPR: {\"#n\":\"name\"}"}, \
	{"values", 0, OPT_JSON, "JSON", SUBSET_AT(values), "likewise: {\":v\":value}"}, \
	{"partitions", 0, OPT_TEXT, "FILE", SUBSET_AT(partitions), \
	 "only these partitions: one key per line; - is standard input"}, \
	{"mask", 0, OPT_TEXT, "RULES", SUBSET_AT(mask), \
	 "change attributes as this file says, see help mask"}, \
	{"mask-key", 0, OPT_TEXT, "FILE", SUBSET_AT(mask_key), \
	 "the key of its hashes; default: what ITEMFS_MASK_KEY holds"}
/* clang-format on */

struct subset {
	const struct schema *schema;
	uint64_t below; /* if sampled: take the partitions whose hash is less */
	bool sampled;
	struct mask *mask;   /* NULL: none */
	struct exprs *exprs; /* of --filter; in the arena of the call */
	struct value *keys;  /* of --partitions; NULL: all partitions */
	size_t n_keys;       /* 0 if keys is NULL */
	struct read_in read; /* fields of all requests */
};

/**
 * subset_open - parse the options for the table @s
 * @items: number of items of the table; 0: unknown
 * @out:   in the arena of the call; end with subset_close(), also on failure
 *
 * Errors:  -ERR_USAGE; those of mask_read() and mask_check()
 */
int subset_open(struct call *c, const struct subset_opts *o, const struct schema *s, uint64_t items,
		struct subset *out) must_check;

/** subset_close - free the mask */
void subset_close(struct subset *s);

struct subset_copy {
	struct engine *from;
	struct subset *subset; /* of the source */
	struct item start;     /* key after which it begins; without attributes: at the beginning */
	unsigned jobs;         /* threads that read */
	struct bulk bulk;      /* the target */
	struct progress progress;
	uint64_t items; /* out: items that were put */
	uint64_t
		bytes; /* out: size of these items by DynamoDB's rules; only if progress is shown */
	struct buf next; /* heap: JSON key after which the rest begins; empty: at the beginning */
	struct buf safe; /* heap: the same for the items that are durable */
};

/**
 * subset_copy_items - copy all items; also after a failure, what was put is made durable
 * @start: JSON text of s->start; NULL: none
 *
 * Return: 0; -ERR_BUSY  interrupted; the errors of reading and writing.  s->safe is the key after which to resume.
 */
int subset_copy_items(struct subset_copy *s, struct call *c, const char *start) must_check;

#endif
