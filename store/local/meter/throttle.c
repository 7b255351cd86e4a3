/* throttle - budgets as leaky buckets: a bucket holds the units spent, which drain at the rate of the budget */
#include "store/local/meter/throttle.h"

#include "store/base/core/throttled.h"
#include "store/local/records/hash.h"
#include "store/model/arn.h"

enum {
	BURST_S = 300,
	READS_A_SECOND = 3000, /* of one partition */
	WRITES_A_SECOND = 1000,
	PARTITIONS = 4096,
	HALVES = 2, /* a unit */
	MILLI = 1000,
	KINDS = 2,
	BACK_MS = 10 * 1000, /* concurrent calls may be out of order by less than this */
	BUDGETS_MIN = 16,    /* least capacity of the array of budgets */
};

/* Amounts in thousandths of half units. */
struct bucket {
	uint64_t spent; /* 0: the budget is full */
	uint64_t at_ms; /* time for which spent is valid */
	uint64_t units; /* refilled per second */
};

/* The budgets of a table or GSI. */
struct budget {
	uint32_t table;
	uint16_t index; /* 0: the table */
	struct bucket by_kind[KINDS];
};

struct throttle {
	pthread_mutex_t lock;
	struct budget *budgets; /* all that are not full, and some others */
	size_t n;
	size_t cap;
	struct bucket partitions[KINDS][PARTITIONS];
};

struct throttle *
throttle_new(void)
{
	struct throttle *t = mem_new(struct throttle);

	(void)pthread_mutex_init(&t->lock, NULL);
	return t;
}

void
throttle_free(struct throttle *t)
{
	(void)pthread_mutex_destroy(&t->lock);
	free(t->budgets);
	free(t);
}

/* ------------------------------------------------------------ buckets */

/* @a times @b, or the largest number. */
static uint64_t
throttle_times(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* Refill the bucket up to @now_ms; if the clock was set back, start to refill from @now_ms. */
static void
refill(struct bucket *b, uint64_t now_ms)
{
	if (now_ms > b->at_ms) {
		uint64_t paid = throttle_times(now_ms - b->at_ms, throttle_times(b->units, HALVES));

		b->spent -= paid < b->spent ? paid : b->spent;
		b->at_ms = now_ms;
	} else if (b->at_ms - now_ms > BACK_MS) {
		b->at_ms = now_ms; /* the clock was set back */
	}
}

/* Whether something is left of the budget, which is kept for @seconds. */
static bool
has_left(const struct bucket *b, uint64_t seconds)
{
	return b->spent < throttle_times(throttle_times(b->units, HALVES), seconds * MILLI);
}

/* ------------------------------------------------------------ choice of the buckets */

static bool
is_gsi(const struct throttle_place *place)
{
	return place->ix != NULL && place->ix->global;
}

/* Remove full budgets, which carry no information; so those of dropped tables are removed, too. */
static void
forget_full(struct throttle *t, uint64_t now_ms)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->n; i++) {
		struct budget b = t->budgets[i];

		refill(&b.by_kind[THROTTLE_READ], now_ms);
		refill(&b.by_kind[THROTTLE_WRITE], now_ms);
		if (b.by_kind[THROTTLE_READ].spent > 0 || b.by_kind[THROTTLE_WRITE].spent > 0) {
			t->budgets[kept++] = b;
		}
	}
	t->n = kept;
}

/* Make room for one more budget, so that about half of the array is free and this happens rarely. */
static void
throttle_make_room(struct throttle *t, uint64_t now_ms)
{
	assert(lock_held(&t->lock));
	if (t->n < t->cap) {
		return;
	}
	forget_full(t, now_ms);
	t->cap = t->n < BUDGETS_MIN / 2 ? BUDGETS_MIN : 2 * t->n;
	t->budgets = mem_resized(t->budgets, t->cap, sizeof(*t->budgets));
}

/* The bucket of the place's table or GSI. A GSI has a budget of its own with the table's units. */
static struct bucket *
throttle_of_table(struct throttle *t, const struct throttle_place *place, uint64_t now_ms)
{
	assert(lock_held(&t->lock));
	uint32_t table = place->schema->id;
	uint16_t index = is_gsi(place) ? place->ix->id : 0;
	size_t i = 0;

	while (i < t->n && (t->budgets[i].table != table || t->budgets[i].index != index)) {
		i++;
	}
	if (i == t->n) {
		throttle_make_room(t, now_ms);
		i = t->n;
		t->budgets[t->n++] = (struct budget){.table = table, .index = index};
	}
	struct bucket *b = &t->budgets[i].by_kind[place->kind];

	b->units = place->kind == THROTTLE_READ ? place->schema->read_units
						: place->schema->write_units;
	refill(b, now_ms);
	return b;
}

