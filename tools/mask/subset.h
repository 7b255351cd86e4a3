/*
 * subset - a part of the items of a table, optionally masked: --sample, --filter, --partitions and --mask of copy
 *
 *   Scan, or a Query of each partition --page--> sampled and masked in the thread that fetched it
 */
#ifndef TOOLS_MASK_SUBSET_H
#define TOOLS_MASK_SUBSET_H

#include "tools/cli/opts.h"
#include "tools/mask/mask.h"
#include "tools/session/exprs.h"
#include "tools/session/streams.h"

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

/**
 * subset_requests - make a Scan, or a Query for each partition, in the arena of the call
 * @start: where the Scan begins; not used with --partitions
 *
 * Return: the number of requests
 */
size_t subset_requests(const struct subset *s, struct call *c, const struct item *start,
		       struct op_in **out);

/** subset_prepare - prepare() of struct streams_options: sample and mask a page, in any thread; @arg: the subset */
void subset_prepare(void *arg, struct stream_page *p);

/** subset_close - free the mask */
void subset_close(struct subset *s);

#endif
