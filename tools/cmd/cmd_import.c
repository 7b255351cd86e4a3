/* cmd_import - import */
#include <assert.h>
#include <stdio.h>

#include "store/base/core/error.h"
#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"

#include "tools/advice/suggest.h"
#include "tools/cmd/cmd.h"
#include "tools/load/derive.h"
#include "tools/load/exported.h"
#include "tools/load/import_given.h"
#include "tools/load/import_key.h"
#include "tools/load/import_pipeline.h"
#include "tools/load/source.h"
#include "tools/load/source_csv.h"
#include "tools/session/await.h"
#include "tools/session/confirm.h"
#include "tools/session/ctl.h"
#include "tools/session/input.h"
#include "tools/system/progress.h"
#include "tools/system/source_form.h"
#include "tools/system/stop.h"
#include "tools/text/keyspec.h"
#include "tools/text/typed_line.h"
#include "tools/write/apply.h"
#include "tools/write/bulk.h"

struct import_opts {
	const char *key;
	const char *from;
	bool infer;
	const char *delimiter;
	bool no_header;
	const char *columns;
	struct words set;
	bool apply;
	struct opt_count jobs;
	const char *on_error;
	bool guessed;             /* the key, of --key auto */
	bool piped;               /* standard input is read, and no file */
	struct input_ahead ahead; /* of it */
};

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
	 "an attribute made from others, such as 'PK=DOCTOR#${id}'; T is S or N; may be repeated"},
	{"apply", 0, OPT_FLAG, NULL, offsetof(struct import_opts, apply),
	 "put and delete as the lines of incremental exports say, the newest for each key"},
	{"jobs", 'j', OPT_COUNT, "N", offsetof(struct import_opts, jobs),
	 "threads that parse; to an endpoint also requests at a time; default: automatic"},
	{"on-error", 0, OPT_TEXT, "stop|skip", offsetof(struct import_opts, on_error),
	 "at a bad line: stop (default), or report it and go on"},
	{NULL, 0, OPT_FLAG, NULL, 0, NULL},
};

enum {
	SUGGEST_ITEMS = 300, /* that are compared with each other for a key */
	PATIENCE_MS = 1000,  /* with a pipe whose items tell it, after a failure */
};

#define RATE_SECONDS 0.5 /* what took less has no rate worth telling */

static int
check_import(struct call *c, const struct import_opts *o)
{
	const struct derive *derive; /* the table tells types later */

	if (o->from != NULL && source_form_named(o->from) == SOURCE_AUTO) {
		return typed_line_no_choice(
			c, "--from is jsonl, json, csv, yaml or dynamodb-export", o->from);
	}
	if (o->on_error != NULL && strcmp(o->on_error, "stop") != 0 &&
	    strcmp(o->on_error, "skip") != 0) {
		return typed_line_no_choice(c, "--on-error is stop or skip", o->on_error);
	}
	if (o->apply && o->set.n > 0) {
		return call_fail(c, ERR_USAGE,
				 "--set does not go with --apply, whose keys are whole");
	}
	int r = derive_new(c, &o->set, &(struct schema){0}, &derive);

	return r < 0 ? r : ctl_check_jobs(c, &o->jobs);
}

/* Options that say what CSV is like say that all files are CSV. */
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
					      : "--columns names those of a file without header: "
						"it needs --no-header, too");
	}
	if (asked && *form != NULL && source_form_named(*form) != SOURCE_CSV) {
		return call_fail(c, ERR_USAGE, "--%s goes with CSV, not with %s", name, *form);
	}
	*form = asked ? "csv" : *form;
	return o->delimiter == NULL ? 0 : source_csv_delimiter(c, o->delimiter, &out->delimiter);
}

/* What was done, and that it will last.  The rate of a moment says nothing. */
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
			       ", applied %s deletion%s, passed over %s older line%s",
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

