/* shard - see shard.h */
#include "tools/query/shard.h"

#include <math.h>

#include "store/engine/engine.h"
#include "store/model/key_text.h"
#include "store/model/shard_order.h"
#include "store/wire/proto/gzip.h"

#include "tools/out/out.h"
#include "tools/session/ctl.h"
#include "tools/session/exprs.h"
#include "tools/text/fmt.h"
#include "tools/text/row.h"

enum {
	PAGE_ITEMS_ALL = 15000, /* items of the pages of all shards, roughly */
	PAGE_ITEMS_FEW = 5,
	PAGE_ITEMS_MIN = 50,
	PAGE_ITEMS_MAX = 1000,
};

/* Parse a number of a shard; false: anything else. */
static bool
shard_whole(struct slice s, uint32_t *out)
{
	uint64_t n = 0;
	bool good = ascii_count(s, &n) && s.len <= 9;

	*out = (uint32_t)n;
	return good;
}

int
shard_range(struct call *c, const char *text, const char *hash, struct shard_range *out)
{
	const char *dots = strstr(text, "..");

	if (dots == NULL || !shard_whole(slice_of(text, (size_t)(dots - text)), &out->lo) ||
	    !shard_whole(slice_from(dots + 2), &out->hi) || out->hi < out->lo) {
		return call_fail(c, ERR_USAGE, "--shards must be LO..HI, such as 0..14, not \"%s\"",
				 text);
	}
	uint32_t n = out->hi - out->lo + 1;

	if (n > SHARDS_MAX) {
		return call_fail(c, ERR_USAGE,
				 "--shards: %u partitions are too many; the limit is %d", n,
				 SHARDS_MAX);
	}
	if (hash == NULL) {
		return 0;
	}
	const char *equals = strchr(hash, '=');

	if (equals == NULL || equals == hash) {
		return call_fail(c, ERR_USAGE, "--hash must be ATTR=VALUE, not \"%s\"", hash);
	}
	out->lo += gzip_sum(slice_from(equals + 1)) % n;
	out->hi = out->lo;
	return 0;
}

int
shard_keys(struct call *c, const struct key_attr *pk, const char *prefix,
	   const struct shard_range *range, struct value **out)
{
	size_t n = range->hi - range->lo + 1;

	assert(range->lo <= range->hi && n <= SHARDS_MAX);
	*out = arena_new(&c->arena, struct value, n);
	for (size_t i = 0; i < n; i++) {
		struct slice text = fmt_slice(&c->arena, "%s%u", prefix == NULL ? "" : prefix,
					      range->lo + (uint32_t)i);
		int r = key_text_parse(c, pk, text, &(*out)[i]);
		if (r < 0) {
			return r;
		}
	}
	return 0;
}

void
shard_project(struct call *c, struct exprs *e, const struct shard_order *order,
	      struct slice *projection, struct shard_hidden *out)
{
	*out = shard_order_hidden(order, &e->request.ph, *projection);
	struct buf text = {.arena = &c->arena};
	buf_slice(&text, *projection);
	for (size_t i = 0; i < out->n; i++) {
		const char *alias = arena_print(&c->arena, "#itemctl_m%zu", i);

		exprs_name(c, e, alias, out->names[i]);
		buf_fmt(&text, ", %s", alias);
	}
	*projection = buf_view(&text);
}

uint32_t
shard_page_size(size_t n, uint64_t limit)
{
	assert(n > 0);
	uint64_t share = PAGE_ITEMS_ALL / n;
	uint64_t most = share < PAGE_ITEMS_MIN   ? PAGE_ITEMS_MIN
			: share > PAGE_ITEMS_MAX ? PAGE_ITEMS_MAX
						 : share;
	/* Shards have about the same size, so twice the share of a shard is usually enough. */
	uint64_t wanted = limit == 0 ? most : 2 * (limit / n) + PAGE_ITEMS_FEW;

	return (uint32_t)(wanted < most ? wanted : most);
}

void
shard_say_none(const struct ctl *ctl, const struct key_attr *attr, const struct value *partitions,
	       size_t n, bool prefixed)
{
	const char *quote = attr->type == VALUE_S ? "'" : "";

	assert(n > 0);
	ctl_note(ctl, "no item has %.*s = %s%.*s%s to %s%.*s%s%s", SLICE_ARG(attr->name), quote,
		 SLICE_ARG(partitions[0].text), quote, quote, SLICE_ARG(partitions[n - 1].text),
		 quote, prefixed ? "" : ": --prefix P makes the keys P0, P1 ...");
}

/* ------------------------------------------------------------ arithmetic of write sharding */

static const double RCU_BYTES = 4096;     /* bytes that one unit reads */
static const double PARTITION_RCU = 3000; /* units per second of one partition */

/*
 * Return: the whole number of shards to use when @exact are needed: a fifth more, rounded up.
 * The small number keeps 12.5 * 1.2 from being 15.000000000000002.
 */
static double
shard_pad(double exact)
{
	return fmax(ceil(exact * 1.2 - 1e-9), ceil(exact));
}

void
shard_plan(struct shard_plan *p)
{
	assert(p->items > 0 && p->fraction > 0 && p->item_size > 0 && p->rate > 0);
	double fit = floor(RCU_BYTES / p->item_size);

	p->items_per_rcu = fit >= 1 ? fit : 1 / ceil(p->item_size / RCU_BYTES);
	p->partition_rate = floor(PARTITION_RCU * p->items_per_rcu);
	p->required = p->items * p->fraction * p->rate;
	p->exact = p->required / p->partition_rate;
	p->n = ceil(p->exact);
	p->padded = shard_pad(p->exact);
}

/* ------------------------------------------------------------ shards heat */

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
