/* cmd_dump - import, export */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/answer.h"
#include "tools/command.h"
#include "tools/import.h"
#include "tools/target.h"

/* ------------------------------------------------------------ import */

struct import_opts {
	const char *from;
	struct opt_count jobs;
	const char *on_error;
};

static const struct opt import_opts[] = {
	{"from", 0, OPT_TEXT, "FORM", offsetof(struct import_opts, from),
	 "jsonl, json, csv or dynamodb-export; default: by name"},
	{"jobs", 'j', OPT_COUNT, "N", offsetof(struct import_opts, jobs),
	 "threads that parse; default: one for each processor"},
	{"on-error", 0, OPT_TEXT, "stop|skip", offsetof(struct import_opts, on_error),
	 "at a bad line: stop (default), or report it and go on"},
	{NULL, 0, OPT_FLAG, NULL, 0, NULL},
};

static int
check_import(struct call *c, const struct import_opts *o, const struct words *files)
{
	if (o->from != NULL && source_form_named(o->from) == SOURCE_AUTO) {
		return call_fail(c, ERR_VALIDATION,
				 "--from is jsonl, json, csv or dynamodb-export, not \"%s\"",
				 o->from);
	}
	if (o->on_error != NULL && strcmp(o->on_error, "stop") != 0 &&
	    strcmp(o->on_error, "skip") != 0) {
		return call_fail(c, ERR_VALIDATION, "--on-error is stop or skip, not \"%s\"",
				 o->on_error);
	}
	int r = ctl_check_jobs(c, &o->jobs);
	if (r < 0) {
		return r;
	}
	for (size_t i = 0; i < files->n; i++) {
		struct slice name = slice_from(files->at[i]);
		struct stat st;

		if (slice_ends(name, SLICE(".gz"))) {
			return call_fail(c, ERR_NOT_SUPPORTED,
					 "%s: compressed files are not yet supported; use zcat | "
					 "itemctl import",
					 files->at[i]);
		}
		if (strcmp(files->at[i], "-") == 0) {
			continue;
		}
		if (access(files->at[i], R_OK) != 0) { /* before any item is put */
			return ctl_no_file(c, files->at[i]);
		}
		if (stat(files->at[i], &st) == 0 && S_ISDIR(st.st_mode)) {
			return call_fail(c, ERR_NOT_SUPPORTED,
					 "%s: a directory is not yet supported; name its files",
					 files->at[i]);
		}
	}
	return 0;
}

/* What was done, and that it will last. */
static void
tell(const struct ctl *ctl, const struct import_result *result, double seconds)
{
	ctl_note(ctl, "imported %lu item%s in %.2f s (%.0f/s); durable",
		 (unsigned long)result->items, result->items == 1 ? "" : "s", seconds,
		 seconds > 0 ? (double)result->items / seconds : 0.0);
	if (result->rejected > 0) {
		(void)fprintf(stderr, "%lu line%s rejected\n", (unsigned long)result->rejected,
			      result->rejected == 1 ? "" : "s");
	}
}

static int
run_import(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct import_opts *o = opts;
	struct words files = {.at = words->at + 1, .n = words->n - 1};
	struct bulk bulk = {.engine = ctl->engine, .table = slice_from(words->at[0])};
	const struct schema *schema = NULL;
	struct import_result result = {0};
	struct progress progress;
	struct source source;

	int r = check_import(c, o, &files);
	if (r == 0) {
		r = ctl_schema(ctl, c, bulk.table, &schema);
	}
	if (r < 0) {
		return r;
	}
	bulk.key = &schema->key;
	source_init(&source, &files, o->from == NULL ? SOURCE_AUTO : source_form_named(o->from),
		    schema);
	progress_begin(&progress, ctl->quiet, source_size(&files));
	struct import_options io = {
		.bulk = &bulk,
		.source = &source,
		.progress = &progress,
		.jobs = ctl_jobs(&o->jobs),
		.skip = o->on_error != NULL && strcmp(o->on_error, "skip") == 0,
	};

	r = import_run(&io, c, &result);
	source_release(&source);
	progress_end(&progress);
	/* What went before a failure shall last too; its own failure would tell nothing new. */
	struct call own;

	call_open(&own, c->now_ms, CTL_BUDGET);
	int synced = bulk_sync(&bulk, &own);

	if (synced < 0) {
		r = ctl_adopt(c, &own);
	} else {
		tell(ctl, &result, progress_seconds(&progress));
	}
	call_close(&own);
	return r < 0 ? r : result.rejected > 0 ? error_exit(ERR_VALIDATION) : 0;
}

const struct command cmd_import = {
	.name = "import",
	.usage = "TABLE [FILE...] [--from FORM] [--jobs N] [--on-error stop|skip]",
	.summary = "put items from files or standard input, many at a time",
	.details =
		"Without --from, .json and .csv files are taken as such, all else as JSON Lines.\n"
		"Of two lines with one key the last wins. Everything is durable when it ends.\n"
		"stop: what stands before the bad line is in the table, nothing behind it.\n"
		"skip: each rejected line is reported with its number and reason; exit status 2.",
	.opts = import_opts,
	.opts_bytes = sizeof(struct import_opts),
	.min_words = 1,
	.max_words = SIZE_MAX,
	.run = run_import,
};

/* ------------------------------------------------------------ export */

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
