/* clauses - see clauses.h; place_query.c checks the clauses against a table */
#include "fs/format/clauses.h"

#include "fs/format/path.h"

enum { SHARD_DIGITS_MAX = 9 };

static const struct {
	struct slice name;
	enum clause kind;
} names[] = {
	{SLICE_INIT(".eq"), CLAUSE_EQ},           {SLICE_INIT(".lt"), CLAUSE_LT},
	{SLICE_INIT(".le"), CLAUSE_LE},           {SLICE_INIT(".gt"), CLAUSE_GT},
	{SLICE_INIT(".ge"), CLAUSE_GE},           {SLICE_INIT(".between"), CLAUSE_BETWEEN},
	{SLICE_INIT(".filter"), CLAUSE_FILTER},   {SLICE_INIT(".begins_with"), CLAUSE_BEGINS_WITH},
	{SLICE_INIT(".project"), CLAUSE_PROJECT}, {SLICE_INIT(".reverse"), CLAUSE_REVERSE},
	{SLICE_INIT(".limit"), CLAUSE_LIMIT},     {SLICE_INIT(".shards"), CLAUSE_SHARDS},
};

static const struct {
	struct slice name;
	enum generated kind;
} generated_list[] = {
	{SLICE_INIT(".jsonl"), GENERATED_JSONL},
	{SLICE_INIT(".json"), GENERATED_JSON},
	{SLICE_INIT(".csv"), GENERATED_CSV},
	{SLICE_INIT(".count"), GENERATED_COUNT},
};

enum clause
clauses_name(struct slice component)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (slice_eq(component, names[i].name)) {
			return names[i].kind;
		}
	}
	return CLAUSE_NONE;
}

struct slice
clauses_text(enum clause kind)
{
	assert(kind != CLAUSE_NONE);
	size_t i = 0;

	while (names[i].kind != kind) {
		i++;
	}
	return names[i].name;
}

enum generated
clauses_generated(struct slice component)
{
	for (size_t i = 0; i < sizeof(generated_list) / sizeof(generated_list[0]); i++) {
		if (slice_eq(component, generated_list[i].name)) {
			return generated_list[i].kind;
		}
	}
	return GENERATED_NONE;
}

bool
clauses_is_reserved(struct slice component)
{
	static const struct slice others[] = {
		SLICE_INIT(".stream"), SLICE_INIT(".stream.jsonl"), SLICE_INIT(".table.json"),
		SLICE_INIT(".index"),  SLICE_INIT(".itemfs"),
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (slice_eq(component, others[i])) {
			return true;
		}
	}
	return clauses_name(component) != CLAUSE_NONE ||
	       clauses_generated(component) != GENERATED_NONE;
}

bool
clauses_is_sort(enum clause kind)
{
	return kind >= CLAUSE_EQ && kind <= CLAUSE_BEGINS_WITH;
}

/* ------------------------------------------------------------ the name of a clause */

/* Return: whether there is a clause of this kind already, or none can follow. */
static bool
is_taken(const struct clauses *q, enum clause kind)
{
	if (clauses_is_sort(kind)) {
		return q->n_sort == KEY_PART_MAX ||
		       (q->n_sort > 0 && q->sort[q->n_sort - 1].kind != CLAUSE_EQ);
	}
	return kind == CLAUSE_FILTER    ? q->filter.len > 0
	       : kind == CLAUSE_PROJECT ? q->project.len > 0
	       : kind == CLAUSE_REVERSE ? q->reverse
	       : kind == CLAUSE_LIMIT   ? q->limit > 0
					: q->sharded;
}

static int
clauses_begin(struct call *c, struct clauses *q, struct slice component)
{
	enum clause kind = clauses_name(component);

	if (kind == CLAUSE_NONE) {
		return call_fail(c, ERR_VALIDATION, "\"%.*s\" is not a clause",
				 SLICE_ARG(component));
	}
	if (is_taken(q, kind)) {
		return clauses_is_sort(kind)
			       ? call_fail(
					 c, ERR_VALIDATION,
					 "there is already a condition on the sort key, and only one is allowed")
			       : call_fail(c, ERR_VALIDATION, "there is already a %.*s",
					   SLICE_ARG(component));
	}
	if (kind == CLAUSE_SHARDS && clauses_any(q)) {
		return call_fail(c, ERR_VALIDATION, ".shards comes before all other clauses");
	}
	q->reverse = q->reverse || kind == CLAUSE_REVERSE;
	q->awaits = kind == CLAUSE_REVERSE ? CLAUSE_NONE : kind;
	return 0;
}

