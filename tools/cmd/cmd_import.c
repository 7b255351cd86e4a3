/* cmd_import - import: puts the items of files or standard input into a table */
#include "store/engine/engine.h"

#include "tools/cmd/cmd.h"
#include "tools/cmd/import_table.h"
#include "tools/load/derive.h"
#include "tools/load/import_files.h"
#include "tools/load/import_pipeline.h"
#include "tools/load/source.h"
#include "tools/load/source_csv.h"
#include "tools/out/out.h"
#include "tools/session/ctl.h"
#include "tools/system/input.h"
#include "tools/system/progress.h"
#include "tools/system/source_form.h"
#include "tools/system/stop.h"
#include "tools/text/typed_line.h"
#include "tools/write/apply.h"
#include "tools/write/bulk.h"

static const struct opt import_opts[] = {
	{"key", 0, OPT_TEXT, "PK[:T][,SK[:T]]", offsetof(struct import_opts, key),
	 "create the table and the store if they do not exist; auto: with a key that suits the items"},
	{"from", 0, OPT_TEXT, "FORM", offsetof(struct import_opts, from),
	 "jsonl, json, csv, yaml or dynamodb-export; default: by name"},
	{"infer", 0, OPT_FLAG, NULL, offsetof(struct import_opts, infer),
	 "csv: read numbers, true and false as such in columns without a type"},
	{"delimiter", 0, OPT_TEXT, "CHAR", offsetof(struct import_opts, delimiter),
	 "csv: the separator of cells, such as \";\" or \\t; default: from the header"},
	{"no-header", 0, OPT_FLAG, NULL, offsetof(struct import_opts, no_header),
	 "csv: the first line is an item; with --columns"},
	{"columns", 0, OPT_TEXT, "NAME[:T],...", offsetof(struct import_opts, columns),
	 "csv: the columns, written as a header"},
	{"set", 0, OPT_LIST, "NAME[:T]=TEMPLATE", offsetof(struct import_opts, set),
	 "an attribute derived from others, such as 'PK=DOCTOR#${id}'; T is S or N; may be "
	 "repeated"},
	{"apply", 0, OPT_FLAG, NULL, offsetof(struct import_opts, apply),
	 "apply the lines of incremental exports, the newest for each key"},
	{"jobs", 'j', OPT_COUNT, "N", offsetof(struct import_opts, jobs),
	 "threads that parse; to an endpoint also requests at a time; default: automatic"},
	{"on-error", 0, OPT_TEXT, "stop|skip", offsetof(struct import_opts, on_error),
	 "at a bad line: stop (default), or report it and continue"},
	OPTS_END(struct import_opts),
};

#define RATE_SECONDS 0.5 /* a shorter import is reported without a rate */

static int
check_import(struct call *c, const struct import_opts *o)
{
	const struct derive
		*derive; /* only checked here; the types of the table are not known yet */

	if (o->from != NULL && source_form_named(o->from) == SOURCE_AUTO) {
		return typed_line_no_choice(
			c, "--from must be jsonl, json, csv, yaml or dynamodb-export", o->from);
	}
	if (o->on_error != NULL && strcmp(o->on_error, "stop") != 0 &&
	    strcmp(o->on_error, "skip") != 0) {
		return typed_line_no_choice(c, "--on-error must be stop or skip", o->on_error);
	}
	if (o->apply && o->set.n > 0) {
		return call_fail(c, ERR_USAGE,
				 "--set does not go with --apply, whose keys are complete");
	}
	int r = derive_new(c, &o->set, &(struct schema){0}, &derive);

	return r < 0 ? r : ctl_check_jobs(c, &o->jobs);
}

/* Check the options for CSV.  If one is given, all files are CSV. */
static int
check_csv(struct call *c, const struct import_opts *o, const char **form, struct source_csv *out)
{
	const char *name = o->delimiter != NULL ? "delimiter"
			   : o->no_header       ? "no-header"
						: "columns";
	bool asked = o->delimiter != NULL || o->no_header || o->columns != NULL;

	*out = (struct source_csv){.infer = o->infer, .columns = o->columns};
	if (o->no_header != (o->columns != NULL)) {
		return call_fail(c, ERR_USAGE,
				 o->no_header ? "--no-header needs the columns: --columns id,n:N"
					      : "--columns is for a file without a header: add "
						"--no-header");
	}
	if (asked && *form != NULL && source_form_named(*form) != SOURCE_CSV) {
		return call_fail(c, ERR_USAGE, "--%s goes with CSV, not with %s", name, *form);
	}
	*form = asked ? "csv" : *form;
	return o->delimiter == NULL ? 0 : source_csv_delimiter(c, o->delimiter, &out->delimiter);
}

