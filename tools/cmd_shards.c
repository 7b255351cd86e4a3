/* cmd_shards - how many shards does a key need? */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/command.h"
#include "tools/ctl.h"
#include "tools/plan.h"

struct shards_opts {
	struct opt_count items;
	const char *fraction;
	struct opt_count item_size;
	const char *rate;
};

static const struct opt shards_opts[] = {
	{"items", 0, OPT_COUNT, "N", offsetof(struct shards_opts, items),
	 "items of that kind in the table, as 3M"},
	{"fraction", 0, OPT_TEXT, "F", offsetof(struct shards_opts, fraction),
	 "part of them that is read, 0 to 1; default 1"},
	{"item-size", 0, OPT_COUNT, "BYTES", offsetof(struct shards_opts, item_size),
	 "average size of one"},
	{"rate", 0, OPT_TEXT, "R", offsetof(struct shards_opts, rate),
	 "how often a second all of these are read; default 1"},
	{NULL, 0, OPT_FLAG, NULL, 0, NULL},
};

/* A positive decimal number. */
static int
positive(struct call *c, const char *name, const char *text, double most, double *out)
{
	char *end = NULL;

	if (text == NULL) {
		return 0;
	}
	*out = strtod(text, &end);
	if (end == text || *end != '\0' || !(*out > 0) || *out > most) {
		return call_fail(c, ERR_VALIDATION,
				 "--%s wants a number above 0 and up to %g, not \"%s\"", name, most,
				 text);
	}
	return 0;
}

static struct attr
number_attr(struct call *c, const char *name, double v)
{
	struct buf b;

	buf_init(&b, &c->arena);
	buf_fmt(&b, "%.15g", v);
	return (struct attr){.name = slice_from(name),
			     .value = {.type = VALUE_N, .text = buf_view(&b)}};
}

static int
plan(struct ctl *ctl, struct call *c, const struct shards_opts *o)
{
	struct shard_plan p = {.items = (double)o->items.n,
			       .item_size = (double)o->item_size.n,
			       .fraction = 1,
			       .rate = 1};
	struct attr attrs[6];

	if (o->items.n == 0 || o->item_size.n == 0) {
		return call_fail(c, ERR_VALIDATION, "shards plan wants --items and --item-size");
	}
	int r = positive(c, "fraction", o->fraction, 1, &p.fraction);
	if (r == 0) {
		r = positive(c, "rate", o->rate, 1e9, &p.rate);
	}
	if (r < 0) {
		return r;
	}
	shard_plan(&p);
	attrs[0] = number_attr(c, "ItemsPerRCU", p.items_per_rcu);
	attrs[1] = number_attr(c, "PartitionMaxReadRate", p.partition_rate);
	attrs[2] = number_attr(c, "MaxRequiredIO", p.required);
	attrs[3] = number_attr(c, "Exact", p.exact);
	attrs[4] = number_attr(c, "N", p.n);
	attrs[5] = number_attr(c, "Padded", p.padded);
	(void)out_one(&ctl->out, &(struct item){.at = attrs, .n = 6});
	return 0;
}

static int
run_shards(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	if (strcmp(words->at[0], "plan") == 0) {
		return words->n == 1 ? plan(ctl, c, opts)
				     : call_fail(c, ERR_VALIDATION, "shards plan takes no words");
	}
	if (strcmp(words->at[0], "assign") == 0 || strcmp(words->at[0], "heat") == 0) {
		return call_fail(c, ERR_NOT_SUPPORTED, "shards %s is not yet supported",
				 words->at[0]);
	}
	return call_fail(c, ERR_VALIDATION, "there is no shards %s; there is shards plan",
			 words->at[0]);
}

const struct command cmd_shards = {
	.name = "shards",
	.usage = "plan --items N --item-size BYTES [--fraction F] [--rate R]",
	.summary = "plan the number of shards of a write-sharded key",
	.details = "ItemsPerRCU           4 KB / item size\n"
		   "PartitionMaxReadRate  3,000 read units a second * ItemsPerRCU\n"
		   "MaxRequiredIO         items * fraction * rate\n"
		   "Exact                 MaxRequiredIO / PartitionMaxReadRate\n"
		   "N                     Exact, rounded up\n"
		   "Padded                with a fifth more than Exact, so that data may grow",
	.opts = shards_opts,
	.opts_bytes = sizeof(struct shards_opts),
	.min_words = 1,
	.max_words = 4,
	.no_store = true,
	.run = run_shards,
};
