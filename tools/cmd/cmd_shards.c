/* cmd_shards - shards: computes how many shards a key needs, assigns items to shards, and shows hot keys */
#include <math.h>

#include "store/model/limits.h"

#include "tools/cmd/cmd.h"
#include "tools/out/out.h"
#include "tools/query/shard.h"
#include "tools/session/ctl.h"
#include "tools/text/row.h"
#include "tools/text/words.h"

struct shards_opts {
	struct opt_count items;
	const char *fraction;
	struct opt_count item_size;
	const char *rate;
	struct assign_opts assign;
	struct shard_heat_opts heat;
};

#define ASSIGN(field) offsetof(struct shards_opts, assign.field)
#define HEAT(field) offsetof(struct shards_opts, heat.field)

static const struct opt shards_opts[] = {
	{"items", 0, OPT_COUNT, "N", offsetof(struct shards_opts, items),
	 "plan: items of that kind in the table, such as 3M"},
	{"fraction", 0, OPT_TEXT, "F", offsetof(struct shards_opts, fraction),
	 "the share of them that is read, 0 to 1; default 1"},
	{"item-size", 0, OPT_COUNT, "BYTES", offsetof(struct shards_opts, item_size),
	 "average size of an item"},
	{"rate", 0, OPT_TEXT, "R", offsetof(struct shards_opts, rate),
	 "how often per second all of these are read; default 1"},
	{"attr", 0, OPT_TEXT, "A", ASSIGN(attr), "assign: the attribute that gets the shard"},
	{"shards", 0, OPT_COUNT, "N", ASSIGN(shards), "the number of shards, numbered 0 to N-1"},
	{"random", 0, OPT_FLAG, NULL, ASSIGN(random), "at random (default)"},
	{"hash", 0, OPT_TEXT, "ATTR", ASSIGN(hash),
	 "by this attribute's value: CRC-32 modulo N, as query --hash finds it"},
	{"prefix", 0, OPT_TEXT, "P", ASSIGN(prefix), "the shards are P0, P1, ..."},
	{"filter", 0, OPT_EXPR, "EXPR", ASSIGN(filter), "only these items"},
	{"overwrite", 0, OPT_FLAG, NULL, ASSIGN(overwrite),
	 "also where the attribute holds something else"},
	{"names", 0, OPT_JSON, "JSON", ASSIGN(names),
	 "ExpressionAttributeNames: {\"#n\":\"name\"}"},
	{"values", 0, OPT_JSON, "JSON", ASSIGN(values),
	 "ExpressionAttributeValues: {\":v\":value}"},
	{"index", 0, OPT_TEXT, "NAME", HEAT(index), "heat: the keys of this global index"},
	{"since", 0, OPT_TEXT, "TIME", HEAT(since),
	 "such as 90s, 10m, 1h: how far back, from the start of a minute; default 10m, at most 1h"},
	{"limit", 0, OPT_COUNT, "N", HEAT(limit), "the number of keys; default 20"},
	OPTS_END(struct shards_opts),
};

/* Parse a number above 0 and up to @most; *out is unchanged if @text is NULL. */
static int
positive(struct call *c, const char *name, const char *text, double most, double *out)
{
	char *end = NULL;

	if (text == NULL) {
		return 0;
	}
	*out = strtod(text, &end);
	if (end == text || *end != '\0' || !(*out > 0) || *out > most) {
		return call_fail(c, ERR_USAGE,
				 "--%s needs a number above 0 and up to %g, not \"%s\"", name, most,
				 text);
	}
	return 0;
}

/* Note how the numbers were computed. */
static void
cmd_shards_explain(const struct ctl *ctl, const struct shard_plan *p)
{
	ctl_note(ctl,
		 "A read unit of 4 KB reads %.15g items of %.15g bytes; the 3,000 units per second "
		 "of one partition\n"
		 "read %.15g of them.",
		 p->items_per_rcu, p->item_size, p->partition_rate);
	ctl_note(
		ctl,
		"%.15g * %.15g * %.15g = %.15g items per second are needed: divided by %.15g = %.15g, so %.15g "
		"shards;\n%.15g with a fifth more for growth.",
		p->items, p->fraction, p->rate, p->required, p->partition_rate, p->exact, p->n,
		p->padded);
	if (p->padded > (double)SHARDS_MAX) {
		ctl_note(ctl,
			 "shards assign and query --shards take at most %d: read fewer items at a "
			 "time, or smaller ones, such as those of a sparse index",
			 SHARDS_MAX);
	}
}

