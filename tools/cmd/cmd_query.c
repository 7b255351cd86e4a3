/*
 * cmd_query - query: one partition, or the partitions of several shards
 *
 *   PK, --eq...          -> KeyConditionExpression, made by reading.c
 *   --filter, --project  -> rewritten by exprs.c
 *   --shards             -> one request for each partition, merged by result_printer.c
 */
#include "store/model/item.h"
#include "store/model/key_text.h"
#include "store/model/shard_order.h"

#include "tools/advice/absent_key.h"
#include "tools/advice/query_hints.h"
#include "tools/cmd/cmd.h"
#include "tools/explain/explain_requests.h"
#include "tools/query/reading.h"
#include "tools/query/shard.h"
#include "tools/session/command.h"
#include "tools/session/ctl.h"
#include "tools/session/exprs.h"
#include "tools/session/keyval.h"
#include "tools/session/lead.h"
#include "tools/text/sort_words.h"
#include "tools/text/words.h"

struct query_opts {
	struct reading_opts read;
	struct sort_conditions sort;
	bool reverse;
	const char *shards;
	const char *prefix;
	const char *hash;
};

#define AT(field) offsetof(struct query_opts, field)

static const struct opt query_opts[] = {
	READING_INDEX,
	{"eq", 0, OPT_LIST, "V", AT(sort.eq), "sort key = V; once for each of its attributes"},
	{"lt", 0, OPT_TEXT, "V", AT(sort.lt), "sort key < V"},
	{"le", 0, OPT_TEXT, "V", AT(sort.le), "sort key <= V"},
	{"gt", 0, OPT_TEXT, "V", AT(sort.gt), "sort key > V"},
	{"ge", 0, OPT_TEXT, "V", AT(sort.ge), "sort key >= V"},
	{"between", 0, OPT_PAIR, "A B", AT(sort.between), "A <= sort key <= B"},
	{"begins-with", 0, OPT_TEXT, "V", AT(sort.begins), "sort key begins with V"},
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
	READING_JOBS_AND_EXPLAIN,
	OPTS_END(struct query_opts),
};

#undef AT

/* One query in preparation */
struct query {
	const struct query_opts *o;
	const struct schema *schema;
	const struct key_schema *key; /* of the table or index */
	struct exprs *exprs;
	struct query_in in;       /* without the values of the partition keys */
	bool estimates;           /* only estimate the cost */
	size_t n;                 /* requests */
	struct value *partitions; /* [n]: last attribute of the partition key of each request */
	struct shard_order order;
	struct shard_hidden hidden;
	struct query_hints hints;
};

/* ------------------------------------------------------------ checks */

static int
contradictions(struct call *c, const struct query_opts *o, const struct words *words)
{
	bool sharded = o->shards != NULL;

	if (!sharded && words->n == 1) {
		return query_hints_no_key(c, words->at[0], o->read.index,
					  slice_from(o->read.filter));
	}
	if (!sharded && o->hash != NULL) {
		return call_fail(c, ERR_USAGE, "--hash goes with --shards");
	}
	if (!sharded && o->prefix != NULL && o->sort.begins != NULL) {
		return call_fail(c, ERR_USAGE,
				 "--prefix without --shards is --begins-with: give only one");
	}
	if (sharded && (o->read.start != NULL || o->read.one_page)) {
		return call_fail(c, ERR_USAGE,
				 "--start and --one-page do not go with --shards, which reads "
				 "many partitions");
	}
	return 0;
}

/* ------------------------------------------------------------ the request */

/* Read words after the partition key: "begins_with X" or a similar condition, or the rest of --between A AND B. */
static bool
take_operator(struct call *c, const struct query *q, const char *const *words, size_t n,
	      struct query_opts *own)
{
	struct sort_words s;

