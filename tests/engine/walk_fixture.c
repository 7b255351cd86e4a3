#include "tests/engine/walk_fixture.h"

#include "tests/support/unit.h"

struct walk_fixture walk_fixture;
struct stream_walk *walk;

static struct call c;

/* The numbers read since the last walk_was_read(), each followed by a space. */
static struct buf text;

static struct slice
named(struct call *call, size_t shard, size_t page)
{
	struct buf b;

	buf_init(&b, &call->arena);
	buf_fmt(&b, "%zu.%zu", shard, page);
	return buf_view(&b);
}

static void
parse(struct slice name, size_t *shard, size_t *page)
{
	*shard = (size_t)(name.at[0] - '0');
	*page = 0;
	for (size_t i = 2; i < name.len; i++) {
		*page = *page * 10 + (size_t)(name.at[i] - '0');
	}
}

static int
describe(struct call *call, struct describe_stream_out *out)
{
	struct stream_shard *shards = arena_new(&call->arena, struct stream_shard, SHARDS_MAX);

	for (size_t i = 0; i < walk_fixture.n; i++) {
		const struct fake_shard *sh = &walk_fixture.at[i];
		const char *last = sh->last != NULL ? sh->last : "9";

		shards[i] = (struct stream_shard){
			.id = slice_from(sh->id),
			.parent = slice_from(sh->parent),
			.first = slice_from(sh->first != NULL ? sh->first : "0"),
			.last = slice_from(sh->open ? "" : last),
		};
	}
	*out = (struct describe_stream_out){
		.enabled = walk_fixture.enabled, .shards = shards, .n_shards = walk_fixture.n};
	return 0;
}

/* Answer with two shards per page. */
static int
list_page(struct call *call, const struct describe_stream_in *in, struct describe_stream_out *out)
{
	size_t from = 0;

	CU_ASSERT_TRUE(slice_is(in->stream, "arn:latest"));
	while (in->start_shard.len > 0 && from < walk_fixture.n &&
	       !slice_is(in->start_shard, walk_fixture.at[from].id)) {
		from++;
	}
	from += in->start_shard.len > 0;
	(void)describe(call, out);
	out->shards += from;
	out->n_shards -= from;
	if (out->n_shards > 2) {
		out->n_shards = 2;
		out->last_shard = out->shards[1].id;
	}
	return 0;
}

static int
begin_shard(struct call *call, const struct get_shard_iterator_in *in,
	    struct get_shard_iterator_out *out)
{
	size_t i = 0, page = 0, ignored;

	while (i < walk_fixture.n && !slice_is(in->shard, walk_fixture.at[i].id)) {
		i++;
	}
	if (i == walk_fixture.n || walk_fixture.at[i].lost) {
		return call_fail(call, ERR_NO_TABLE, "Shard does not exist");
	}
	if (in->type == ITERATOR_LATEST) {
		page = strlen(walk_fixture.at[i].pages);
	} else if (in->type == ITERATOR_AFTER_SEQUENCE_NUMBER && slice_is(in->seq, "0042")) {
		walk_fixture.numbered++; /* before all records of the shard */
	} else if (in->type == ITERATOR_AFTER_SEQUENCE_NUMBER) {
		parse(in->seq, &ignored, &page);
		page++;
	}
	out->iterator = named(call, i, page);
	return 0;
}

static int
records(struct call *call, const struct get_records_in *in, struct get_records_out *out)
{
	size_t i, page;

	parse(in->iterator, &i, &page);
	if (i >= walk_fixture.n) {
		return call_fail(call, ERR_TRIMMED, "it is gone");
	}
	const struct fake_shard *sh = &walk_fixture.at[i];
	size_t pages = strlen(sh->pages);
	size_t n = page < pages ? (size_t)(sh->pages[page] - '0') : 0;
	struct stream_record *all = arena_new(&call->arena, struct stream_record, n + 1);

	for (size_t k = 0; k < n; k++) {
		all[k] =
			(struct stream_record){.event = STREAM_INSERT, .seq = named(call, i, page)};
	}
	*out = (struct get_records_out){.records = all, .n_records = n};
	if (sh->open || page + 1 < pages) {
		out->next = named(call, i, page + (page < pages));
	}
	return 0;
}

static int
execute(struct engine *e, struct call *call, const struct op_in *in, struct op_out *out)
{
	(void)e;
	walk_fixture.asked[in->type]++;
	if (++walk_fixture.calls == walk_fixture.fail_at) {
		return call_fail(call, walk_fixture.failure, "it fails");
	}
	switch ((int)in->type) {
	case OP_DESCRIBE_STREAM:
		return list_page(call, &in->describe_stream, &out->describe_stream);
	case OP_GET_SHARD_ITERATOR:
		return begin_shard(call, &in->get_shard_iterator, &out->get_shard_iterator);
	case OP_GET_RECORDS:
		return records(call, &in->get_records, &out->get_records);
	default:
		abort();
	}
}

static const struct engine_ops ops = {.execute = execute};

void
walk_fixture_open(void)
{
	call_open(&c, 0, 1 << 30);
	memset(&walk_fixture, 0, sizeof(walk_fixture));
	walk_fixture.engine.ops = &ops;
	walk_fixture.enabled = true;
	buf_init(&text, NULL);
	walk = NULL;
}

void
walk_fixture_close(void)
{
	stream_walk_close(walk);
	buf_release(&text);
	call_close(&c);
}

struct call *
walk_clean(void)
{
	call_close(&c);
	call_open(&c, 0, 1 << 30);
	return &c;
}

void
walk_add(const char *id, const char *parent, const char *pages, bool open)
{
	walk_fixture.at[walk_fixture.n++] =
		(struct fake_shard){id, parent, pages, open, NULL, NULL, false};
}

int
walk_try_from(enum stream_walk_from from)
{
	struct stream_walk_in in = {.stream = SLICE("arn:latest"),
				    .from = from,
				    .after = SLICE("0042"),
				    .goes_on = from == STREAM_WALK_NEWEST};

	return stream_walk_open(&walk_fixture.engine, walk_clean(), &in, &walk);
}

void
walk_begin(enum stream_walk_from from)
{
	stream_walk_close(walk);
	walk = NULL;
	CU_ASSERT_EQUAL_FATAL(walk_try_from(from), 0);
}

int
walk_read_some(void)
{
	struct stream_walk_page page;
	int r = stream_walk_next(walk, walk_clean(), &page);

	for (size_t i = 0; i < page.n; i++) {
		buf_slice(&text, page.records[i].seq);
		buf_char(&text, ' ');
	}
	return r;
}

int
walk_read_on(void)
{
	int r = 0;

	while (r == 0) {
		r = walk_read_some();
	}
	return r;
}

bool
walk_was_read(const char *expected)
{
	struct slice got = buf_view(&text);

	got.len -= got.len > 0;
	bool same = slice_is(got, expected);

	if (!same) {
		(void)printf("read \"%.*s\"\n", SLICE_ARG(got));
	}
	buf_clear(&text);
	return same;
}