/* What went before a failure shall last too; its own failure would tell nothing new. */
static int
cmd_import_make_durable(struct ctl *ctl, struct call *c, struct bulk *bulk,
			const struct import_result *result, double seconds, bool failed)
{
	struct call own;

	call_open(&own, c->now_ms, CALL_BUDGET);
	int r = bulk_sync(bulk, &own);

	if (r < 0) {
		r = ctl_adopt(c, &own);
	} else if (failed &&
		   result->items + result->deleted + result->older + result->rejected == 0) {
		ctl_note(ctl, "imported 0 items");
	} else {
		cmd_import_tell(ctl, result, seconds);
	}
	call_close(&own);
	return r;
}

static bool
skips(const struct import_opts *o)
{
	return o->on_error != NULL && strcmp(o->on_error, "skip") == 0;
}

static int
cmd_import_files(struct ctl *ctl, struct call *c, struct bulk *bulk, struct source *source,
		 const struct import_opts *o, const struct derive *derive,
		 struct import_result *result)
{
	struct progress progress;
	struct import_options io = {
		.bulk = bulk,
		.source = source,
		.progress = &progress,
		.jobs = ctl_jobs(&o->jobs),
		.derive = derive,
		.skip = skips(o),
	};

	int r = o->piped ? import_given_null(c, bulk->table) : 0;

	if (r < 0) {
		return r;
	}
	progress_begin(&progress, ctl->quiet, source_size(source->files));
	bulk->parallel.progress = &progress;
	bulk->parallel.most = (unsigned)o->jobs.n;
	stop_listen();
	io.apply = o->apply ? apply_new(bulk->key) : NULL;
	r = import_run(&io, c, result);

	apply_free(io.apply);
	progress_end(&progress);
	int durable =
		cmd_import_make_durable(ctl, c, bulk, result, progress_seconds(&progress), r < 0);

	return r < 0 ? r : durable;
}

/* What is in a table of a store elsewhere is not replaced without a question. */
static int
cmd_import_describe(struct ctl *ctl, struct call *c, struct slice table, bool deletes,
		    const struct schema **out)
{
	struct describe_table_in in = {.table = table};
	struct describe_table_out answer = {0};
	int r = engine_describe_table(ctl->engine, c, &in, &answer);

	*out = answer.table.schema;
	return r < 0 ? r : confirm_far_puts(ctl, c, &answer.table, deletes);
}

/* The first items, with the key of @schema, which may have none.  Return: how many; 0: a pipe that was not read ahead, lines of changes */
static size_t
look_ahead(struct call *c, const struct import_opts *o, const struct words *files, const char *form,
	   const struct source_csv *csv, const struct schema *schema, struct item **out)
{
	struct bulk bulk = {.table = schema->table, .key = &schema->key};
	struct source source;
	struct import_options io = {.bulk = &bulk, .source = &source};
	size_t n = 0;

	struct slice ahead = o->ahead.bytes;
	const char *newline = ahead.len == 0 || o->ahead.whole ? NULL : slice_rchr(ahead, '\n');

	if ((source_size(files) == 0 && ahead.len == 0) || o->apply ||
	    derive_new(c, &o->set, schema, &io.derive) < 0) {
		c->error = (struct error){0};
		return 0;
	}
	source_init(&source, files, form == NULL ? SOURCE_AUTO : source_form_named(form), schema);
	source.csv = *csv;
	source.csv.derive = io.derive;
	source.alone = true;
	source.ahead = newline == NULL ? ahead : slice_of(ahead.at, (size_t)(newline - ahead.at));
	n = import_peek(&io, c, out);
	source_release(&source);
	return n;
}

/* Was this import typed, and is no part of another command? */
static bool
cmd_import_is_typed(const struct ctl *ctl, struct slice table)
{
	return ctl->words.n > 0 && ctl->words.at[0] == table.at;
}

/* Append the key that suits the first items; false: none does, or they cannot be read twice. */
static bool
guess_key(struct call *c, struct import_opts *o, const struct words *files, const char *form,
	  const struct source_csv *csv, struct slice table, bool certain, struct buf *key,
	  struct buf *second)
{
	struct schema schema = {.table = table};
	struct item *items = NULL;
	struct error error = c->error;

