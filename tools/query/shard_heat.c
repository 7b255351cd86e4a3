/* shard_heat - see shard_heat.h */
#include "tools/query/shard_heat.h"

#include <assert.h>
#include <math.h>

#include "store/base/core/ascii.h"
#include "store/engine/engine.h"

#include "tools/out/out.h"
#include "tools/query/remedy.h"
#include "tools/session/ctl.h"
#include "tools/text/row.h"

enum {
	LIMIT = 20,   /* default number of keys */
	BAR = 20,     /* characters of a full bar: all that a partition provides */
	REMEDIES = 3, /* hot keys for which advice is printed */
	COLUMNS = 10,
};

static const double CENT = 100;

struct heat {
	struct ctl *ctl;
	struct call *c;
	const struct schema *schema;
	const struct index *ix;
	struct describe_heat_out told;
};

/* Parse "90s", "10m" or "1h" to seconds, up to HEAT_SINCE_MAX_S. */
static int
heat_since(struct call *c, const char *text, uint64_t *out)
{
	struct slice s = slice_from(text);
	size_t n = ascii_digits_end(s, 0);
	uint64_t unit = 0;

	if (n > 0 && n <= 6 && n + 1 == s.len) {
		unit = s.at[n] == 's' ? 1 : s.at[n] == 'm' ? 60 : s.at[n] == 'h' ? 3600 : 0;
	}
	*out = 0;
	for (size_t i = 0; unit > 0 && i < n; i++) {
		*out = *out * 10 + (uint64_t)(s.at[i] - '0');
	}
	*out *= unit;
	if (*out == 0) {
		return call_fail(c, ERR_USAGE, "--since is as 90s, 10m or 1h, not \"%s\"", text);
	}
	return *out <= HEAT_SINCE_MAX_S
		       ? 0
		       : call_fail(c, ERR_USAGE, "--since %s: what keys consume is kept for 1h",
				   text);
}

/* ------------------------------------------------------------ rows */

static double
rounded(double v)
{
	return floor(v * CENT + 0.5) / CENT;
}

static double
shard_heat_units(uint64_t halves)
{
	return (double)halves / 2;
}

/* Return the fraction of what a partition provides that was used in the busiest second. */
static double
part_of(const struct heat_of_key *k)
{
	return fmax(shard_heat_units(k->read.peak_halves) / (double)REMEDY_READS,
		    shard_heat_units(k->write.peak_halves) / (double)REMEDY_WRITES);
}

static struct slice
bar(struct call *c, double part)
{
	struct buf b = {.arena = &c->arena};

	for (int i = 0; i < BAR && i + 0.5 < part * (double)BAR; i++) {
		buf_char(&b, '#');
	}
	buf_str(&b, part > 1 ? ">" : "");
	return buf_view(&b);
}

/* Return the value of the partition key; a map if it has several attributes. */
static struct value
shard_heat_key_value(const struct heat *h, const struct heat_of_key *k)
{
	const struct key_schema *key = schema_key(h->schema, h->ix);
	struct attr *attrs = arena_new(&h->c->arena, struct attr, k->pk.n);

	if (k->pk.n == 1) {
		return k->pk.at[0];
	}
	for (size_t i = 0; i < k->pk.n; i++) {
		attrs[i] = (struct attr){.name = key->pk[i].name, .value = k->pk.at[i]};
	}
	return (struct value){.type = VALUE_M, .map = {.at = attrs, .n = k->pk.n}};
}

static const char *
remedy_word(const struct heat_of_key *k)
{
	bool reads = remedy_shards(&k->read, REMEDY_READS) > 1;
	bool writes = remedy_shards(&k->write, REMEDY_WRITES) > 1;

	if (reads && writes) {
		return "write sharding; caching or sharded reads";
	}
	return reads ? "caching or sharded reads" : writes ? "write sharding" : NULL;
}

static void
print_key(const struct heat *h, const struct heat_of_key *k)
{
	struct arena *a = &h->c->arena;
	bool table = h->ctl->out.format == OUT_TABLE;
	const char *remedy = remedy_word(k);
	struct attr attrs[COLUMNS];
	size_t n = 0;

	attrs[n++] = (struct attr){.name = SLICE("Key"), .value = shard_heat_key_value(h, k)};
	if (table) {
		attrs[n++] = row_text("Heat", bar(h->c, part_of(k)));
	}
	attrs[n++] = row_number(a, "Percent", rounded(part_of(k) * 100));
	attrs[n++] = row_number(a, "ReadPeak", shard_heat_units(k->read.peak_halves));
	attrs[n++] = row_number(a, "WritePeak", shard_heat_units(k->write.peak_halves));
	attrs[n++] = row_number(
		a, "ReadMean", rounded(shard_heat_units(k->read.halves) / (double)h->told.seconds));
	attrs[n++] =
		row_number(a, "WriteMean",
			   rounded(shard_heat_units(k->write.halves) / (double)h->told.seconds));
	if (!table) {
		attrs[n++] = row_number(a, "ReadUnits", shard_heat_units(k->read.halves));
		attrs[n++] = row_number(a, "WriteUnits", shard_heat_units(k->write.halves));
	}
	if (!table && remedy != NULL) {
		attrs[n++] = row_number(a, "Shards",
					fmax(remedy_shards(&k->read, REMEDY_READS),
					     remedy_shards(&k->write, REMEDY_WRITES)));
		attrs[n++] = row_text("Remedy", slice_from(remedy));
	}
	(void)out_item(&h->ctl->out, &(struct item){.at = attrs, .n = n});
}

