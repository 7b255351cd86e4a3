/* reading - see reading.h */
#include "tools/query/reading.h"

#include "store/op/op.h"

#include "tools/advice/nothing.h"
#include "tools/query/result_printer.h"
#include "tools/session/absent.h"
#include "tools/session/ctl.h"
#include "tools/session/exprs.h"
#include "tools/session/lead.h"
#include "tools/system/progress.h"

int
reading_check(struct call *c, const struct reading_opts *o)
{
	if (o->count && o->project != NULL) {
		return call_fail(c, ERR_USAGE, "--count prints no attributes: leave out --project");
	}
	if (o->limit.given && o->limit.n == 0) {
		return call_fail(c, ERR_USAGE, "--limit must be 1 or more");
	}
	if (o->page_size.given && (o->page_size.n == 0 || o->page_size.n > INT32_MAX)) {
		return call_fail(c, ERR_USAGE, "--page-size must be 1 to %d", INT32_MAX);
	}
	return ctl_check_jobs(c, &o->jobs);
}

/* Parse --select: a word of the API, or attributes as in SQL. */
static int
reading_select(struct call *c, const struct reading_opts *o, struct read_in *out,
	       const char **project)
{
	static const char *const words[] = {[SELECT_ALL] = "ALL_ATTRIBUTES",
					    [SELECT_ALL_PROJECTED] = "ALL_PROJECTED_ATTRIBUTES",
					    [SELECT_SPECIFIC] = "SPECIFIC_ATTRIBUTES"};

	*project = o->project;
	out->select = o->count ? SELECT_COUNT : SELECT_DEFAULT;
	if (o->select == NULL) {
		return 0;
	}
	if (o->count) {
		return call_fail(c, ERR_USAGE, "--count prints no attributes: leave out --select");
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (words[i] != NULL && strcmp(o->select, words[i]) == 0) {
			out->select = (enum select)i;
		}
	}
	if (out->select == SELECT_SPECIFIC && o->project == NULL) {
		return call_fail(c, ERR_USAGE,
				 "--select SPECIFIC_ATTRIBUTES needs --project ATTR,...");
	}
	if (out->select == SELECT_DEFAULT && o->project != NULL) {
		return call_fail(c, ERR_USAGE, "give only one of --select and --project");
	}
	*project = out->select == SELECT_DEFAULT ? o->select : o->project;
	return 0;
}

int
reading_request(struct call *c, const struct reading_opts *o, struct exprs *e, struct read_in *out)
{
	out->index = slice_from(o->index);
	out->consistent = o->consistent;
	out->has_limit = o->page_size.given;
	out->limit = (uint32_t)o->page_size.n;
	if (o->start != NULL && ctl_item(c, slice_from(o->start), &out->start) < 0) {
		return call_prefix(c, "--start: ");
	}
	const char *project;
	int r = reading_select(c, o, out, &project);

	r = r != 0 ? r : exprs_placeholders(c, e, o->names, o->values);
	r = r != 0 ? r : exprs_add(c, e, "FilterExpression", slice_from(o->filter), &out->filter);
	return r != 0 ? r
		      : exprs_add(c, e, "ProjectionExpression", slice_from(project),
				  &out->projection);
}

int
reading_print(struct ctl *ctl, struct call *c, const struct reading_opts *o,
	      struct result_printer *a, const struct absent_key *key)
{
	const struct read_in *read = op_read(a->requests);
	struct absent_names asked = absent_names_of(c, read->projection, &read->ph);
	struct nothing nothing = {
		.table = read->table, .filter = slice_from(o->filter), .ph = &read->ph, .key = key};
	struct progress progress;

	a->ctl = ctl;
	a->out = &ctl->out;
	a->progress = &progress;
	a->count = o->count;
	a->one_page = o->one_page;
	a->limit = o->limit.n;
	a->filtered = o->filter != NULL;
	a->jobs = ctl_requests(ctl, &o->jobs);
	a->asked = &asked;
	asked.n -= a->hidden.n < asked.n ? a->hidden.n : asked.n; /* hidden names are last */
	asked.left = asked.n;
	if (asked.n > 0) {
		lead_names(&ctl->out, asked.at, asked.n);
	}
	progress_begin(&progress, ctl->quiet || ctl->out.format == OUT_TABLE, 0);
	int r = result_printer_print(a, c);
	progress_end(&progress);
	if (r < 0) {
		return r;
	}
	if ((o->count ? ctl->counted.count : ctl->out.n) == 0) {
		nothing.examined = ctl->counted.scanned > 0;
		/* With --start, an empty last page is normal. */
		enum nothing_cause cause =
			o->start != NULL ? NOTHING_SEEN : nothing_say(ctl, c, &nothing);

		if (cause == NOTHING_SEEN) {
			ctl_empty(ctl);
		}
		return cause == NOTHING_WRONG ? NOTHING_WRONG : 0;
	}
	nothing_say_compared(ctl, c, &nothing);
	nothing_say_projected(ctl, c, read->table, &asked);
	return 0;
}