static int
cmd_shards_plan(struct ctl *ctl, struct call *c, const struct shards_opts *o)
{
	struct shard_plan p = {.items = (double)o->items.n,
			       .item_size = (double)o->item_size.n,
			       .fraction = 1,
			       .rate = 1};
	struct attr attrs[6];

	if (!o->items.given || !o->item_size.given) {
		return call_fail(c, ERR_USAGE, "shards plan needs --items and --item-size");
	}
	if (o->items.n == 0) {
		return call_fail(c, ERR_USAGE, "--items must be 1 or more");
	}
	if (o->item_size.n == 0 || o->item_size.n > LIMIT_ITEM_BYTES) {
		return call_fail(c, ERR_USAGE, "--item-size must be 1 to %d bytes",
				 LIMIT_ITEM_BYTES);
	}
	int r = positive(c, "fraction", o->fraction, 1, &p.fraction);
	r = r != 0 ? r : positive(c, "rate", o->rate, 1e9, &p.rate);
	if (r < 0) {
		return r;
	}
	shard_plan(&p);
	attrs[0] = row_number(&c->arena, "ItemsPerRCU", p.items_per_rcu);
	attrs[1] = row_number(&c->arena, "PartitionMaxReadRate", p.partition_rate);
	attrs[2] = row_number(&c->arena, "MaxRequiredIO", p.required);
	attrs[3] = row_number(&c->arena, "Exact", p.exact);
	attrs[4] = row_number(&c->arena, "N", p.n);
	attrs[5] = row_number(&c->arena, "Padded", p.padded);
	(void)out_one(&ctl->out, &(struct item){.at = attrs, .n = 6});
	cmd_shards_explain(ctl, &p);
	return 0;
}

/* Run shards assign or shards heat. */
static int
cmd_shards_of_table(struct ctl *ctl, struct call *c, const struct words *words,
		    const struct shards_opts *o, bool assigns)
{
	if (words->n != 2) {
		return call_fail(
			c, ERR_USAGE, "syntax: shards %s",
			assigns ? "assign TABLE --attr A --shards N [--random | --hash ATTR]"
				: "heat TABLE [--index NAME] [--since 10m]");
	}
	struct slice table = slice_from(words->at[1]);
	int r = ctl_open_store(ctl, c, false);

	return r < 0     ? r
	       : assigns ? assign_run(ctl, c, table, &o->assign)
			 : shard_heat_run(ctl, c, table, &o->heat);
}

static int
run_shards(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	if (strcmp(words->at[0], "plan") == 0) {
		return words->n == 1 ? cmd_shards_plan(ctl, c, opts)
				     : call_fail(c, ERR_USAGE, "shards plan takes no words");
	}
	if (words_in("assign heat", slice_from(words->at[0]))) {
		return cmd_shards_of_table(ctl, c, words, opts, words->at[0][0] == 'a');
	}
	return call_fail(c, ERR_USAGE, "unknown word %s after shards: use plan, assign or heat",
			 words->at[0]);
}

const struct command cmd_shards = {
	.name = "shards",
	.usage =
		"plan --items N --item-size BYTES [--fraction F] [--rate R]\n"
		"assign TABLE --attr A --shards N [--random | --hash ATTR] [--prefix P] [--filter EXPR] [--overwrite]\n"
		"heat TABLE [--index NAME] [--since TIME] [--limit N]",
	.summary = "plan shards for a hot key, write them into items, find hot keys",
	.details =
		"plan:\n"
		"  ItemsPerRCU           4 KB / item size\n"
		"  PartitionMaxReadRate  3,000 read units per second * ItemsPerRCU\n"
		"  MaxRequiredIO         items * fraction * rate\n"
		"  Exact                 MaxRequiredIO / PartitionMaxReadRate\n"
		"  N                     Exact, rounded up\n"
		"  Padded                Exact plus a fifth, for growth\n"
		"assign writes a shard number into the items that have none or, with --hash, a number\n"
		"that does not fit their value; so it can be repeated. An item whose attribute holds\n"
		"anything else, such as a number of N or more, is not changed. query --shards 0..N-1\n"
		"reads them, with the same --prefix; with --hash ATTR=VALUE only one shard.\n"
		"\n"
		"heat shows the partition keys that consumed most, the hottest first:\n"
		"  Percent               the busiest second, as a share of a partition's 3,000\n"
		"                        read or 1,000 write units per second\n"
		"  ReadPeak, WritePeak   units in the busiest second\n"
		"  ReadMean, WriteMean   on average\n"
		"  Shards, Remedy        for a hot key: shards as in shards plan, and what to do\n"
		"The process that has the store open, a mount or a server, records the last hour of the\n"
		"1,024 keys that consumed most. itemctl(1) describes the remedies.",
	.examples = "itemctl shards plan --items 3000000 --item-size 500 --rate 2000\n"
		    "itemctl shards assign music --attr Shard --shards 4 --hash Song\n"
		    "itemctl shards heat music\n",
	.opts = shards_opts,
	.min_words = 1,
	.max_words = 4,
	.no_store = true,
	.run = run_shards,
};