	c->error = (struct error){0};
	if (o->piped && !certain && input_ahead(c, PATIENCE_MS, &o->ahead) < 0) {
		o->ahead = (struct input_ahead){0};
	}
	size_t n = look_ahead(c, o, files, form, csv, &schema, &items);

	c->error = error;
	buf_init(key, &c->arena);
	buf_init(second, &c->arena);
	return import_key_guess(key, second, items, n < SUGGEST_ITEMS ? n : SUGGEST_ITEMS, certain);
}

/* No table, and no --key: the line that makes it, with a key that suits the items; @other: after another line */
static void
suggest_key(struct call *c, bool other, struct import_opts *o, const struct words *files,
	    const char *form, const struct source_csv *csv, struct slice table)
{
	struct buf key;
	struct buf second;

	if (guess_key(c, o, files, form, csv, table, false, &key, &second)) {
		import_key_suggest(c, other ? "or a new table: " : "its items may have this key: ",
				   buf_view(&key));
		import_key_suggest(c, "or this one: ", buf_view(&second));
	} else if (o->piped && o->ahead.bytes.len == 0) {
		import_key_suggest(
			c, "standard input is empty; a table is made of items by: ", SLICE("auto"));
	}
}

/* --key auto: @o gets the key that suits the items, unless the table is there. */
static int
auto_key(struct ctl *ctl, struct call *c, struct import_opts *o, const struct words *files,
	 const char *form, const struct source_csv *csv, struct slice table)
{
	struct buf key;
	struct buf second;

	int r = import_key_there(ctl, c, table, &o->key);

	o->guessed = o->key != NULL && strcmp(o->key, "auto") == 0;
	if (r < 0 || !o->guessed) {
		return r;
	}
	r = o->piped ? input_ahead(c, -1, &o->ahead) : 0;

	if (r < 0) {
		return r;
	}
	if (!guess_key(c, o, files, form, csv, table, true, &key, &second)) {
		return call_fail(
			c, ERR_USAGE,
			o->piped && o->ahead.bytes.len == 0 ? "--key auto: standard input is empty"
			: source_size(files) == 0 && !o->piped
				? "--key auto: cannot derive a key from a pipe or an empty file"
				: "--key auto: cannot derive a key from these items");
	}
	o->key = slice_cstr(&c->arena, buf_view(&key));
	struct buf shown; /* a header may name attributes as it likes */

	buf_init(&shown, &c->arena);
	shell_word(&shown, buf_view(&key));
	if (ctl->store != NULL && url_is_far(ctl->store)) {
		return call_fail(c, ERR_USAGE,
				 "--key auto is for stores of this machine, where it is checked; "
				 "these items may have this key: --key %.*s",
				 SLICE_ARG(buf_view(&shown)));
	}
	import_key_say(ctl, c, buf_view(&shown), buf_view(&second),
		       cmd_import_is_typed(ctl, table) ? table : SLICE(""));
	return 0;
}

/* The table's definition from --key, which the first items must have. */
static int
cmd_import_read_key(struct call *c, const struct import_opts *o, const struct words *files,
		    const char *form, const struct source_csv *csv, struct slice table,
		    struct schema *out)
{
	const struct words none = {0};
	struct item *items = NULL;
	int r = keyspec_schema(c, slice_cstr(&c->arena, table), o->key, &none, &none, out);

	if (r < 0 || skips(o)) {
		return r;
	}
	size_t n = look_ahead(c, o, files, form, csv, out, &items); /* cells have the key's types */
	bool typed = n > 0;

	if (!typed) {
		n = look_ahead(c, o, files, form, csv, &(struct schema){.table = table}, &items);
	}
	return import_key_check(c, o->key, &out->key, items, n, typed);
}