/* ------------------------------------------------------------ notes */

static void
note_remedies(const struct heat *h)
{
	struct buf text = {.arena = &h->c->arena};
	size_t hot = 0;

	for (size_t i = 0; i < h->told.n_keys; i++) {
		const struct heat_of_key *k = &h->told.keys[i];
		struct remedy r = {h->schema, h->ix, k};

		if (remedy_word(k) != NULL && hot++ < REMEDIES) {
			remedy_put(h->c, &text, &r);
		}
	}
	if (hot > REMEDIES) {
		buf_fmt(&text, "%zu more %s hot.\n", hot - REMEDIES,
			hot - REMEDIES == 1 ? "is" : "are");
	}
	if (text.len > 0) {
		ctl_note(h->ctl, "%.*s", (int)text.len - 1, text.at);
	}
}

static void
note_sum(const struct heat *h)
{
	const struct describe_heat_out *t = &h->told;

	if (t->read.halves == 0 && t->write.halves == 0) {
		ctl_note(h->ctl, "nothing was read or written in the last %lu seconds",
			 (unsigned long)t->seconds);
		return;
	}
	ctl_note(
		h->ctl,
		"%zu of %lu keys; all, with Scans: %.15g read and %.15g write units in %lu seconds",
		t->n_keys, (unsigned long)t->known, shard_heat_units(t->read.halves),
		shard_heat_units(t->write.halves), (unsigned long)t->seconds);
}

/* ------------------------------------------------------------ the command */

static int
shard_heat_ask(struct heat *h, const struct describe_heat_in *in)
{
	struct call *c = h->c;
	int r = engine_describe_heat(h->ctl->engine, c, in, &h->told);

	if (r != -ERR_NOT_SUPPORTED && r != -ERR_UNKNOWN_OPERATION) {
		return r;
	}
	c->error = (struct error){0};
	return call_fail(
		c, ERR_USAGE,
		"an endpoint does not tell what its keys consume. A store of itemfs does where it "
		"lies (-s STORE); DynamoDB in CloudWatch Contributor Insights: aws dynamodb "
		"update-contributor-insights --contributor-insights-action ENABLE --table-name "
		"%.*s",
		SLICE_ARG(in->table));
}

/* Return true if each key has a value for each attribute of the partition key. */
static bool
complete(const struct heat *h)
{
	size_t n = key_part_n(schema_key(h->schema, h->ix)->pk);

	for (size_t i = 0; i < h->told.n_keys; i++) {
		if (h->told.keys[i].pk.n != n) {
			return false;
		}
	}
	return h->told.seconds > 0;
}

int
heat_run(struct ctl *ctl, struct call *c, struct slice table, const struct heat_opts *o)
{
	struct describe_heat_in in = {.table = table,
				      .index = slice_from(o->index),
				      .limit = o->limit.given ? (uint32_t)o->limit.n : LIMIT};
	struct heat h = {.ctl = ctl, .c = c};
	int r = o->since == NULL ? 0 : heat_since(c, o->since, &in.since_s);

	if (r == 0 && o->limit.given && (o->limit.n == 0 || o->limit.n > UINT32_MAX)) {
		r = call_fail(c, ERR_USAGE, "--limit is 1 or more");
	}
	r = r != 0 ? r : ctl_schema(ctl, c, table, &h.schema);
	if (r < 0) {
		return r;
	}
	assert(h.schema != NULL);
	if (o->index != NULL) {
		r = ctl_index(c, h.schema, o->index, &h.ix);
	}
	r = r != 0 ? r : shard_heat_ask(&h, &in);
	if (r < 0) {
		return r;
	}
	if (!complete(&h)) {
		return call_fail(c, ERR_IO, "the answer does not fit the table");
	}
	ctl->out.list = true;
	for (size_t i = 0; i < h.told.n_keys; i++) {
		print_key(&h, &h.told.keys[i]);
	}
	r = ctl_end_answer(ctl, c); /* the rows come before the notes */
	note_sum(&h);
	note_remedies(&h);
	return r;
}