/* Note what was imported, and that it is durable. */
static void
cmd_import_tell(const struct ctl *ctl, const struct import_result *result, double seconds)
{
	char rate[64] = "";
	char deleted[160] = "";

	if (seconds >= RATE_SECONDS) {
		(void)snprintf(rate, sizeof(rate), " (%s/s)",
			       progress_count((uint64_t)((double)result->items / seconds)).at);
	}
	if (result->deleted + result->older > 0) {
		(void)snprintf(deleted, sizeof(deleted),
			       ", applied %s deletion%s, skipped %s older line%s",
			       progress_count(result->deleted).at, result->deleted == 1 ? "" : "s",
			       progress_count(result->older).at, result->older == 1 ? "" : "s");
	}
	bool none = result->items + result->deleted + result->older + result->rejected == 0;

	ctl_note(ctl, "imported %s%s in %.2f s%s; %s", progress_items(result->items).at, deleted,
		 seconds, rate, none ? "nothing was read" : "durable");
	if (result->rejected > 0) {
		(void)fprintf(stderr, "%s line%s rejected\n", progress_count(result->rejected).at,
			      result->rejected == 1 ? "" : "s");
	}
}

/* Sync and report the items, also those before a failure; then an error of the sync is not reported. */
static int
cmd_import_make_durable(struct ctl *ctl, struct call *c, struct bulk *bulk,
			const struct import_result *result, double seconds, bool failed)
{
	call_scope(own, c->now_ms);
	int r = bulk_sync(bulk, &own);

	if (r < 0) {
		r = ctl_adopt(c, &own);
	} else if (failed &&
		   result->items + result->deleted + result->older + result->rejected == 0) {
		ctl_note(ctl, "imported 0 items");
	} else {
		cmd_import_tell(ctl, result, seconds);
	}
	return r;
}

static int
cmd_import_files(struct importing *im, struct call *c, struct source *source,
		 struct import_result *result)
{
	const struct import_opts *o = im->o;
	struct progress progress;
	struct bulk bulk = {
		.engine = im->ctl->engine,
		.table = im->table,
		.key = &im->schema->key,
		.parallel = {.progress = &progress, .most = (unsigned)o->jobs.n},
	};
	struct import_options io = {
		.bulk = &bulk,
		.source = source,
		.progress = &progress,
		.jobs = ctl_jobs(&o->jobs),
		.derive = source->csv.derive,
		.skip = source->skip,
	};
	int r = o->piped ? import_files_null(c, im->table) : 0;

	if (r < 0) {
		return r;
	}
	progress_begin(&progress, im->ctl->quiet, source_size(source->files));
	stop_listen();
	io.apply = o->apply ? apply_new(bulk.key) : NULL;
	r = import_run(&io, c, result);

	apply_free(io.apply);
	progress_end(&progress);
	int durable = cmd_import_make_durable(im->ctl, c, &bulk, result,
					      progress_seconds(&progress), r < 0);

	return r < 0 ? r : durable;
}

/* Return true if standard input is the only input.  An export without items has no files, but it is named. */
static bool
is_piped(const struct words *named, const struct words *files)
{
	return named->n == 0 || (files->n == 1 && strcmp(files->at[0], "-") == 0);
}

/* The form of the input that --format selects; of other commands it selects the output. */
static const char *
format_given(const struct ctl *ctl)
{
	const char *name = out_format_name(ctl->format);

	return source_form_named(name) == SOURCE_AUTO ? NULL : name;
}