	if (n == 1 && own->sort.between[1] != NULL &&
	    strcasecmp(own->sort.between[1], "and") == 0) {
		own->sort.between[1] = words[0];
		return true;
	}
	if (n < 2 || key_part_n(q->key->sk) != 1 ||
	    !sort_words_read(c, q->key->sk->name, words, n, &s)) {
		return false;
	}
	for (const struct opt *o = query_opts; o->name != NULL; o++) {
		if (strcmp(o->name, s.option) != 0) {
			continue;
		}
		void *at = (char *)own + o->at;

		if (o->kind == OPT_LIST) {
			words_add(c, at, s.a);
		} else {
			*(const char **)at = s.a;
		}
		if (o->kind == OPT_PAIR) {
			((const char **)at)[1] = s.b;
		}
	}
	return true;
}

/*
 * A copy of the options, with the words after those of the partition key: they are values of the sort key, as for get,
 * or a condition on it.
 */
static const struct query_opts *
take_sort_words(struct call *c, const struct query *q, const struct words *words)
{
	size_t first = 1 + key_part_n(q->key->pk);
	struct query_opts *own = arena_new(&c->arena, struct query_opts, 1);

	*own = *q->o;
	if (own->shards == NULL && own->prefix != NULL) {
		own->sort.begins = own->prefix;
	}
	if (own->shards != NULL || words->n <= first || key_part_n(q->key->sk) == 0 ||
	    take_operator(c, q, words->at + first, words->n - first, own)) {
		return own;
	}
	own->sort.eq = (struct words){0};
	for (size_t i = first; i < words->n; i++) {
		words_add(c, &own->sort.eq, words->at[i]);
	}
	for (size_t i = 0; i < q->o->sort.eq.n; i++) {
		words_add(c, &own->sort.eq, q->o->sort.eq.at[i]);
	}
	return own;
}

/* Check that there are as many words as attributes of the key; the number of a shard replaces the last attribute. */
static int
cmd_query_check_words(struct call *c, const struct query *q, const struct words *words)
{
	size_t n = key_part_n(q->key->pk);
	size_t given = words->n - 1 + (q->o->shards != NULL);
	bool sorts = q->o->shards == NULL && key_part_n(q->key->sk) > 0;

	if (given == n || (sorts && given > n)) {
		return 0;
	}
	if (n == 1 && given > n && q->o->shards == NULL) {
		return call_fail(c, ERR_USAGE, "the key is only %.*s: \"%s\" is one value too many",
				 SLICE_ARG(q->key->pk->name), words->at[2]);
	}
	if (n == 1) {
		return call_fail(c, ERR_USAGE, "query needs PK or --shards LO..HI");
	}
	return call_fail(c, ERR_USAGE,
			 "the partition key has %zu attributes, and %zu have values: give one PK "
			 "per attribute%s",
			 n, given,
			 q->o->shards != NULL ? "; with --shards leave out the last one" : "");
}

/* Parse the value of attribute @i of the partition key. */
static int
partition_value(struct call *c, const struct query *q, const struct words *words, size_t i,
		struct value *out)
{
	int r = key_text_parse(c, &q->key->pk[i], slice_from(words->at[1 + i]), out);

	return r < 0 && key_part_n(q->key->pk) == 1
		       ? query_hints_refused(&q->hints, c, words->at[1 + i], r)
		       : r;
}

/* Set the values of the partition key from PK...; with --shards the last attribute comes from the shards. */
static int
partitions(struct call *c, struct query *q, const struct words *words)
{
	size_t last = key_part_n(q->key->pk) - 1;
	struct shard_range range = {0};

	int r = cmd_query_check_words(c, q, words);
	for (size_t i = 0; i < last && r == 0; i++) {
		struct value v;

		r = partition_value(c, q, words, i, &v);
		exprs_value(c, q->exprs, key_condition_alias(c, KEY_CONDITION_PK_VALUE, i), &v);
	}
	if (r == 0 && q->o->shards == NULL) {
		q->n = 1;
		q->partitions = arena_new(&c->arena, struct value, 1);
		return partition_value(c, q, words, last, q->partitions);
	}
	r = r < 0 ? r : shard_range(c, q->o->shards, q->o->hash, &range);
	if (r < 0) {
		return r;
	}
	q->n = range.hi - range.lo + 1;
	return shard_keys(c, &q->key->pk[last], q->o->prefix, &range, &q->partitions);
}

