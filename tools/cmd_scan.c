/* cmd_scan - scan, in parallel segments if wanted */
#include "store/model/limits.h"

#include "tools/answer.h"
#include "tools/command.h"

struct scan_opts {
	const char *index;
	const char *filter;
	const char *project;
	const char *names;
	const char *values;
	struct opt_count limit;
	struct opt_count page_size;
	struct opt_count segments;
	struct opt_count jobs;
	const char *start;
	bool one_page;
	bool count;
	bool consistent;
};

#define AT(field) offsetof(struct scan_opts, field)

static const struct opt scan_opts[] = {
	{"index", 0, OPT_TEXT, "NAME", AT(index), "a GSI or LSI instead of the table"},
	{"filter", 0, OPT_TEXT, "EXPR", AT(filter), "FilterExpression"},
	{"project", 0, OPT_TEXT, "LIST", AT(project), "only these attributes: a, b.c, d[0]"},
	{"names", 0, OPT_TEXT, "JSON", AT(names), "ExpressionAttributeNames: {\"#n\":\"name\"}"},
	{"values", 0, OPT_TEXT, "JSON", AT(values), "ExpressionAttributeValues: {\":v\":value}"},
	{"limit", 'n', OPT_COUNT, "N", AT(limit), "print at most N items"},
	{"count", 0, OPT_FLAG, NULL, AT(count), "print only how many items match"},
	{"consistent", 0, OPT_FLAG, NULL, AT(consistent), "ConsistentRead"},
	{"page-size", 0, OPT_COUNT, "N", AT(page_size),
	 "the API's Limit: items read for each page"},
	{"start", 0, OPT_TEXT, "KEYJSON", AT(start), "ExclusiveStartKey"},
	{"one-page", 0, OPT_FLAG, NULL, AT(one_page), "one page; LastEvaluatedKey on stderr"},
	{"segments", 0, OPT_COUNT, "N", AT(segments), "a parallel scan; items come in no order"},
	{"jobs", 'j', OPT_COUNT, "N", AT(jobs), "threads; default: one for each processor"},
	{NULL, 0, OPT_FLAG, NULL, 0, NULL},
};

#undef AT

static int
check(struct call *c, const struct scan_opts *o)
{
	if (o->limit.given && o->limit.n == 0) {
		return call_fail(c, ERR_VALIDATION, "--limit is at least 1");
	}
	if (o->page_size.given && (o->page_size.n == 0 || o->page_size.n > INT32_MAX)) {
		return call_fail(c, ERR_VALIDATION, "--page-size is 1 to %d", INT32_MAX);
	}
	if (o->jobs.given && (o->jobs.n == 0 || o->jobs.n > 64)) {
		return call_fail(c, ERR_VALIDATION, "--jobs is 1 to 64");
	}
	if (o->segments.given && (o->segments.n == 0 || o->segments.n > 1000)) {
		return call_fail(c, ERR_VALIDATION, "--segments is 1 to 1000");
	}
	if (o->segments.n > 1 && (o->start != NULL || o->one_page)) {
		return call_fail(c, ERR_VALIDATION,
				 "--start and --one-page go with one segment only");
	}
	if (o->count && o->project != NULL) {
		return call_fail(c, ERR_VALIDATION, "--count prints no attributes: no --project");
	}
	return 0;
}

static int template(struct call *c, const struct scan_opts *o, struct exprs *e, struct scan_in *in)
{
	in->index = slice_from(o->index);
	in->consistent = o->consistent;
	in->select = o->count ? SELECT_COUNT : SELECT_DEFAULT;
	in->has_limit = o->page_size.given;
	in->limit = (uint32_t)o->page_size.n;
	int r = exprs_placeholders(c, e, o->names, o->values);
	if (r == 0) {
		r = exprs_add(c, e, "FilterExpression", slice_from(o->filter), &in->filter);
	}
	if (r == 0) {
		r = exprs_add(c, e, "ProjectionExpression", slice_from(o->project),
			      &in->projection);
	}
	if (r == 0 && o->start != NULL) {
		r = ctl_item(c, slice_from(o->start), &in->start);
	}
	in->ph = e->request.ph;
	return r;
}

static int
run_scan(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct scan_opts *o = opts;
	struct exprs *exprs = arena_new(&c->arena, struct exprs, 1);
	struct scan_in in = {.table = slice_from(words->at[0])};
	uint32_t n = o->segments.given ? (uint32_t)o->segments.n : 1;
	struct progress progress;

	ctl->exprs = exprs;
	int r = check(c, o);
	if (r == 0) {
		r = ctl_readable(ctl, c, in.table, o->index);
	}
	if (r == 0) {
		r = template(c, o, exprs, &in);
	}
	if (r < 0) {
		return r;
	}
	struct op_in *requests = arena_new(&c->arena, struct op_in, n);

	for (uint32_t i = 0; i < n; i++) {
		requests[i].type = OP_SCAN;
		requests[i].scan = in;
		if (o->segments.given) {
			requests[i].scan.has_segment = true;
			requests[i].scan.has_total_segments = true;
			requests[i].scan.segment = i;
			requests[i].scan.total_segments = n;
		}
	}
	struct answer a = {
		.ctl = ctl,
		.out = &ctl->out,
		.progress = &progress,
		.requests = requests,
		.n = n,
		.count = o->count,
		.one_page = o->one_page,
		.limit = o->limit.n,
		.filtered = o->filter != NULL,
		.jobs = (unsigned)o->jobs.n,
	};

	progress_begin(&progress, ctl->quiet || ctl->out.format == OUT_TABLE, 0);
	r = answer_print(&a, c);
	progress_end(&progress);
	if (r == 0) {
		ctl_empty(ctl);
	}
	return r;
}

const struct command cmd_scan = {
	.name = "scan",
	.usage =
		"TABLE [--index I] [--filter EXPR] [--project LIST] [--limit N] [--segments N] ...",
	.summary = "all items of a table or index",
	.opts = scan_opts,
	.opts_bytes = sizeof(struct scan_opts),
	.min_words = 1,
	.max_words = 1,
	.run = run_scan,
};