static int
cmd_import_run_import(struct ctl *ctl, struct call *c, const struct words *typed, const void *opts)
{
	const struct import_opts *given = opts;
	const struct words *words = import_files_words(ctl, c, typed, given->key);
	struct words named = {.at = words->at + 1, .n = words->n - 1};
	struct import_opts o = *given;
	struct importing im = {
		.ctl = ctl,
		.o = &o,
		.table = slice_from(words->at[0]),
		.form = o.from != NULL ? o.from : format_given(ctl),
	};
	struct import_result result = {0};
	struct source source;
	int r = check_import(c, &o);

	r = r < 0 ? r : ctl_named_store(ctl, c);
	r = r < 0 ? r : check_csv(c, &o, &im.form, &im.csv);
	r = r < 0 ? r
		  : import_files_find(ctl, c, words->at[0], &named, o.apply, &im.form, &im.files);
	o.piped = is_piped(&named, &im.files);
	r = r < 0 ? r : import_table_auto_key(&im, c);
	r = r < 0 ? r : import_table_open(&im, c);
	r = r < 0 || !o.infer ? r : import_files_infer(c, &im.files, im.form);
	r = r < 0 ? r : derive_new(c, &o.set, im.schema, &im.csv.derive);
	if (r < 0) {
		return r;
	}
	if (named.n > 0 && im.files.n == 0) { /* an export without items, not standard input */
		cmd_import_tell(ctl, &result, 0);
		return 0;
	}
	import_table_source(&im, &im.files, im.schema, &source);
	source.skip = import_table_skips(&o);
	source.ahead = o.ahead.bytes;
	source.alone = o.ahead.whole;
	o.ahead = (struct input_ahead){0}; /* @source has it now */
	r = cmd_import_files(&im, c, &source, &result);
	if (r == 0) {
		import_files_numbers(ctl, &source.csv);
	}
	source_release(&source);
	if (r < 0 && import_table_is_typed(ctl, im.table)) {
		import_table_suggest_mended(&im, c, &result);
	}
	r = im.made ? import_table_judge(&im, c, result.items, r) : r;
	return r < 0 ? r : result.rejected > 0 ? error_exit(ERR_VALIDATION) : 0;
}

const struct command cmd_import = {
	.id = COMMAND_IMPORT,
	.name = "import",
	.usage =
		"TABLE [FILE|DIR...] [--key PK[:T][,SK[:T]]] [--from FORM] [--infer] [--set NAME[:T]=TEMPLATE] [--delimiter CHAR] [--no-header --columns NAME[:T],...] [--apply] [--jobs N] [--on-error stop|skip]",
	.summary = "put items from files or standard input, many at a time",
	.details =
		"Without --from, the suffix .json, .csv, .tsv or .yaml selects the form, otherwise JSON\n"
		"Lines; an array, CSV and YAML (---) are also recognized by their first characters.\n"
		"Answers of scan, query and similar operations, and batch-write-item requests, are read\n"
		"for their items, also several in a row. Input compressed by gzip, zstd, bzip2, xz or zip\n"
		"is unpacked. DIR is a DynamoDB export; its checksums and counts are verified before the\n"
		"first item is put. --set makes attributes from others: ${name} is the record's own\n"
		"attribute; a record without it is refused. If two lines have the same key, the last one\n"
		"wins. When the command ends, everything is durable. --on-error stop: items before the\n"
		"bad line are imported, nothing after it; with --apply, up to 1,000 lines around a\n"
		"refused line may or may not be done. --on-error skip: each rejected line is reported\n"
		"with its number and reason; the exit status is 2. An extra quote in CSV joins lines;\n"
		"their range is reported then. Ctrl-C: what was read is put, and the place to continue\n"
		"from is printed. With --apply, repeat the whole command after any failure: the resulting\n"
		"table is the same. Requests to an endpoint are sent in parallel, in any order for\n"
		"different keys; if one fails, some of the next 1,000 lines may be in the table.\n"
		"Throttling and temporary failures end the import only after ITEMFS_PATIENCE seconds\n"
		"without progress (default 600).",
	.examples = "itemctl import music songs.jsonl\n"
		    "itemctl import music songs.csv --infer\n"
		    "itemctl import fresh songs.jsonl --key Artist,Song\n"
		    "itemctl import made songs.csv --key PK --set 'PK=${Artist}#${Song}'\n"
		    "itemctl export music --to typed | itemctl import copy\n",
	.opts = import_opts,
	.min_words = 1,
	.max_words = SIZE_MAX,
	.no_store = true, /* --key creates the store if there is none */
	.input = INPUT_FILES,
	.run = cmd_import_run_import,
};