static int
cmd_query_prepare(struct ctl *ctl, struct call *c, struct query *q, const struct words *words)
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
	lead_key(&ctl->out, c, q->schema, index);
	q->order = shard_order(q->schema, q->key);
	q->in.backward = o->reverse;
	words = query_hints_words(c, q->key,
				  o->shards != NULL ? words : keyval_json_words(c, q->key, words));
	q->hints = (struct query_hints){.ctl = ctl,
					.schema = q->schema,
					.key = q->key,
					.index = o->read.index,
					.words = words};
	q->o = take_sort_words(c, q, words);
	r = query_hints_start(&q->hints, c, o->read.start, o->sort.le);
	r = r < 0 ? r : partitions(c, q, words);
	r = r < 0 ? r : reading_request(c, &o->read, q->exprs, &q->in.read);
	if (r == 0 && o->shards != NULL && o->read.project != NULL) {
		shard_project(c, q->exprs, &q->order, &q->in.read.projection, &q->hidden);
	}
	struct key_condition k = {.command = &cmd_query,
				  .o = &q->o->sort,
				  .key = q->key,
				  .exprs = q->exprs,
				  .hints = &q->hints};

	return r < 0 ? r : key_condition_text(c, &k, &q->in.key_condition);
}

/* The requests, one for each partition; in the call's arena */
static struct op_in *
requests(struct call *c, struct query *q)
{
	struct op_in *in = arena_new(&c->arena, struct op_in, q->n);
	const char *last =
		key_condition_alias(c, KEY_CONDITION_PK_VALUE, key_part_n(q->key->pk) - 1);

	assert(q->n > 0 && q->partitions != NULL);
	for (size_t i = 0; i < q->n; i++) {
		struct exprs own = *q->exprs;

		exprs_value(c, &own, last, &q->partitions[i]);
		in[i].type = OP_QUERY;
		in[i].query = q->in;
		in[i].query.read.ph = own.request.ph;
		if (!q->in.read.has_limit && q->n > 1 && !q->estimates) {
			in[i].query.read.has_limit = true;
			in[i].query.read.limit = shard_page_size(
				q->n, q->o->read.filter == NULL ? q->o->read.limit.n : 0);
		}
	}
	return in;
}

/* Set @out to the key that is read, for a message if no item is found.  Return: false if many partitions are read */
static bool
asked_key(struct call *c, const struct query *q, const struct query_in *in, struct absent_key *out)
{
	const struct item *values = &in->read.ph.values;

	*out = (struct absent_key){
		.table = in->read.table,
		.index = in->read.index,
		.key = q->key,
		.ranged = strstr(slice_cstr(&c->arena, in->key_condition), KEY_CONDITION_SK) !=
				  NULL ||
			  in->read.start.n > 0,
		.range = key_condition_range(c, &q->o->sort, q->key),
		.counted = q->o->read.count,
		.pk.n = key_part_n(q->key->pk),
	};
	for (size_t i = 0; i < out->pk.n; i++) {
		out->pk.at[i] = item_get(
			values, slice_from(key_condition_alias(c, KEY_CONDITION_PK_VALUE, i)));
	}
	if (q->o->sort.eq.n > 0) {
		out->sk = item_get(values, SLICE(KEY_CONDITION_A));
	}
	return q->o->shards == NULL;
}