static struct bucket *
of_partition(struct throttle *t, const struct throttle_place *place, uint64_t now_ms)
{
	assert(lock_held(&t->lock));
	size_t i = (hash_bytes(place->collection) >> 32) % PARTITIONS;
	struct bucket *b = &t->partitions[place->kind][i];

	b->units = place->kind == THROTTLE_READ ? READS_A_SECOND : WRITES_A_SECOND;
	refill(b, now_ms);
	return b;
}

/* ------------------------------------------------------------ admission and payment */

/* The budget of a place that is exhausted. */
enum spent { SPENT_NOTHING, SPENT_UNITS, SPENT_KEY };

/* The name of the exhausted budget, and the ARN of its table or index. */
static struct throttled_why
throttle_why(struct call *c, const struct throttle_place *place, enum spent spent)
{
	struct buf reason = {.arena = &c->arena};
	struct buf arn = {.arena = &c->arena};

	buf_str(&reason, is_gsi(place) ? "Index" : "Table");
	buf_str(&reason, place->kind == THROTTLE_READ ? "Read" : "Write");
	buf_str(&reason, spent == SPENT_KEY ? "KeyRangeThroughputExceeded"
					    : "ProvisionedThroughputExceeded");
	arn_put_table(&arn, c->region, place->schema->table);
	if (is_gsi(place)) {
		buf_fmt(&arn, "/index/%.*s", SLICE_ARG(place->ix->name));
	}
	return (struct throttled_why){buf_view(&reason), buf_view(&arn)};
}

static int
fail_throttled(struct call *c, const struct throttle_place *place)
{
	if (!place->schema->provisioned) {
		return call_fail(
			c, ERR_THROTTLED_ON_DEMAND,
			"Throughput exceeds the current capacity of your table or index. "
			"DynamoDB is automatically scaling your table or index so please "
			"try again shortly. If exceptions persist, check if you have a hot "
			"key: https://docs.aws.amazon.com/amazondynamodb/latest/"
			"developerguide/bp-partition-key-design.html");
	}
	return call_fail(c, ERR_THROTTLED,
			 is_gsi(place)
				 ? "The level of configured provisioned throughput for one or more "
				   "global secondary indexes of the table was exceeded. Consider "
				   "increasing your provisioning level for the under-provisioned "
				   "global secondary indexes with the UpdateTable API"
				 : "The level of configured provisioned throughput for the table "
				   "was exceeded. Consider increasing your provisioning level with "
				   "the UpdateTable API.");
}

static enum spent
throttle_spent(struct throttle *t, const struct throttle_place *place, uint64_t now_ms)
{
	lock_scope(&t->lock);
	if (place->schema->provisioned && !has_left(throttle_of_table(t, place, now_ms), BURST_S)) {
		return SPENT_UNITS;
	}
	if (place->collection.len > 0 && !has_left(of_partition(t, place, now_ms), 1)) {
		return SPENT_KEY;
	}
	return SPENT_NOTHING;
}

int
throttle_admit(struct throttle *t, struct call *c, const struct throttle_place *place)
{
	if (!place->schema->throttle) {
		return 0;
	}
	enum spent spent = throttle_spent(t, place, c->now_ms);

	if (spent == SPENT_NOTHING) {
		return 0;
	}
	int r = fail_throttled(c, place);

	/* If all items of a batch fail, each adds its own reason. */
	throttled_add(&c->arena, &c->error.throttled, throttle_why(c, place, spent));
	return r;
}

void
throttle_pay(struct throttle *t, const struct call *c, const struct throttle_place *place,
	     uint64_t halves)
{
	if (!place->schema->throttle || halves == 0) {
		return;
	}
	lock_scope(&t->lock);
	if (place->schema->provisioned) {
		throttle_of_table(t, place, c->now_ms)->spent += halves * MILLI;
	}
	if (place->collection.len > 0) {
		of_partition(t, place, c->now_ms)->spent += halves * MILLI;
	}
}

size_t
throttle_kept(struct throttle *t)
{
	lock_scope(&t->lock);
	return t->n;
}

struct slice
throttle_reason(int r)
{
	assert(r == -ERR_THROTTLED || r == -ERR_THROTTLED_ON_DEMAND);
	return r == -ERR_THROTTLED ? SLICE("ProvisionedThroughputExceeded")
				   : SLICE("ThrottlingError");
}
