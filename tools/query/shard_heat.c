/* shard_heat - "shards heat", see shard.h: the usage of partition keys, compared with what a partition provides per second */
#include <assert.h>
#include <math.h>

#include "store/base/core/ascii.h"
#include "store/engine/engine.h"

#include "tools/out/out.h"
#include "tools/query/shard.h"
#include "tools/session/ctl.h"
#include "tools/text/row.h"

enum {
	LIMIT = 20, /* default number of keys */
	BAR = 20,   /* characters of a full bar: all that a partition provides */
	COLUMNS = 11,
};

/* Units per second that a partition provides. */
static const double PARTITION_READS = 3000;
static const double PARTITION_WRITES = 1000;

static const double CENT = 100;

struct shard_heat {
	struct ctl *ctl;
	struct call *c;
	const struct schema *schema;
	const struct index *ix;
	struct describe_key_usage_out usage;
};

/* Parse "90s", "10m" or "1h" to seconds, up to KEY_USAGE_SINCE_MAX_S. */
static int
shard_heat_since(struct call *c, const char *text, uint64_t *out)
{
	struct slice s = slice_from(text);
	size_t n = ascii_digits_end(s, 0);
	char unit = n < s.len ? s.at[n] : '\0';

	*out = 0;
	if (n > 6 || n + 1 != s.len || !ascii_count(slice_of(s.at, n), out) ||
	    strchr("smh", unit) == NULL || *out == 0) {
		return call_fail(c, ERR_USAGE,
				 "--since must be a duration such as 90s, 10m or 1h, not \"%s\"",
				 text);
	}
	*out *= unit == 's' ? 1 : unit == 'm' ? 60 : 3600;
	return *out <= KEY_USAGE_SINCE_MAX_S
		       ? 0
		       : call_fail(c, ERR_USAGE, "--since %s: key usage is kept for 1h", text);
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
shard_heat_part(const struct usage_of_key *k)
{
	return fmax(shard_heat_units(k->read.peak_halves) / PARTITION_READS,
		    shard_heat_units(k->write.peak_halves) / PARTITION_WRITES);
}

/* Return the number of partitions that the busiest second needs, as "shards plan" does; 1: the key is not hot. */
static double
shard_heat_shards(const struct key_use *use, double of_one)
{
	return fmax(1, fmin(shard_pad(shard_heat_units(use->peak_halves) / of_one), SHARDS_MAX));
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
shard_heat_key_value(const struct shard_heat *h, const struct usage_of_key *k)
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

/* Append the advice for a hot key. */
static size_t
shard_heat_put_remedy(const struct shard_heat *h, const struct usage_of_key *k, struct attr *attrs)
{
	double reads = shard_heat_shards(&k->read, PARTITION_READS);
	double writes = shard_heat_shards(&k->write, PARTITION_WRITES);
	const char *remedy = reads > 1 && writes > 1 ? "write sharding; caching or sharded reads"
			     : writes > 1            ? "write sharding"
						     : "caching or sharded reads";

	if (reads <= 1 && writes <= 1) {
		return 0;
	}
	attrs[0] = row_number(&h->c->arena, "Shards", fmax(reads, writes));
	attrs[1] = row_text("Remedy", slice_from(remedy));
	return 2;
}

static void
shard_heat_print(const struct shard_heat *h, const struct usage_of_key *k)
{
	struct arena *a = &h->c->arena;
	bool table = h->ctl->out.format == OUT_TABLE;
	double reads = shard_heat_units(k->read.halves);
	double writes = shard_heat_units(k->write.halves);
	double seconds = (double)h->usage.seconds;
	double part = shard_heat_part(k);
	struct attr attrs[COLUMNS];
	size_t n = 0;

	attrs[n++] = (struct attr){.name = SLICE("Key"), .value = shard_heat_key_value(h, k)};
	if (table) {
		attrs[n++] = row_text("Heat", bar(h->c, part));
	}
	attrs[n++] = row_number(a, "Percent", rounded(part * 100));
	attrs[n++] = row_number(a, "ReadPeak", shard_heat_units(k->read.peak_halves));
	attrs[n++] = row_number(a, "WritePeak", shard_heat_units(k->write.peak_halves));
	attrs[n++] = row_number(a, "ReadMean", rounded(reads / seconds));
	attrs[n++] = row_number(a, "WriteMean", rounded(writes / seconds));
	if (!table) {
		attrs[n++] = row_number(a, "ReadUnits", reads);
		attrs[n++] = row_number(a, "WriteUnits", writes);
	}
	n += shard_heat_put_remedy(h, k, &attrs[n]);
	(void)out_item(&h->ctl->out, &(struct item){.at = attrs, .n = n});
}

static void
shard_heat_note(const struct shard_heat *h)
{
	const struct describe_key_usage_out *u = &h->usage;

	if (u->n_keys > 0) {
		ctl_note(h->ctl, "%zu of %lu keys; usage in %lu seconds", u->n_keys,
			 (unsigned long)u->known, (unsigned long)u->seconds);
	} else if (ctl_owns(h->ctl)) {
		ctl_note(h->ctl, "key usage is recorded only while a mount or a server has the "
				 "store open");
	} else {
		ctl_note(h->ctl, "no key was read or written in the last %lu seconds",
			 (unsigned long)u->seconds);
	}
}

/* ------------------------------------------------------------ the command */

static int
shard_heat_ask(struct shard_heat *h, const struct describe_key_usage_in *in)
{
	struct call *c = h->c;
	int r = engine_describe_key_usage(h->ctl->engine, c, in, &h->usage);

	if (r != -ERR_NOT_SUPPORTED && r != -ERR_UNKNOWN_OPERATION) {
		return r;
	}
	c->error = (struct error){0};
	return call_fail(
		c, ERR_USAGE,
		"an endpoint does not report key usage. For a store of itemfs, use its directory "
		"(-s STORE); for DynamoDB, CloudWatch Contributor Insights: aws dynamodb "
		"update-contributor-insights --contributor-insights-action ENABLE --table-name "
		"%.*s",
		SLICE_ARG(in->table));
}

/* Return true if each key has a value for each attribute of the partition key. */
static bool
complete(const struct shard_heat *h)
{
	size_t n = key_part_n(schema_key(h->schema, h->ix)->pk);

	for (size_t i = 0; i < h->usage.n_keys; i++) {
		if (h->usage.keys[i].pk.n != n) {
			return false;
		}
	}
	return h->usage.seconds > 0;
}

int
shard_heat_run(struct ctl *ctl, struct call *c, struct slice table, const struct shard_heat_opts *o)
{
	struct describe_key_usage_in in = {.table = table,
					   .index = slice_from(o->index),
					   .limit = o->limit.given ? (uint32_t)o->limit.n : LIMIT};
	struct shard_heat h = {.ctl = ctl, .c = c};
	int r = o->since == NULL ? 0 : shard_heat_since(c, o->since, &in.since_s);

	if (r == 0 && o->limit.given && (o->limit.n == 0 || o->limit.n > UINT32_MAX)) {
		r = call_fail(c, ERR_USAGE, "--limit must be 1 or more");
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
		return call_fail(c, ERR_IO, "the answer does not match the table");
	}
	ctl->out.list = true;
	for (size_t i = 0; i < h.usage.n_keys; i++) {
		shard_heat_print(&h, &h.usage.keys[i]);
	}
	r = ctl_end_answer(ctl, c); /* the rows come before the notes */
	shard_heat_note(&h);
	return r;
}
