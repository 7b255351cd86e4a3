/* cmd_cost - cost: estimates the capacity units and the price of another command */
#include "store/base/system/trust.h"
#include "store/base/text/ini.h"
#include "store/open.h"

#include "tools/cmd/cmd.h"
#include "tools/explain/explain.h"
#include "tools/explain/recorder.h"
#include "tools/out/out.h"
#include "tools/session/ctl.h"
#include "tools/system/other_store.h"
#include "tools/text/row.h"
#include "tools/text/words.h"

/* ------------------------------------------------------------ prices */

struct prices {
	double read; /* dollars per million units */
	double write;
};

/* https://aws.amazon.com/dynamodb/pricing/on-demand/, us-east-1, standard table class, in 2026. */
static const struct prices cost_on_demand = {.read = 0.125, .write = 0.625};

static int
cost_take_price(struct call *c, const struct ini *file, const char *key, double *out)
{
	struct slice text = ini_value(file, SLICE("prices"), "", key);
	const char *number = slice_cstr(&c->arena, text);
	char *end;

	if (text.len == 0) {
		return 0;
	}
	*out = strtod(number, &end);
	/* Written so that NaN fails too. */
	if (*end != '\0' || !(*out >= 0 && *out <= 1e6)) {
		return call_fail(
			c, ERR_USAGE,
			"[prices] in the settings: %s = %s is not a number of dollars per million "
			"units; for example: %s = 0.125",
			key, number, key);
	}
	return 0;
}

/* Get the prices of [prices] in the settings file, or those on demand.  Errors: -ERR_USAGE; those of trust_settings() */
static int
cost_read_prices(struct call *c, struct prices *out)
{
	struct ini file = {0};
	int r = trust_settings(c, &file);

	*out = cost_on_demand;
	r = r < 0 ? r : cost_take_price(c, &file, "read", &out->read);
	return r < 0 ? r : cost_take_price(c, &file, "write", &out->write);
}

/* ------------------------------------------------------------ commands */

/* Address of the value of an option of the command; NULL: it has no such option */
static const void *
cost_opt(const struct command *command, const void *opts, enum opt_kind kind, const char *name)
{
	for (const struct opt *o = command->opts; o != NULL && o->name != NULL; o++) {
		if (o->kind == kind && strcmp(o->name, name) == 0) {
			return (const char *)opts + o->at;
		}
	}
	return NULL;
}

/* Estimate copy.  Writes to a store directory consume nothing. */
static int
cost_copy(struct ctl *ctl, struct call *c, const struct command *command, const struct words *words,
	  const void *opts, struct estimate *e)
{
	const char *const *option = cost_opt(command, opts, OPT_TEXT, "to");
	const char *to = option == NULL ? NULL : *option;
	const bool *consistent = cost_opt(command, opts, OPT_FLAG, "consistent");
	struct other_store target;

	if (words->n > 1 && to != NULL) {
		return call_fail(c, ERR_USAGE, "copy: two targets: %s and --to %s", words->at[1],
				 to);
	}
	to = words->n > 1 ? words->at[1] : to;
	if (to == NULL || *to == '\0') {
		return call_fail(c, ERR_USAGE, "copy needs --to NEW or --to STORE[/TABLE]");
	}
	int r = other_store_target(c, ctl->store, to, &target);

	r = r < 0 ? r
		  : estimate_copy(ctl->engine, c, slice_from(words->at[0]),
				  consistent != NULL && *consistent, e);
	if (r == 0 && !store_is_remote(target.store)) {
		e->write_units = 0;
	}
	return r;
}

/* Run the command with an engine that records its requests and changes nothing, and estimate them. */
static int
cost_try(struct ctl *ctl, struct call *c, const struct command *command, const struct words *words,
	 const void *opts, struct estimate *e)
{
	struct buf first = {.arena = &c->arena};
	struct recorder to;

	recorder_init(&to, RECORDER_COST);
	ctl->quiet = true;
	ctl->engine = recorder_open(ctl->engine, &to);
	ctl->first = &first;
	out_open_first(&ctl->out, ctl->first);
	int r = command->run(ctl, c, words, opts);

	ctl->first = NULL;
	ctl->engine = recorder_close(ctl->engine);
	if (to.skipped) { /* the error is that of the recorder */
		c->error = (struct error){0};
		r = 0;
	}
	r = r < 0 ? r : estimate_records(ctl->engine, c, &to, e);
	recorder_release(&to);
	return r;
}

static void
cost_print(struct ctl *ctl, struct call *c, const struct estimate *e, const struct prices *p)
{
	struct attr attrs[] = {
		row_number(&c->arena, "ReadUnits", e->read_units),
		row_number(&c->arena, "WriteUnits", e->write_units),
		row_number(&c->arena, "Dollars",
			   (e->read_units * p->read + e->write_units * p->write) / 1e6),
	};

	(void)out_one(&ctl->out, &(struct item){.at = attrs, .n = 3});
	if (e->partly) {
		ctl_note(ctl, "this counts only the first page of each partition");
	}
	if (e->asked_units > 0) {
		ctl_note(ctl, "this estimate consumed %g read units", e->asked_units);
	}
	ctl_note(ctl,
		 "estimated from the table's size, at $%g a million read units and $%g a million "
		 "write units",
		 p->read, p->write);
}

int
cost_run(struct ctl *ctl, struct call *c, const struct command *command, const struct words *words,
	 const void *opts)
{
	struct estimate e = {0};
	struct prices prices;
	bool quiet = ctl->quiet;
	int r = cost_read_prices(c, &prices);

	if (r == 0 && !words_in("get query scan export copy put import update delete call",
				slice_from(command->name))) {
		return call_fail(
			c, ERR_USAGE,
			"cost can estimate get, query, scan, export, copy, put, import, update "
			"and delete, not %s",
			command->name);
	}
	r = r < 0 ? r : ctl_open_store(ctl, c, false);
	if (r == 0 && command == &cmd_copy) {
		r = cost_copy(ctl, c, command, words, opts, &e);
	} else if (r == 0) {
		r = cost_try(ctl, c, command, words, opts, &e);
	}
	ctl->quiet = quiet;
	out_drop(&ctl->out);
	out_open(&ctl->out, STDOUT_FILENO, ctl->format);
	if (r == 0) {
		cost_print(ctl, c, &e, &prices);
	}
	return r;
}

static int
run_cost(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	(void)ctl;
	(void)words;
	(void)opts;
	return call_fail(c, ERR_USAGE,
			 "cost needs a command with its words: itemctl cost scan TABLE");
}

const struct command cmd_cost = {
	.name = "cost",
	.usage = "COMMAND WORD...",
	.summary = "estimate what a command would consume, in units and dollars",
	.details =
		"Works for get, query, scan, export, copy, put, import, update and delete, with their own\n"
		"words and options. Nothing is written. Sizes and counts are those of DescribeTable,\n"
		"which DynamoDB updates every six hours. An unknown item counts as average; a write\n"
		"counts all indexes. For a query, the first page of each partition is read and consumes\n"
		"capacity. A copy counts its reads, and its writes if the target is an endpoint;\n"
		"--sample, --filter and --partitions are ignored. Prices are the on-demand prices of\n"
		"us-east-1 in 2026, $0.125 per million read units and $0.625 per million write units, or\n"
		"those of [prices] in the settings file: read = N, write = N.",
	.examples = "itemctl cost scan music\n"
		    "itemctl cost copy music --to dynamodb:eu-west-1\n",
	.min_words = 1,
	.max_words = SIZE_MAX,
	.no_store = true,
	.run = run_cost,
};