/* The table, which --key makes where there is none; *made: it did */
static int
cmd_import_find_table(struct ctl *ctl, struct call *c, struct slice table,
		      const struct import_opts *o, const struct schema *wanted,
		      const struct schema **out, bool *made)
{
	struct create_table_out answer;
	int r = cmd_import_describe(ctl, c, table, o->apply, out);

	if (r != -ERR_NO_TABLE || o->key == NULL) {
		return r;
	}
	c->error = (struct error){0};
	struct create_table_in in = {.schema = wanted};

	r = engine_create_table(ctl->engine, c, &in, &answer);
	*made = r == 0;
	if (r == 0) {
		r = await_table(ctl, c, table);
		ctl_note(ctl, "table %.*s created", SLICE_ARG(table));
	}
	if (r == 0) {
		r = ctl_schema(ctl, c, table, out);
	}
	return r;
}

/* A table that was made goes again if it stayed empty since the import failed, or if its key was not guessed well. */
static int
judge_new(struct ctl *ctl, struct call *c, const struct import_opts *o, struct slice table,
	  uint64_t items, int r)
{
	struct delete_table_in in = {.table = table};
	struct delete_table_out answer;
	struct call own;
	int held = r < 0 ? 0 : import_key_held(ctl->engine, c, o->key, table, items);

	if (held < 0 && o->guessed) {
		held = call_prefix(c, "--key auto: ");
	} else if (held < 0) {
		ctl_note(ctl, "%s", c->error.message);
		c->error = (struct error){0};
		held = 0;
	}
	if (held == 0 && (r == 0 || items > 0)) {
		return r;
	}
	call_open(&own, c->now_ms, CALL_BUDGET);
	if (engine_delete_table(ctl->engine, &own, &in, &answer) == 0) {
		ctl_note(ctl, "table %.*s dropped again", SLICE_ARG(table));
	}
	call_close(&own);
	return r < 0 ? r : held;
}

/* With --key it is made, as the table is. */
static int
open_store(struct ctl *ctl, struct call *c, const struct import_opts *o)
{
	bool fresh = o->key != NULL && ctl_store_is_new(ctl, c);
	int r = ctl_open_store(ctl, c, o->key != NULL);

	if (r == 0 && fresh) {
		ctl_note(ctl, "store %s created", ctl->store);
	}
	return r;
}

/* The store and the table, or what makes them. */
static int
open_table(struct ctl *ctl, struct call *c, struct import_opts *o, const struct words *files,
	   const char *form, const struct source_csv *csv, struct slice table,
	   const struct schema **out, bool *made)
{
	struct schema *wanted = arena_new(&c->arena, struct schema, 1);
	int r = o->key == NULL ? 0 : cmd_import_read_key(c, o, files, form, csv, table, wanted);

	r = r < 0 ? r : open_store(ctl, c, o);
	if (r < 0 && o->key == NULL && ctl->store != NULL && ctl_store_is_new(ctl, c) &&
	    slice_chr(table, '/') == NULL) {
		suggest_key(c, false, o, files, form, csv, table);
	}
	if (r < 0) {
		return r;
	}
	r = cmd_import_find_table(ctl, c, table, o, wanted, out, made);
	if (r == -ERR_NO_TABLE) {
		suggest_key(c,
			    cmd_import_is_typed(ctl, table) &&
				    suggest_near_table(ctl, c, table, SLICE("")),
			    o, files, form, csv, table);
	}
	return r;
}

/* A record is refused: the line that takes it, or that passes over it. */
static void
suggest_mended(struct ctl *ctl, struct call *c, const struct import_opts *o, struct slice table,
	       const struct words *files, const char *form, const struct source_csv *csv,
	       const struct schema *schema, const struct import_result *result)
{
	struct schema any = {.table = table};
	const struct words none = {0}; /* for a pipe, which would be waited for */
	const struct words *at = source_size(files) > 0 ? files : &none;
	struct item *items = NULL;
	struct call own;
	struct buf line;

	assert(schema != NULL);
	call_open(&own, c->now_ms, CALL_BUDGET);
	buf_init(&line, &own.arena);
	size_t n = look_ahead(&own, o, at, form, csv, schema, &items);

	n = n > 0 ? n : look_ahead(&own, o, at, form, csv, &any, &items);
	buf_str(&line, "did you mean: ");
	if (o->set.n == 0 && !o->apply && n > 0 &&
	    import_key_mended(&line, ctl, &own, schema, files->at[0], items, n)) {
		suggest_line(c, buf_view(&line));
	} else if (o->from == NULL && import_given_csv(c, at)) {
		buf_clear(&line);
		buf_str(&line, "its content is CSV: ");
		if (typed_line_insert(&line, SLICE("--"), SLICE("--from csv"))) {
			suggest_line(c, buf_view(&line));
		}
	} else if (result->of_record) {
		buf_clear(&line);
		buf_str(&line, "to report such lines and go on: ");
		if (at->n > 0 && o->on_error == NULL &&
		    typed_line_insert(&line, SLICE("--"), SLICE("--on-error skip"))) {
			suggest_line(c, buf_view(&line));
		}
	}
	call_close(&own);
}

