/* reading - between the options of query and scan and answer.c */
#include "tools/reading.h"

#include "tools/bare.h"

int
reading_check(struct call *c, const struct reading_opts *o)
{
	if (o->count && o->project != NULL) {
		return call_fail(c, ERR_USAGE, "--count prints no attributes: no --project");
	}
	if (o->limit.given && o->limit.n == 0) {
		return call_fail(c, ERR_USAGE, "--limit is at least 1");
	}
	if (o->page_size.given && (o->page_size.n == 0 || o->page_size.n > INT32_MAX)) {
		return call_fail(c, ERR_USAGE, "--page-size is 1 to %d", INT32_MAX);
	}
	return ctl_check_jobs(c, &o->jobs);
}

int
reading_request(struct call *c, const struct reading_opts *o, struct exprs *e, struct read_in *out)
{
	out->index = slice_from(o->index);
	out->consistent = o->consistent;
	out->select = o->count ? SELECT_COUNT : SELECT_DEFAULT;
	out->has_limit = o->page_size.given;
	out->limit = (uint32_t)o->page_size.n;
	if (o->start != NULL && ctl_item(c, slice_from(o->start), &out->start) < 0) {
		return call_prefix(c, "--start: ");
	}
	int r = exprs_placeholders(c, e, o->names, o->values);
	if (r == 0) {
		r = exprs_add(c, e, "FilterExpression", slice_from(o->filter), &out->filter);
	}
	if (r == 0) {
		r = exprs_add(c, e, "ProjectionExpression", slice_from(o->project),
			      &out->projection);
	}
	return r;
}

/* Nothing was found: is that what was meant? */
static void
reading_say_bare(const struct ctl *ctl, const struct reading_opts *o)
{
	struct bare b;

	if (o->filter != NULL && bare_find(slice_from(o->filter), &b)) {
		ctl_note(ctl,
			 "%.*s is read as an attribute's name; a text stands in quotes: "
			 "%.*s %.*s '%.*s'",
			 SLICE_ARG(b.word), SLICE_ARG(b.name), SLICE_ARG(b.operator),
			 SLICE_ARG(b.word));
	}
}

int
reading_print(struct ctl *ctl, struct call *c, const struct reading_opts *o, struct answer *a)
{
	struct progress progress;

	a->ctl = ctl;
	a->out = &ctl->out;
	a->progress = &progress;
	a->count = o->count;
	a->one_page = o->one_page;
	a->limit = o->limit.n;
	a->filtered = o->filter != NULL;
	a->jobs = ctl_jobs(&o->jobs);
	progress_begin(&progress, ctl->quiet || ctl->out.format == OUT_TABLE, 0);
	int r = answer_print(a, c);
	progress_end(&progress);
	if (r == 0) {
		ctl_empty(ctl);
	}
	if (r == 0 && ctl->out.n == 0 && !o->count) {
		reading_say_bare(ctl, o);
	}
	return r;
}
