/* shard - see shard.h */
#include "tools/query/shard.h"

#include <assert.h>
#include <math.h>

#include "store/base/core/ascii.h"
#include "store/model/key_text.h"
#include "store/model/shard_order.h"
#include "store/wire/proto/gzip.h"

#include "tools/session/ctl.h"
#include "tools/session/exprs.h"
#include "tools/text/fmt.h"

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
		struct buf alias = {.arena = &c->arena};

		buf_fmt(&alias, "#itemctl_m%zu", i);
		buf_char(&alias, 0);
		exprs_name(c, e, alias.at, out->names[i]);
		buf_str(&text, ", ");
		buf_str(&text, alias.at);
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

/* The small number keeps 12.5 * 1.2 from being 15.000000000000002. */
double
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
