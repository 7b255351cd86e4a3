/* cmd_export - export: checks the options, and selects the form of the files */
#include <sys/stat.h>

#include "store/engine/engine.h"
#include "store/model/schema.h"

#include "tools/cli/synonyms.h"
#include "tools/cmd/cmd.h"
#include "tools/out/out.h"
#include "tools/query/export_write.h"
#include "tools/session/ctl.h"
#include "tools/system/progress.h"
#include "tools/system/source_form.h"
#include "tools/system/stop.h"
#include "tools/system/target.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

#define EXPORT_FORMS "jsonl, json, csv, tsv, yaml, md, typed or dynamodb-export"

static const struct opt export_opts[] = {
	{"to", 0, OPT_TEXT, "FORM", offsetof(struct export_opts, to),
	 EXPORT_FORMS "; default: by name"},
	{"index", 0, OPT_TEXT, "NAME", offsetof(struct export_opts, index),
	 "a GSI or LSI instead of the table"},
	{"split-by", 0, OPT_TEXT, "ATTR", offsetof(struct export_opts, split_by),
	 "a file for each value of the attribute, in a new DIR"},
	{"output", 'o', OPT_TEXT, "FILE", offsetof(struct export_opts, output),
	 "the same as the word FILE"},
	{"safe", 0, OPT_FLAG, NULL, offsetof(struct export_opts, safe),
	 "csv for spreadsheets: no cell is run as a formula"},
	{"consistent", 0, OPT_FLAG, NULL, offsetof(struct export_opts, consistent),
	 "ConsistentRead: twice the read units"},
	{"jobs", 'j', OPT_COUNT, "N", offsetof(struct export_opts, jobs),
	 "1: read and write alternately; default: read ahead"},
	OPTS_END(struct export_opts),
};

/* ------------------------------------------------------------ the form */

/* The form that the suffix of a file names; OUT_AUTO: none.  Import reads the same forms, but .typed as JSON Lines. */
static enum out_format
export_form_of(const char *file)
{
	static const struct {
		const char *suffix;
		enum out_format format;
	} rows[] = {
		{".jsonl", OUT_JSONL}, {".ndjson", OUT_JSONL}, {".json", OUT_JSON},
		{".csv", OUT_CSV},     {".tsv", OUT_TSV},      {".typed", OUT_TYPED},
		{".yaml", OUT_YAML},   {".yml", OUT_YAML},     {".md", OUT_MD},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (source_has_suffix(file, rows[i].suffix)) {
			return rows[i].format;
		}
	}
	return OUT_AUTO;
}

/* The form by the name of FILE, also of a redirection.  The name of DIR selects no form. */
static enum out_format
form_by_name(struct call *c, const struct exporting *e)
{
	bool redirected = e->to == NULL && !isatty(STDOUT_FILENO);
	const char *file = redirected ? target_redirected(c) : e->to;
	enum out_format form = e->o->split_by == NULL ? export_form_of(file) : OUT_AUTO;

	return form == OUT_AUTO ? OUT_JSONL : form;
}

/* The suffixes in the name of a file, or NULL; *known: the last ones name a form that export writes */
static const char *
suffix_of(const char *file, bool *known)
{
	const char *slash = strrchr(file, '/');
	const char *name = slash == NULL ? file : slash + 1;
	const char *dot = strchr(name, '.');

	*known =
		export_form_of(name) != OUT_AUTO && (source_is_gz(name) || !source_is_packed(name));
	return dot == NULL || strcasecmp(dot, ".gz") == 0 ? NULL : dot;
}

/* Refuse a name whose suffix is not a form of export; suggest another name, for Parquet with a conversion by duckdb. */
static int
check_suffix(struct call *c, const char *file)
{
	bool known;
	const char *dot = suffix_of(file, &known);
	struct buf b = {.arena = &c->arena};

	if (known || dot == NULL) {
		return 0;
	}
	bool parquet = strcasecmp(dot, ".parquet") == 0;
	const char *last = strrchr(dot, '.');
	struct slice name = fmt_slice(&c->arena, "%.*s.gz", (int)(last - file), file);

	(void)suffix_of(slice_cstr(&c->arena, name), &known);
	if (!known || last == dot) { /* x.csv.zip probably means x.csv.gz */
		name = fmt_slice(&c->arena, "%.*s.%s", (int)(dot - file), file,
				 words_in(".xlsx .xls .ods", slice_from(dot)) ? "csv" : "jsonl");
	}
	if (typed_line_said(&b, "; did you mean: ", slice_from(file), name) && parquet) {
		fmt_shell(
			&b, " && duckdb -c %",
			fmt_slice(&c->arena, "COPY (FROM '%.*s') TO '%s'", SLICE_ARG(name), file));
	}
	return call_fail(
		c, ERR_USAGE,
		"%s: a file of items ends in .jsonl, .ndjson, .json, .csv, .tsv, .yaml, .md or "
		".typed, optionally followed by .gz; any other name needs --to FORM%.*s",
		file, SLICE_ARG(buf_view(&b)));
}