/* Explain why no item was found.  Return: 0; -ERR_USAGE if the words cannot be values of the key */
static int
say_none(const struct ctl *ctl, struct call *c, const struct query *q, bool ranged)
{
	const struct words *words = q->hints.words;
	bool prefixed =
		q->o->prefix != NULL && q->o->read.count; /* the count 0 needs no explanation */
	struct buf b = {.arena = &c->arena};

	if (words->n > 1 &&
	    command_put_store(ctl, &b, words->at[words->n - 1])) { /* count T STORE */
		ctl_note(ctl, "%.*s", SLICE_ARG(buf_view(&b)));
		return 0;
	}
	if (q->o->shards == NULL) {
		return query_hints_none(&q->hints, c, ranged);
	}
	if (ctl->counted.scanned == 0 && !ranged && !prefixed) {
		shard_say_none(ctl, &q->key->pk[key_part_n(q->key->pk) - 1], q->partitions, q->n,
			       q->o->prefix != NULL);
	}
	return 0;
}

static int
run_query(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct query q = {.o = opts,
			  .exprs = arena_new(&c->arena, struct exprs, 1),
			  .estimates = ctl->estimates};
	const struct query_opts *o = opts;

	if (explain_wanted(ctl, &o->read.explain)) {
		return explain_command(ctl, c, &cmd_query, words, opts, &o->read.explain);
	}
	ctl->exprs = q.exprs;
	int r = contradictions(c, o, words);

	r = r < 0 ? r : reading_check(c, &o->read);
	r = r < 0 ? r : cmd_query_prepare(ctl, c, &q, words);
	if (r < 0) {
		words = r == -ERR_USAGE || r == -ERR_VALIDATION ? query_hints_again(&q.hints, c)
								: NULL;
		return words == NULL ? r : run_query(ctl, c, words, opts);
	}
	assert(q.key != NULL);
	struct result_printer a = {
		.requests = requests(c, &q),
		.n = q.n,
		.order = o->shards != NULL ? &q.order : NULL,
		.hidden = q.hidden,
		.backward = o->reverse,
	};

	struct absent_key key;
	bool one = asked_key(c, &q, &a.requests[0].query, &key);

	if (query_hints_meant(&q.hints, c)) {
		words = one && (ctl->explains || !absent_key_finds(ctl, c, a.requests[0].query))
				? query_hints_again(&q.hints, c)
				: NULL;
		if (words != NULL) {
			return run_query(ctl, c, words, opts);
		}
		one = false;
	}
	r = reading_print(ctl, c, &o->read, &a, one ? &key : NULL);
	if (r == 0 && ctl->counted.count == 0 && ctl->fill == NULL && o->read.start == NULL) {
		r = say_none(ctl, c, &q, key.ranged);
	}
	return r;
}

const struct command cmd_query = {
	.id = COMMAND_QUERY,
	.name = "query",
	.usage =
		"TABLE PK... [SK | --eq V | ... | --begins-with V] [--index NAME] [--reverse] [--limit N] ...\n"
		"TABLE [PK...] --shards LO..HI [--prefix P] [--hash ATTR=VALUE] [--index NAME] ...",
	.summary = "print the items of one partition in sort key order, or of several, merged",
	.details =
		"--limit N prints N items, over as many pages as needed; the API's own Limit is\n"
		"--page-size. Expressions may contain literals and reserved words as they are:\n"
		"  --filter 'Status = \"OPEN\" AND Total > 100'\n"
		"For an index with a multi-attribute partition key, give one PK per attribute; with\n"
		"--shards leave out the last one. For a multi-attribute sort key, give --eq for the first\n"
		"attributes, in order; the next one may have another condition. --ge with --le is a\n"
		"range; begins_with V and between A B may be words after PK. --shards 0..14 reads 15\n"
		"partitions in parallel and merges them by sort key; with --prefix OPEN# their keys are\n"
		"OPEN#0 to OPEN#14.",
	.examples = "itemctl query music Acme\n"
		    "itemctl query music Acme --begins-with B --reverse --limit 5\n"
		    "itemctl query music 1999 --index ByYear --project Artist,Song\n"
		    "itemctl query music Acme --filter 'attribute_exists(Plays)' --count\n"
		    "itemctl query music --shards 0..3 --prefix Acme# --limit 10\n",
	.opts = query_opts,
	.min_words = 1,
	.max_words = 1 + KEY_ATTRS_MAX,
	.pages = true,
	.lists = true,
	.run = run_query,
};
