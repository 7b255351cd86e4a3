/*
 * cmd_query - query, sharded or not
 *
 *   PK, --eq...          -> KeyConditionExpression with placeholders of its own
 *   --filter, --project  -> rewritten by exprs.c
 *   --shards             -> one such request for each partition, merged by answer.c
 */
#include "tools/command.h"
#include "tools/keyval.h"
#include "tools/reading.h"
#include "tools/shard.h"

/* Names that nobody types. */
#define ALIAS_PK "#itemctl_pk"
#define ALIAS_SK "#itemctl_sk"
#define ALIAS_PK_VALUE ":itemctl_pk"
#define ALIAS_A ":itemctl_a"
#define ALIAS_B ":itemctl_b"

struct query_opts {
	struct reading_opts read;
	const char *eq, *lt, *le, *gt, *ge, *begins;
	const char *between[2];
	bool reverse;
	const char *shards;
	const char *prefix;
	const char *hash;
};

#define AT(field) offsetof(struct query_opts, field)

static const struct opt query_opts[] = {
	READING_INDEX,
	{"eq", 0, OPT_TEXT, "V", AT(eq), "sort key = V"},
	{"lt", 0, OPT_TEXT, "V", AT(lt), "sort key < V"},
	{"le", 0, OPT_TEXT, "V", AT(le), "sort key <= V"},
	{"gt", 0, OPT_TEXT, "V", AT(gt), "sort key > V"},
	{"ge", 0, OPT_TEXT, "V", AT(ge), "sort key >= V"},
	{"between", 0, OPT_PAIR, "A B", AT(between), "A <= sort key <= B"},
	{"begins-with", 0, OPT_TEXT, "V", AT(begins), "sort key begins with V"},
	{"reverse", 'r', OPT_FLAG, NULL, AT(reverse), "from the end (ScanIndexForward=false)"},
	{"limit", 'n', OPT_COUNT, "N", AT(read.limit),
	 "print at most N items, over as many pages as needed"},
	READING_EXPRESSIONS,
	READING_PAGES,
	{"shards", 0, OPT_TEXT, "LO..HI", AT(shards),
	 "read partitions LO to HI, merged by sort key"},
	{"prefix", 0, OPT_TEXT, "P", AT(prefix), "with --shards: partition keys P0, P1, ..."},
	{"hash", 0, OPT_TEXT, "ATTR=VALUE", AT(hash),
	 "with --shards: only the shard of this value (CRC-32 modulo their number)"},
	READING_JOBS,
	{NULL, 0, OPT_FLAG, NULL, 0, NULL},
};

#undef AT

/* What is being put together. */
struct query {
	const struct query_opts *o;
	const struct schema *schema;
	const struct key_schema *key; /* of the table or index */
	struct exprs *exprs;
	struct query_in in; /* without the partition's value */
	size_t n;
	struct value *partitions;
	struct shard_hidden hidden;
};

/* ------------------------------------------------------------ checks */

static int
contradictions(struct call *c, const struct query_opts *o, const struct words *words)
{
	bool sharded = o->shards != NULL;
	int conditions = (o->eq != NULL) + (o->lt != NULL) + (o->le != NULL) + (o->gt != NULL) +
			 (o->ge != NULL) + (o->begins != NULL) + (o->between[0] != NULL);

	if (conditions > 1) {
		return call_fail(c, ERR_VALIDATION, "one condition on the sort key, not %d",
				 conditions);
	}
	if (sharded == (words->n == 2)) {
		return call_fail(c, ERR_VALIDATION, "query wants either PK or --shards LO..HI");
	}
	if (!sharded && (o->prefix != NULL || o->hash != NULL)) {
		return call_fail(c, ERR_VALIDATION, "--%s goes with --shards",
				 o->prefix != NULL ? "prefix" : "hash");
	}
	if (sharded && (o->read.start != NULL || o->read.one_page)) {
		return call_fail(c, ERR_VALIDATION,
				 "--start and --one-page read one partition, --shards many");
	}
	return 0;
}

/* ------------------------------------------------------------ key condition */

