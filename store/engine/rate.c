/* rate - see rate.h */
#include "store/engine/rate.h"

#include "store/base/core/clock.h"
#include "store/base/core/pause.h"
#include "store/engine/consumed.h"
#include "store/engine/engine.h"
#include "store/op/op.h"

enum {
	RATE_LOOK_MS = 50,           /* a waiting request checks the bucket at least this often */
	RATE_FIRST_PAGE = 100,       /* items, while the units of an item are not known */
	RATE_PAGE_MAX = 1000 * 1000, /* items in a page that had no limit */
};

/* One direction of a table, or of all tables. */
struct rate_lane {
	struct rate_bucket bucket;
	double last; /* units of the last request: the estimate for the next one */
};

struct rate_table {
	struct rate_table *next;
	struct rate_lane lanes[2]; /* reads, writes */
	double item_units;         /* per item read; 0: not known */
	char name[];
};

struct rated {
	struct engine engine;
	struct rate wanted;
	pthread_mutex_t lock; /* guards tables; without a percentage, the list itself is constant */
	struct rate_table *tables;
};

/* A request in progress. */
struct rate_turn {
	struct rate_table *table; /* NULL: only the answer names it */
	bool writes;
	double taken; /* units in advance */
};

/* ------------------------------------------------------------ buckets */

void
rate_fill(struct rate_bucket *b, uint64_t now_ns)
{
	if (now_ns > b->at_ns) {
		b->have += (double)(now_ns - b->at_ns) / (double)NS_PER_S * b->per_s;
		b->at_ns = now_ns;
	}
	b->have = b->have < b->most ? b->have : b->most;
}

uint64_t
rate_delay_ns(const struct rate_bucket *b)
{
	return b->per_s <= 0 || b->have >= 0
		       ? 0
		       : (uint64_t)(-b->have / b->per_s * (double)NS_PER_S) + 1;
}

bool
rate_parse(const char *text, struct rate *out)
{
	char *end;
	double n = strtod(text, &end);
	bool digit = text[0] >= '0' && text[0] <= '9';

	if (!digit || !(n > 0 && n <= 1e9)) {
		return false;
	}
	if (strcmp(end, "%") == 0) {
		out->percent = (unsigned)n;
		return n >= 1 && n <= 100 && (double)out->percent == n;
	}
	out->read_units = n;
	out->write_units = n;
	return *end == '\0';
}

/* ------------------------------------------------------------ tables */

static struct rate_lane
rate_lane(double per_s, double most, double have)
{
	return (struct rate_lane){.bucket = {per_s, most, have, clock_steady_ns()}, .last = per_s};
}

static struct rate_table *
rate_add(struct rated *e, struct slice name, double reads, double writes)
{
	struct rate_table *t = mem_zeroed(1, sizeof(*t) + name.len + 1);
	double most = e->wanted.reads_at_once;

	assert(lock_held(&e->lock));
	t->lanes[0] = rate_lane(reads, most > 0 ? most : reads, most);
	t->lanes[1] = rate_lane(writes, writes, 0);
	memcpy(t->name, name.at, name.len);
	t->next = e->tables;
	e->tables = t;
	return t;
}

static struct rate_table *
rate_look(const struct rated *e, struct slice name)
{
	struct rate_table *t = e->tables;

	assert(lock_held(&e->lock));
	while (t != NULL && !slice_is(name, t->name)) {
		t = t->next;
	}
	return t;
}

static struct rate_table *
rate_find(struct rated *e, struct slice name)
{
	lock_scope(&e->lock);
	return rate_look(e, name);
}

/* Adds a table with the percentage of its provisioned throughput. */
static int
rate_describe(struct rated *e, struct call *c, struct slice name, struct rate_table **out)
{
	struct describe_table_in in = {.table = name};
	struct describe_table_out answer = {0};
	int r = engine_describe_table(e->engine.below, c, &in, &answer);

	if (r < 0) {
		return r;
	}
	const struct schema *s = answer.table.schema;

	if (s == NULL || !s->provisioned || s->read_units == 0 || s->write_units == 0) {
		return call_fail(
			c, ERR_USAGE,
			"%s %u%%: table %.*s is billed on demand and has no provisioned throughput; "
			"give units per second, such as %s 100",
			e->wanted.option, e->wanted.percent, SLICE_ARG(name), e->wanted.option);
	}
	double part = e->wanted.percent / 100.0;

	lock_scope(&e->lock);
	*out = rate_look(e, name);
	if (*out == NULL) {
		*out = rate_add(e, name, (double)s->read_units * part,
				(double)s->write_units * part);
	}
	return 0;
}

static int
rate_table(struct rated *e, struct call *c, struct slice name, struct rate_table **out)
{
	if (e->wanted.percent == 0) {
		*out = e->tables;
		return 0;
	}
	*out = name.len == 0 ? NULL : rate_find(e, name);
	return name.len == 0 || *out != NULL ? 0 : rate_describe(e, c, name, out);
}

/* ------------------------------------------------------------ turns */

/* Charges the estimate for the request and returns 0, or returns the time to wait. @must: charge it in any case. */
static uint64_t
rate_try(struct rated *e, struct rate_turn *turn, bool must)
{
	assert(turn->table != NULL);
	lock_scope(&e->lock);
	struct rate_lane *lane = &turn->table->lanes[turn->writes];

	rate_fill(&lane->bucket, clock_steady_ns());
	uint64_t delay = must ? 0 : rate_delay_ns(&lane->bucket);

	if (delay == 0) {
		turn->taken = lane->last;
		lane->bucket.have -= turn->taken;
	}
	return delay;
}