/* Note that JSON Lines are written, if the name has no suffix, or the redirected file has another one. */
static void
say_form(struct call *c, const struct exporting *e)
{
	const char *file = e->to == NULL ? target_redirected(c) : e->to;
	struct stat st;
	bool there = e->to == NULL ? fstat(STDOUT_FILENO, &st) == 0 : stat(e->to, &st) == 0;
	bool known;

	if (file == NULL || (there ? !S_ISREG(st.st_mode) : e->to == NULL) ||
	    (suffix_of(file, &known) == NULL && e->to == NULL) || known) {
		return;
	}
	ctl_note(e->ctl,
		 "%s: writing JSON Lines; for another form, use --to or a name in .csv, .tsv, "
		 ".json, .yaml or .md",
		 file);
}

/* Treat "-o csv" as a form, as in other programs, unless a file of that name exists. */
static void
take_form(struct exporting *e)
{
	const char *name = e->o->output;
	enum out_format form = name == NULL ? OUT_AUTO : out_format_named(synonyms_format(name));

	if (form != OUT_AUTO && e->o->to == NULL && e->ctl->format == OUT_AUTO &&
	    access(name, F_OK) != 0) {
		e->to = NULL;
		e->ctl->format = form;
	}
}

static int
choose_form(struct call *c, struct exporting *e)
{
	const struct export_opts *o = e->o;

	if (o->to != NULL) {
		e->format = strcmp(o->to, "dynamodb-export") == 0
				    ? OUT_EXPORT
				    : out_format_named(synonyms_format(o->to));
		return e->format != OUT_AUTO && e->format != OUT_TABLE
			       ? 0
			       : typed_line_no_choice(c, "--to must be " EXPORT_FORMS, o->to);
	}
	e->format = e->ctl->format == OUT_AUTO ? form_by_name(c, e) : e->ctl->format;
	if (e->ctl->format != OUT_AUTO || o->split_by != NULL) {
		return 0;
	}
	int r = e->to == NULL ? 0 : check_suffix(c, e->to);

	if (r == 0) {
		say_form(c, e);
	}
	return r;
}

static int
check_form(struct call *c, struct exporting *e)
{
	const struct export_opts *o = e->o;

	take_form(e);
	if (e->to != NULL && *e->to == '\0') {
		return call_fail(c, ERR_USAGE, "export needs the name of a file, not \"\"");
	}
	if (e->to != NULL && e->o->split_by == NULL && e->o->to == NULL &&
	    e->to[strlen(e->to) - 1] == '/') {
		return call_fail(
			c, ERR_USAGE,
			"%s: give the name of a file: %sitems.jsonl; or a folder as DynamoDB "
			"exports: --to dynamodb-export",
			e->to, e->to);
	}
	int r = choose_form(c, e);

	if (r < 0) {
		return r;
	}
	if (o->safe && (e->format != OUT_CSV || o->split_by != NULL)) {
		return call_fail(c, ERR_USAGE,
				 "--safe is for one file of CSV: --to csv, without --split-by");
	}
	if (e->format == OUT_EXPORT && (o->index != NULL || o->split_by != NULL)) {
		return call_fail(c, ERR_USAGE,
				 "--to dynamodb-export writes a whole table: no --index, no "
				 "--split-by");
	}
	if (o->split_by != NULL &&
	    (*o->split_by == '\0' || e->format == OUT_TABLE || e->format == OUT_YAML ||
	     e->format == OUT_MD || e->format == OUT_TEXT)) {
		return call_fail(c, ERR_USAGE,
				 "--split-by needs the name of an attribute, and one of the "
				 "forms jsonl, json, csv, tsv, typed");
	}
	if ((e->format == OUT_EXPORT || o->split_by != NULL) && e->to == NULL) {
		return call_fail(c, ERR_USAGE, "%s needs the name of a new directory",
				 o->split_by != NULL ? "--split-by" : "--to dynamodb-export");
	}
	return ctl_check_jobs(c, &o->jobs);
}

/* ------------------------------------------------------------ the command */