/* The condition on the sort key: its text behind "AND ", and its operands. */
static int
sort_condition(struct call *c, struct query *q, struct buf *text)
{
	const struct query_opts *o = q->o;
	const struct {
		const char *a;
		const char *format;
	} rows[] = {
		{o->eq, ALIAS_SK " = " ALIAS_A},
		{o->lt, ALIAS_SK " < " ALIAS_A},
		{o->le, ALIAS_SK " <= " ALIAS_A},
		{o->gt, ALIAS_SK " > " ALIAS_A},
		{o->ge, ALIAS_SK " >= " ALIAS_A},
		{o->between[0], ALIAS_SK " BETWEEN " ALIAS_A " AND " ALIAS_B},
		{o->begins, "begins_with(" ALIAS_SK ", " ALIAS_A ")"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct value v;

		if (rows[i].a == NULL) {
			continue;
		}
		if (!key_schema_has_sort(q->key)) {
			return call_fail(c, ERR_VALIDATION,
					 "there is no sort key that a condition could be on");
		}
		int r = keyval_parse(c, &q->key->sk, slice_from(rows[i].a), &v);
		if (r < 0) {
			return r;
		}
		exprs_name(c, q->exprs, ALIAS_SK, q->key->sk.name);
		exprs_value(c, q->exprs, ALIAS_A, &v);
		buf_str(text, " AND ");
		buf_str(text, rows[i].format);
		if (rows[i].a == o->between[0]) {
			r = keyval_parse(c, &q->key->sk, slice_from(o->between[1]), &v);
			if (r < 0) {
				return r;
			}
			exprs_value(c, q->exprs, ALIAS_B, &v);
		}
	}
	return 0;
}

static int
key_condition(struct call *c, struct query *q)
{
	struct buf text;

	buf_init(&text, &c->arena);
	buf_str(&text, ALIAS_PK " = " ALIAS_PK_VALUE);
	exprs_name(c, q->exprs, ALIAS_PK, q->key->pk.name);
	int r = sort_condition(c, q, &text);
	q->in.key_condition = buf_view(&text);
	return r;
}

/* ------------------------------------------------------------ the request */

/* Partition values: PK, or those of the shards. */
static int
partitions(struct call *c, struct query *q, const struct words *words)
{
	struct shard_range range;

	if (q->o->shards == NULL) {
		q->n = 1;
		q->partitions = arena_new(&c->arena, struct value, 1);
		return keyval_parse(c, &q->key->pk, slice_from(words->at[1]), q->partitions);
	}
	int r = shard_range(c, q->o->shards, q->o->hash, &range);
	if (r < 0) {
		return r;
	}
	q->n = range.hi - range.lo + 1;
	return shard_keys(c, &q->key->pk, q->o->prefix, &range, &q->partitions);
}

static int
prepare(struct ctl *ctl, struct call *c, struct query *q, const struct words *words)
{
	const struct query_opts *o = q->o;
	const struct index *index = NULL;

	q->in.read.table = slice_from(words->at[0]);
	int r = ctl_schema(ctl, c, q->in.read.table, &q->schema);
	if (r == 0 && o->read.index != NULL) {
		r = ctl_index(c, q->schema, o->read.index, &index);
	}
	if (r < 0) {
		return r;
	}
	q->key = schema_key(q->schema, index);
	q->in.backward = o->reverse;
	r = partitions(c, q, words);
	if (r == 0) {
		r = reading_request(c, &o->read, q->exprs, &q->in.read);
	}
	if (r == 0 && o->shards != NULL && o->read.project != NULL) {
		shard_project(c, q->exprs, q->schema, q->key, &q->in.read.projection, &q->hidden);
	}
	return r < 0 ? r : key_condition(c, q);
}

/* One operation for each partition. */
static struct op_in *
requests(struct call *c, struct query *q)
{
	struct op_in *in = arena_new(&c->arena, struct op_in, q->n);

	for (size_t i = 0; i < q->n; i++) {
		struct exprs own = *q->exprs;

		exprs_value(c, &own, ALIAS_PK_VALUE, &q->partitions[i]);
		in[i].type = OP_QUERY;
		in[i].query = q->in;
		in[i].query.read.ph = own.request.ph;
		if (!q->in.read.has_limit && q->n > 1) {
			in[i].query.read.has_limit = true;
			in[i].query.read.limit = shard_page_size(
				q->n, q->o->read.filter == NULL ? q->o->read.limit.n : 0);
		}
	}
	return in;
}

static int
run_query(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct query q = {.o = opts, .exprs = arena_new(&c->arena, struct exprs, 1)};
	const struct query_opts *o = opts;

	ctl->exprs = q.exprs;
	int r = contradictions(c, o, words);
	if (r == 0) {
		r = reading_check(c, &o->read);
	}
	if (r == 0) {
		r = prepare(ctl, c, &q, words);
	}
	if (r < 0) {
		return r;
	}
	struct answer a = {
		.requests = requests(c, &q),
		.n = q.n,
		.schema = q.schema,
		.order = o->shards != NULL ? q.key : NULL,
		.hidden = q.hidden.names,
		.n_hidden = q.hidden.n,
		.backward = o->reverse,
	};

	return reading_print(ctl, c, &o->read, &a);
}

const struct command cmd_query = {
	.name = "query",
	.usage =
		"TABLE PK [--index I] [--eq V | ... | --begins-with V] [--reverse] [--limit N] ...\n"
		"TABLE --shards LO..HI [--prefix P] [--hash ATTR=VALUE] [--index I] ...",
	.summary = "items of one partition in sort key order, or of many merged",
	.details =
		"--limit N is N items, over as many pages as it takes; the API's own Limit is\n"
		"--page-size. Expressions may hold literals and reserved words as they are:\n"
		"  --filter 'Status = \"OPEN\" AND Total > 100'\n"
		"--shards 0..14 reads 15 partitions in parallel and merges them by sort key; with\n"
		"--prefix OPEN# their keys are OPEN#0 to OPEN#14.",
	.opts = query_opts,
	.opts_bytes = sizeof(struct query_opts),
	.min_words = 1,
	.max_words = 2,
	.run = run_query,
};