static int
rate_wait(struct rated *e, struct call *c, struct rate_turn *turn)
{
	const struct rate_waits *waits = &e->wanted.waits;
	uint64_t delay = rate_try(e, turn, false);
	bool gone = false;

	if (delay == 0) {
		return 0;
	}
	if (waits->begin != NULL && !waits->begin(c, &e->wanted)) {
		(void)rate_try(e, turn, true);
		return 0;
	}
	while (!gone && delay > 0) {
		uint64_t ms = delay / NS_PER_MS + 1;

		gone = !pause_ms(c, ms < RATE_LOOK_MS ? (unsigned)ms : RATE_LOOK_MS);
		delay = gone ? delay : rate_try(e, turn, false);
	}
	if (waits->end != NULL) {
		waits->end(c);
	}
	return gone ? call_fail(c, ERR_THROTTLED, "interrupted while waiting for units (%s)",
				e->wanted.option)
		    : 0;
}

/* Replaces the estimate by what the request has consumed. */
static void
rate_settle(struct rated *e, struct rate_turn *turn, double reads, double writes)
{
	const double units[] = {reads, writes};

	lock_scope(&e->lock);
	turn->table->lanes[turn->writes].bucket.have += turn->taken;
	for (int i = 0; i < 2; i++) {
		struct rate_lane *lane = &turn->table->lanes[i];

		rate_fill(&lane->bucket, clock_steady_ns());
		lane->bucket.have -= units[i];
		lane->last = units[i] > 0 ? units[i] : lane->last;
	}
}

/* ------------------------------------------------------------ pages */

/* Limits a page without a limit to about the units of one second. */
static void
rate_limit_page(struct rated *e, const struct rate_turn *turn, struct op_in *in)
{
	struct read_in *read = op_read(in);
	double per_s = turn->table->lanes[0].bucket.per_s;

	if (read == NULL || read->has_limit || per_s <= 0 || e->wanted.reads_at_once > 0) {
		return;
	}
	lock_scope(&e->lock);
	double each = turn->table->item_units;
	double n = each == 0 ? (double)RATE_FIRST_PAGE : per_s / each;

	read->has_limit = true;
	read->limit = n < 1 ? 1 : n > (double)RATE_PAGE_MAX ? RATE_PAGE_MAX : (uint32_t)n;
}

static void
rate_learn_page(struct rated *e, const struct rate_turn *turn, const struct page *page,
		double units)
{
	if (page != NULL && page->scanned > 0 && units > 0) {
		lock_scope(&e->lock);
		turn->table->item_units = units / (double)page->scanned;
	}
}

/* ------------------------------------------------------------ the engine */

/* GetRecords is billed as one read unit, but its answer does not say so. */
static int
rate_ask(struct rated *e, struct call *c, struct rate_turn *turn, const struct op_in *in,
	 struct op_out *out)
{
	struct consumed_list reported = {0};
	uint64_t reads = 0, writes = 0;
	struct op_in asking = *in;
	int r;

	rate_limit_page(e, turn, &asking);
	if (in->type == OP_GET_RECORDS) {
		r = engine_execute(e->engine.below, c, in, out);
		reads = 2;
	} else {
		r = consumed_execute(e->engine.below, c, &asking, out, &reported);
	}
	if (r == 0) {
		consumed_add(in, &reported, &reads, &writes);
		rate_learn_page(e, turn, op_page(in, out), (double)reads / 2);
	}
	rate_settle(e, turn, (double)reads / 2, (double)writes / 2);
	return r;
}

static int
rate_execute(struct engine *engine, struct call *c, const struct op_in *in, struct op_out *out)
{
	struct rated *e = (struct rated *)engine;
	struct rate_turn turn = {.writes = op_writes(in)};

	if (!consumed_tells(in->type) && in->type != OP_GET_RECORDS) {
		return engine_execute(e->engine.below, c, in, out);
	}
	int r = rate_table(e, c, consumed_table(in), &turn.table);

	if (r < 0) {
		return r;
	}
	/* With a percentage, operations whose table only the answer names are not limited. */
	if (turn.table == NULL) {
		return engine_execute(e->engine.below, c, in, out);
	}
	r = rate_wait(e, c, &turn);
	return r < 0 ? r : rate_ask(e, c, &turn, in, out);
}

/* Operations that consume units, and unknown ones, go through rate_execute(). */
static int
rate_pass(struct engine *engine, struct call *c, const char *name, struct slice body,
	  struct slice *answer)
{
	enum op_type type = op_find(slice_from(name));
	bool counted = type == OP_COUNT || consumed_tells(type) || type == OP_GET_RECORDS;

	return counted ? ENGINE_NO_PASS : engine_pass(engine->below, c, name, body, answer);
}

static void
rate_close(struct engine *engine)
{
	struct rated *e = (struct rated *)engine;
	struct rate_table *next;

	for (struct rate_table *t = e->tables; t != NULL; t = next) {
		next = t->next;
		free(t);
	}
	engine_close(e->engine.below);
	(void)pthread_mutex_destroy(&e->lock);
	free(e);
}

struct engine *
rate_open(struct engine *below, const struct rate *wanted)
{
	static const struct engine_ops ops = {
		.execute = rate_execute,
		.pass = rate_pass,
		.close = rate_close,
	};
	struct rated *e = mem_new(struct rated);

	*e = (struct rated){.engine = {&ops, below}, .wanted = *wanted};
	(void)pthread_mutex_init(&e->lock, NULL);
	if (wanted->percent == 0) {
		lock_scope(&e->lock);
		(void)rate_add(e, SLICE(""), wanted->read_units, wanted->write_units);
	}
	return &e->engine;
}