/* Is standard input all that is read? An export without items has no files, either. */
static bool
is_piped(const struct words *named, const struct words *files)
{
	return named->n == 0 || (files->n == 1 && strcmp(files->at[0], "-") == 0);
}

/* --format, which says of other commands what they print. */
static const char *
format_given(const struct ctl *ctl)
{
	return ctl->format == OUT_JSON    ? "json"
	       : ctl->format == OUT_JSONL ? "jsonl"
	       : ctl->format == OUT_CSV   ? "csv"
	       : ctl->format == OUT_YAML  ? "yaml"
					  : NULL;
}

static int
cmd_import_run_import(struct ctl *ctl, struct call *c, const struct words *typed, const void *opts)
{
	const struct import_opts *given = opts;
	const struct words *words = import_given_words(ctl, c, typed, given->key);
	struct import_opts *o = arena_new(&c->arena, struct import_opts, 1);
	struct words named = {.at = words->at + 1, .n = words->n - 1};
	struct bulk bulk = {.table = slice_from(words->at[0])};
	const struct schema *schema = NULL;
	struct import_result result = {0};
	struct words files = {0};
	struct source_csv csv = {0};
	const struct derive *derive = NULL;
	struct source source;
	bool made = false;

	*o = *given;
	const char *form = o->from != NULL ? o->from : format_given(ctl);
	int r = check_import(c, o);
	r = r < 0 ? r : ctl_named_store(ctl, c);
	r = r < 0 ? r : check_csv(c, o, &form, &csv);
	r = r < 0 ? r : exported_find(ctl, c, words->at[0], &named, o->apply, &form, &files);
	o->piped = is_piped(&named, &files);
	r = r < 0 ? r : auto_key(ctl, c, o, &files, form, &csv, bulk.table);
	r = r < 0 ? r : open_table(ctl, c, o, &files, form, &csv, bulk.table, &schema, &made);
	bulk.engine = ctl->engine;
	r = r < 0 || !o->infer ? r : import_given_infer(c, &files, form);
	r = r < 0 ? r : derive_new(c, &o->set, schema, &derive);
	if (r < 0) {
		return r;
	}
	if (named.n > 0 && files.n == 0) { /* an export without items; not standard input */
		cmd_import_tell(ctl, &result, 0);
		return 0;
	}
	bulk.key = &schema->key;
	source_init(&source, &files, form == NULL ? SOURCE_AUTO : source_form_named(form), schema);
	csv.derive = derive;
	source.csv = csv;
	source.skip = skips(o);
	source.ahead = o->ahead.bytes;
	source.alone = o->ahead.whole;
	o->ahead = (struct input_ahead){0}; /* it is read once */
	r = cmd_import_files(ctl, c, &bulk, &source, o, derive, &result);
	if (r == 0) {
		import_given_numbers(ctl, &source.csv);
	}
	source_release(&source);
	if (r < 0 && cmd_import_is_typed(ctl, bulk.table)) {
		suggest_mended(ctl, c, o, bulk.table, &files, form, &csv, schema, &result);
	}
	r = made ? judge_new(ctl, c, o, bulk.table, result.items, r) : r;
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
	.opts_bytes = sizeof(struct import_opts),
	.min_words = 1,
	.max_words = SIZE_MAX,
	.no_store = true, /* --key makes one where there is none */
	.input = INPUT_FILES,
	.run = cmd_import_run_import,
};