/* ------------------------------------------------------------ the value of a clause */

bool
clauses_shard(struct slice digits, uint64_t *out)
{
	return digits.len <= SHARD_DIGITS_MAX && ascii_count(digits, out);
}

static int
take_limit(struct call *c, struct clauses *q, struct slice value)
{
	if (!ascii_count(value, &q->limit)) {
		return call_fail(c, ERR_VALIDATION,
				 ".limit: expected a number of items, found \"%.*s\"",
				 SLICE_ARG(value));
	}
	if (q->limit == 0) {
		return call_fail(
			c, ERR_VALIDATION,
			"1 validation error detected: Value '0' at 'limit' failed to satisfy "
			"constraint: Member must have value greater than or equal to 1");
	}
	return 0;
}

static int
take_shards(struct call *c, struct clauses *q, struct slice value)
{
	struct slice range = value;
	uint64_t lo, hi;
	const char *brace = slice_rchr(value, '{');

	if (brace != NULL && slice_ends(value, SLICE("}"))) {
		q->shard_prefix = slice_of(value.at, (size_t)(brace - value.at));
		range = slice_skip(value, q->shard_prefix.len + 1);
		range.len--;
	}
	const char *dots = memmem(range.at, range.len, "..", 2);
	size_t n = dots == NULL ? 0 : (size_t)(dots - range.at);

	if (dots == NULL || !clauses_shard(slice_of(range.at, n), &lo) ||
	    !clauses_shard(slice_skip(range, n + 2), &hi) || hi < lo) {
		return call_fail(
			c, ERR_VALIDATION,
			".shards: expected LO..HI, for example 0..14, or PREFIX{LO..HI}, found \"%.*s\"",
			SLICE_ARG(value));
	}
	if (hi - lo >= CLAUSES_SHARDS_MAX) {
		return call_fail(c, ERR_VALIDATION, ".shards: at most %d partitions are allowed",
				 CLAUSES_SHARDS_MAX);
	}
	q->sharded = true;
	q->shard_lo = (uint32_t)lo;
	q->shard_hi = (uint32_t)hi;
	return 0;
}

static void
clauses_take_sort(struct clauses *q, struct slice value)
{
	assert(q->n_sort < KEY_PART_MAX);
	struct sort_clause *s = &q->sort[q->n_sort];

	if (q->awaits == CLAUSE_BETWEEN && s->a.len == 0) {
		*s = (struct sort_clause){.kind = CLAUSE_BETWEEN, .a = value};
		return;
	}
	if (q->awaits == CLAUSE_BETWEEN) {
		s->b = value;
	} else {
		*s = (struct sort_clause){.kind = q->awaits, .a = value};
	}
	q->n_sort++;
	q->awaits = CLAUSE_NONE;
}

static int
clauses_take(struct call *c, struct clauses *q, struct slice component)
{
	assert(q->awaits != CLAUSE_NONE);
	struct buf value;
	enum clause kind = q->awaits;

	buf_init(&value, &c->arena);
	if (!path_unescape(&value, component)) {
		return call_fail(
			c, ERR_VALIDATION,
			"\"%.*s\": a %% must be followed by two hex digits (%% itself is %%25)",
			SLICE_ARG(component));
	}
	if (clauses_is_sort(kind)) {
		clauses_take_sort(q, buf_view(&value));
		return 0;
	}
	q->awaits = CLAUSE_NONE;
	if (kind == CLAUSE_LIMIT) {
		return take_limit(c, q, buf_view(&value));
	}
	if (kind == CLAUSE_SHARDS) {
		return take_shards(c, q, buf_view(&value));
	}
	if (kind == CLAUSE_FILTER) {
		q->filter = buf_view(&value);
	} else {
		q->project = buf_view(&value);
	}
	return 0;
}

int
clauses_add(struct call *c, struct clauses *q, struct slice component)
{
	struct buf chain;

	if (component.len > CLAUSES_VALUE_MAX) {
		return call_fail(c, ERR_VALIDATION, "a value has at most %d bytes",
				 CLAUSES_VALUE_MAX);
	}
	int r = q->awaits == CLAUSE_NONE ? clauses_begin(c, q, component)
					 : clauses_take(c, q, component);

	buf_init(&chain, &c->arena);
	buf_slice(&chain, q->chain);
	buf_char(&chain, '/');
	buf_slice(&chain, component);
	q->chain = buf_view(&chain);
	return r;
}
