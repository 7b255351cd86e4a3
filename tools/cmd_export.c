/* cmd_export - export */
#include <unistd.h>

#include "tools/answer.h"
#include "tools/command.h"
#include "tools/target.h"

struct export_opts {
	const char *to;
	const char *index;
	struct opt_count jobs;
};

static const struct opt export_opts[] = {
	{"to", 0, OPT_TEXT, "FORM", offsetof(struct export_opts, to),
	 "jsonl (default), json, csv or typed"},
	{"index", 0, OPT_TEXT, "NAME", offsetof(struct export_opts, index),
	 "a GSI or LSI instead of the table"},
	{"jobs", 'j', OPT_COUNT, "N", offsetof(struct export_opts, jobs),
	 "1: read and write by turns; default: read ahead"},
	{"split-by", 0, OPT_LATER, "ATTR", 0, "a file for each value (not yet supported)"},
	{NULL, 0, OPT_FLAG, NULL, 0, NULL},
};

static int
format_of(struct call *c, const struct ctl *ctl, const struct export_opts *o, enum out_format *out)
{
	*out = ctl->format == OUT_AUTO ? OUT_JSONL : ctl->format;
	if (o->to == NULL) {
		return 0;
	}
	*out = out_format_named(o->to);
	if (strcmp(o->to, "dynamodb-export") == 0) {
		return call_fail(c, ERR_NOT_SUPPORTED, "--to dynamodb-export is not yet supported");
	}
	if (*out == OUT_AUTO || *out == OUT_TABLE) {
		return call_fail(c, ERR_VALIDATION, "--to is jsonl, json, csv or typed, not \"%s\"",
				 o->to);
	}
	return 0;
}

static int
run_export(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct export_opts *o = opts;
	struct op_in request = {
		.type = OP_SCAN,
		.scan.read = {.table = slice_from(words->at[0]), .index = slice_from(o->index)},
	};
	struct progress progress;
	enum out_format format = OUT_JSONL;
	struct target target = {0};
	struct out out;

	int r = format_of(c, ctl, o, &format);
	if (r == 0) {
		r = ctl_readable(ctl, c, request.scan.read.table, o->index);
	}
	if (r == 0) {
		r = target_open(c, words->n > 1 ? words->at[1] : NULL, &target);
	}
	if (r < 0) {
		return r;
	}
	struct answer a = {.ctl = ctl,
			   .out = &out,
			   .progress = &progress,
			   .requests = &request,
			   .n = 1,
			   .jobs = ctl_jobs(&o->jobs)};

	out_open(&out, target.fd, format);
	progress_begin(&progress, ctl->quiet || (target.name == NULL && isatty(STDOUT_FILENO)), 0);
	r = answer_print(&a, c);
	if (r == 0) {
		r = out_close(&out, c);
	}
	out_drop(&out);
	progress_end(&progress);
	r = target_close(c, &target, r);
	ctl->out.format = OUT_JSONL; /* nothing more on standard output */
	ctl->out.sink.failed = target.name == NULL ? out.sink.failed : 0;
	if (r == 0) {
		ctl_note(ctl, "exported %lu item%s", (unsigned long)out.n, out.n == 1 ? "" : "s");
	}
	return r;
}

const struct command cmd_export = {
	.name = "export",
	.usage = "TABLE [FILE] [--to FORM] [--index I]",
	.summary = "write all items of a table or index to a file or standard output",
	.details = "A FILE gets its name when it is complete. Memory does not grow with the table.",
	.opts = export_opts,
	.opts_bytes = sizeof(struct export_opts),
	.min_words = 1,
	.max_words = 2,
	.run = run_export,
};