/* Note that files of items do not contain indexes and stream; print the command lines that save them. */
static void
tell_definition(const struct exporting *e, struct call *c)
{
	const struct schema *s = e->table->schema;
	bool stream = s->stream.view != STREAM_NONE;
	struct buf b = {.arena = &c->arena};

	if (e->o->index != NULL || e->format == OUT_EXPORT || s->n_index + stream == 0 ||
	    isatty(STDOUT_FILENO)) {
		return;
	}
	buf_fmt(&b, "a file of items does not contain the table's %s%s%s; to save the definition: ",
		s->n_index == 0  ? ""
		: s->n_index > 1 ? "indexes"
				 : "index",
		s->n_index > 0 && stream ? " and " : "", stream ? "stream" : "");
	fmt_shell(&b, "itemctl describe % >%", s->table,
		  fmt_slice(&c->arena, "%.*s.table.json", SLICE_ARG(s->table)));
	buf_str(&b, "; for the whole store: itemctl backup DIR");
	ctl_note(e->ctl, "%.*s", SLICE_ARG(buf_view(&b)));
}

static void
cmd_export_tell(const struct exporting *e, struct call *c, int r)
{
	if (r == 0) {
		ctl_note(e->ctl, "exported %s%s%s", progress_items(e->items).at,
			 e->replaces ? "; they replace the content of " : "",
			 e->replaces ? e->to : "");
		tell_definition(e, c);
	} else if (stop_asked() != 0 && e->to != NULL) {
		ctl_note(e->ctl, "%s had been written; %s is unchanged",
			 progress_items(e->items).at, e->to);
	}
}

static int
cmd_export_run_export(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct export_opts *o = opts;
	struct exporting e = {
		.ctl = ctl,
		.o = o,
		.to = words->n > 1 ? words->at[1] : o->output,
		.request.type = OP_SCAN,
		.request.scan.read = {.table = slice_from(words->at[0]),
				      .index = slice_from(o->index),
				      .consistent = o->consistent,
				      .once = true},
	};
	struct describe_table_in in = {.table = slice_from(words->at[0])};
	struct describe_table_out answer = {0};

	if (words->n > 1 && o->output != NULL) {
		return call_fail(c, ERR_USAGE, "give only one of FILE and --output");
	}
	int r = check_form(c, &e);
	r = r != 0 ? r : engine_describe_table(ctl->engine, c, &in, &answer);
	if (r == 0 && o->index != NULL) {
		const struct index *found = NULL;

		r = ctl_index(c, answer.table.schema, o->index, &found);
	}
	if (r < 0) {
		return r;
	}
	e.table = &answer.table;
	progress_begin(&e.progress, ctl->quiet || (e.to == NULL && isatty(STDOUT_FILENO)), 0);
	if (o->index == NULL) {
		e.progress.total_items = answer.table.totals.items;
	}
	stop_listen();
	r = e.format == OUT_EXPORT || o->split_by != NULL ? export_write_folder(&e, c)
							  : export_write_file(&e, c);
	progress_end(&e.progress);
	cmd_export_tell(&e, c, r);
	return r;
}

const struct command cmd_export = {
	.id = COMMAND_EXPORT,
	.name = "export",
	.no_dry = "export changes nothing in the store: it takes no --dry-run",
	.usage = "TABLE [FILE] [--to FORM] [--index NAME]\n"
		 "TABLE DIR --to dynamodb-export\n"
		 "TABLE DIR --split-by ATTR [--to FORM] [--index NAME]",
	.instead = "for the whole store: itemctl backup DIR",
	.summary = "write all items of a table or index to files or standard output",
	.details =
		"FILE and DIR get their names when they are complete; DIR must not exist. Without --to,\n"
		"the suffix selects the form: .json, .csv, .tsv, .yaml, .md and .typed, otherwise JSON\n"
		"Lines; .gz compresses with gzip. An existing FILE is replaced. Memory use does not grow\n"
		"with the table. dynamodb-export writes manifests and a compressed data file in\n"
		"DynamoDB's layout for S3; import and ImportTable read it. --split-by writes VALUE.jsonl\n"
		"(.json, .csv), with %2F for a / in the value; %none.jsonl holds the items without the\n"
		"attribute; at most 1,000 values.",
	.examples = "itemctl export music songs-out.jsonl\n"
		    "itemctl export music songs-out.csv --index ByYear\n"
		    "itemctl export music songs-export --to dynamodb-export\n",
	.opts = export_opts,
	.min_words = 1,
	.max_words = 2,
	.run = cmd_export_run_export,
};
