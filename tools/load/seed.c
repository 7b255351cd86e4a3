/* seed - see seed.h */
#include "tools/load/seed.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "store/base/text/json.h"
#include "store/base/text/near.h"
#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"
#include "store/model/arn.h"
#include "store/model/manifest.h"

#include "tools/cli/commands.h"
#include "tools/load/model.h"
#include "tools/load/seed_from.h"
#include "tools/session/command.h"
#include "tools/session/ctl.h"
#include "tools/system/find_store.h"
#include "tools/system/no_file.h"
#include "tools/system/source_form.h"
#include "tools/system/stop.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"

struct seed_file {
	const char *path;
	const char *table; /* that FILE=TABLE names, or NULL */
	bool defines;      /* tables; else it has items */
	bool exported;     /* it is the folder of an export */
	bool makes;        /* its items make the table */
	const char *why;   /* it defines none; NULL: that was not looked for */
};

struct seeding {
	const struct seed *given;
	struct ctl *ctl; /* of serve */
	struct ctl to;   /* the store that is made */
	struct seed_file *at;
	size_t n;
	size_t room;
};

/* ------------------------------------------------------------ which files, and what they are */

static bool
seed_is_export(const char *dir)
{
	return find_store_has(dir, MANIFEST_SUMMARY ".json");
}

/* The table of a request: {"TableName":T,...}, {"RequestItems":{T:[...]}}, {T:[{"PutRequest":...}]}; empty: it is none. */
static struct slice
seed_of_request(struct call *c, struct slice text)
{
	const struct json *json = NULL;

	if (json_parse(c, text, 0, &json) < 0) {
		return SLICE("");
	}
	const struct json *name = json_get(json, "TableName");
	const struct json *items = json_get(json, "RequestItems");
	const struct json *table = items != NULL               ? items->child
				   : json->type == JSON_OBJECT ? json->child
							       : NULL;

	if (name != NULL && name->type == JSON_STRING && json_get(json, "Item") != NULL) {
		return arn_is(name->text) ? arn_table(name->text) : name->text;
	}
	bool requests = table != NULL && table->type == JSON_ARRAY &&
			(json_get(table->child, "PutRequest") != NULL ||
			 json_get(table->child, "DeleteRequest") != NULL);

	return !requests ? SLICE("") : arn_is(table->name) ? arn_table(table->name) : table->name;
}

/* Does it define tables?  Names that only items have are not looked into. */
static void
seed_look(struct call *c, struct seed_file *f, const struct stat *st)
{
	enum source_form form = source_form_of(f->path);
	struct slice text;

	f->exported = S_ISDIR(st->st_mode);
	if (!S_ISREG(st->st_mode)) {
		f->defines = !f->exported && f->table == NULL; /* a pipe is read once */
		return;
	}
	if (source_is_packed(f->path) || form == SOURCE_CSV || st->st_size > CTL_TEXT_MAX ||
	    source_has_suffix(f->path, ".jsonl") || source_has_suffix(f->path, ".ndjson")) {
		return;
	}
	call_scope(own, c->now_ms);
	int r = ctl_read_text(&own, f->path, &text);

	r = r < 0 ? r : model_defines(&own, text, &f->defines);
	f->why = r < 0 ? slice_cstr(&c->arena, slice_from(own.error.message)) : NULL;
	struct slice table =
		f->defines || f->table != NULL ? SLICE("") : seed_of_request(&own, text);

	f->table = table.len > 0 ? slice_cstr(&c->arena, table) : f->table;
}

static void
seed_add_file(struct seeding *s, struct call *c, struct seed_file f, const struct stat *st)
{
	s->at = arena_room(&c->arena, s->at, s->n, &s->room);
	seed_look(c, &f, st);
	s->at[s->n++] = f;
}

/* FILE=TABLE is that file, and not once more what the folder has. */
static bool
seed_is_named(const struct seeding *s, struct call *c, const struct stat *st)
{
	const struct words *files = &s->given->files;

	for (size_t i = 0; i < files->n; i++) {
		const char *equals = strrchr(files->at[i], '=');
		size_t n = equals == NULL ? 0 : (size_t)(equals - files->at[i]);
		struct stat other;

		if (n > 0 && stat(slice_cstr(&c->arena, slice_of(files->at[i], n)), &other) == 0 &&
		    other.st_dev == st->st_dev && other.st_ino == st->st_ino) {
			return true;
		}
	}
	return false;
}

/* Is that, in a directory, one of the files that are meant? */
static bool
seed_is_file(const char *path, const struct stat *st)
{
	static const char *const suffixes[] = {".json", ".jsonl", ".ndjson", ".csv",
					       ".tsv",  ".yaml",  ".yml",    ".template"};

	if (S_ISDIR(st->st_mode)) {
		return seed_is_export(path);
	}
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		if (S_ISREG(st->st_mode) && source_has_suffix(path, suffixes[i])) {
			return true;
		}
	}
	return false;
}

static int
seed_compare(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int
seed_is_shown(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

static int
seed_add_folder(struct seeding *s, struct call *c, const char *dir)
{
	struct dirent **list = NULL;
	int n = scandir(dir, &list, seed_is_shown, seed_compare);
	bool cdk =
		find_store_has(dir, "cdk.out"); /* what "cdk synth" has made, with its own files */
	size_t before = s->n;
	bool named = false;
	int r = 0;

	if (n < 0) {
		return no_file(c, dir);
	}
	struct buf others = {.arena = &c->arena};
	for (int i = 0; i < n; i++) {
		const char *path = seed_path(c, dir, list[i]->d_name);
		struct stat st;

		bool there = stat(path, &st) == 0;

		if (there && S_ISDIR(st.st_mode) && strcmp(list[i]->d_name, "AWSDynamoDB") == 0) {
			r = r < 0 ? r
				  : seed_add_folder(s, c, path); /* of exports, as in a bucket */
		} else if (there && seed_is_named(s, c, &st)) {
			named = true;
		} else if (there && seed_is_file(path, &st) &&
			   (!cdk || source_has_suffix(path, ".template.json"))) {
			seed_add_file(s, c, (struct seed_file){.path = path}, &st);
		} else if (!cdk) {
			buf_fmt(&others, "%s%s", others.len == 0 ? "" : ", ", list[i]->d_name);
		}
		free(list[i]);
	}
	free(list);
	if (others.len > 0) {
		ctl_note(s->ctl, "%s: not read: %.*s", dir, SLICE_ARG(buf_view(&others)));
	}
	return r < 0 || s->n > before || named
		       ? r
		       : call_fail(c, ERR_USAGE,
				   "%s: no files of definitions or items in it (.json, "
				   ".jsonl, .csv, .tsv, .yaml)",
				   dir);
}

/* FILE, FILE=TABLE or DIR */
static int
seed_add(struct seeding *s, struct call *c, const char *word)
{
	const char *equals = strrchr(word, '=');
	struct seed_file f = {.path = word};
	struct stat st;
	int r = stat(word, &st);

	if (r != 0 && equals != NULL) {
		f.path = slice_cstr(&c->arena, slice_of(word, (size_t)(equals - word)));
		f.table = equals + 1;
		r = stat(f.path, &st);
	}
	if (strcmp(f.path, "-") == 0) {
		return call_fail(c, ERR_USAGE,
				 "--seed needs files; standard input is /dev/stdin=TABLE");
	}
	if (r != 0) {
		return no_file(c, f.path);
	}
	if (f.table != NULL && *f.table == '\0') {
		return call_fail(c, ERR_USAGE, "--seed %s: a table's name stands after \"=\"",
				 word);
	}
	if (!S_ISDIR(st.st_mode) || seed_is_export(f.path)) {
		seed_add_file(s, c, f, &st);
		return 0;
	}
	return f.table == NULL ? seed_add_folder(s, c, f.path)
			       : call_fail(c, ERR_USAGE,
					   "--seed %s: only a file, or the folder of an export, "
					   "has one table",
					   word);
}

/* ------------------------------------------------------------ tables and items */

static int
seed_define(struct seeding *s, struct call *c, const struct seed_file *f)
{
	struct slice from = fmt_slice(&c->arena, "--from=%s", f->path);
	const char *words[] = {from.at, "--data", "--", f->table, NULL};
	int r = command_run(&s->to, c, commands_get(COMMAND_CREATE_TABLE), words);

	return r < 0 ? call_prefix(c, "%s: ", f->path) : 0;
}

/* The table that was exported, as the manifest names it, or else as the folder is called. */
static struct slice
seed_exported(struct call *c, const char *dir)
{
	const struct json *json = NULL;
	const struct json *arn = NULL;
	struct slice text = {0};
	int r = ctl_read_text(c, seed_path(c, dir, MANIFEST_SUMMARY ".json"), &text);

	r = r < 0 ? r : json_parse(c, text, 0, &json);
	arn = r < 0 ? NULL : json_get(json, "tableArn");
	c->error = (struct error){0}; /* import says what is wrong with it */
	bool named = arn != NULL && arn->type == JSON_STRING && arn_is(arn->text);

	struct slice table = named ? arn_table(arn->text) : SLICE("");

	return table.len > 0 ? table : source_stem(dir);
}

/* The typed line with one more option. */
static void
seed_put_more(struct buf *b, const char *option)
{
	if (!typed_line_insert(b, SLICE("--"), slice_from(option))) {
		buf_fmt(b, "itemctl serve %s ...", option);
	}
}

/* The typed line with the table of one file. */
static void
seed_put_named(struct buf *b, const struct seed_file *f, struct slice table)
{
	struct slice named = fmt_slice(b->arena, "%s=%.*s", f->path, SLICE_ARG(table));

	if (typed_line_with(b, slice_from(f->path), named)) {
		return;
	}
	struct buf option;

	buf_init(&option, b->arena);
	fmt_shell(&option, "--seed %", named);
	seed_put_more(b, slice_cstr(b->arena, buf_view(&option)));
}

/* No table has that name: what to write instead. */
static int
seed_no_table(struct call *c, const struct seed_file *f, struct slice table,
	      const struct list_tables_out *tables)
{
	struct near near = near_start(table);
	struct slice best = tables->n_names == 1 ? tables->names[0] : SLICE("TABLE");
	struct buf file = {.arena = &c->arena};

	shell_word(&file, slice_from(f->path));
	if (f->why != NULL && f->table == NULL && strncmp(f->why, "Terraform", 9) == 0) {
		return call_fail(c, ERR_USAGE, "%s: %s", f->path, f->why);
	}
	if (f->why != NULL && f->table == NULL) {
		return call_fail(c, ERR_USAGE,
				 "%s defines no tables: %s. As items of a table it is --seed "
				 "%.*s=TABLE",
				 f->path, f->why, SLICE_ARG(buf_view(&file)));
	}
	struct buf b = {.arena = &c->arena};
	for (size_t i = 0; i < tables->n_names; i++) {
		near_try(&near, tables->names[i]);
		buf_fmt(&b, "%s%.*s", i == 0 ? "; there are " : ", ", SLICE_ARG(tables->names[i]));
	}
	buf_str(&b, ": ");
	seed_put_named(&b, f, near.best.len > 0 ? near.best : best);
	return call_fail(c, ERR_USAGE, "%s: there is no table %.*s%.*s", f->path, SLICE_ARG(table),
			 SLICE_ARG(buf_view(&b)));
}

/* The table for its items: as it is named, by its file's name, for "items" the only one; where there is none, a new one. */
static int
seed_table(struct seeding *s, struct call *c, struct seed_file *f)
{
	struct list_tables_in in = {0};
	struct list_tables_out tables = {0};
	struct slice table = f->table != NULL ? slice_from(f->table)
			     : f->exported    ? seed_exported(c, f->path)
					      : source_stem(f->path);
	bool there = ctl_readable(&s->to, c, table, NULL) == 0;
	int r = 0;

	if (!there) {
		c->error = (struct error){0};
		r = engine_list_tables(s->to.engine, c, &in, &tables);
	}
	if (r == 0 && !there && tables.n_names == 1 && f->table == NULL &&
	    slice_is(table, "items")) {
		table = tables.names[0];
		there = true;
	}
	f->makes = !there && tables.n_names == 0 && f->why == NULL;
	if (r < 0 || (!there && !f->makes)) {
		return r < 0 ? r : seed_no_table(c, f, table, &tables);
	}
	f->table = slice_cstr(&c->arena, table);
	return 0;
}

/* Each file of items has a table, before any is read; a broken definition may be why others have none. */
static int
seed_tables(struct seeding *s, struct call *c)
{
	int r = 0;

	for (int broken = 1; broken >= 0; broken--) {
		for (size_t i = 0; r == 0 && i < s->n; i++) {
			struct seed_file *f = &s->at[i];

			if (!f->defines && (f->why != NULL) == broken) {
				r = seed_table(s, c, f);
			}
		}
	}
	return r;
}

static bool
seed_is_csv(const struct seed_file *f)
{
	return !f->defines && !f->exported && source_form_of(f->path) == SOURCE_CSV;
}

/* --infer is of CSV, and one of the files must be that. */
static int
seed_check_infer(const struct seeding *s, struct call *c)
{
	bool csv = !s->given->infer;

	for (size_t i = 0; i < s->n; i++) {
		csv = csv || seed_is_csv(&s->at[i]);
	}
	return csv ? 0
		   : call_fail(c, ERR_USAGE,
			       "--infer goes with CSV: --seed FILE.csv, whose name ends so");
}

/* A table that its items were to make: its name, or its key, is none. */
static int
seed_not_made(struct call *c, const struct seed_file *f)
{
	const char *message = c->error.message;
	struct buf b = {.arena = &c->arena};

	if (strncmp(message, "--key auto: ", 12) == 0) {
		buf_str(&b, ". With a file that defines the table: ");
		seed_put_more(&b, "--seed DEFINITION");
		fmt_shell(&b,
			  ". Or, with its key for KEY: itemctl -s ./db import % % --key KEY && ",
			  slice_from(f->table), slice_from(f->path));
		seed_put_more(&b, "--from ./db");
	} else if (strncmp(message, "TableName ", 10) == 0) {
		buf_str(&b, ": ");
		seed_put_named(&b, f, SLICE("TABLE"));
	}
	c->error = (struct error){0};
	return call_fail(c, ERR_VALIDATION, "%s: %s%.*s", f->path, message,
			 SLICE_ARG(buf_view(&b)));
}

static int
seed_import(struct seeding *s, struct call *c, const struct seed_file *f)
{
	bool infer = s->given->infer && seed_is_csv(f);
	const char *words[6] = {NULL};
	size_t n = 0;

	if (infer) {
		words[n++] = "--infer";
	}
	if (f->makes) {
		words[n++] = "--key=auto";
	}
	words[n++] = "--";
	words[n++] = f->table;
	words[n] = f->path;
	ctl_note(s->ctl, "%s: items of the table %s", f->path, f->table);
	int r = command_run(&s->to, c, commands_get(COMMAND_IMPORT), words);

	return r < 0 && f->makes ? seed_not_made(c, f) : r;
}

static int
seed_files(struct seeding *s, struct call *c)
{
	const struct words *files = &s->given->files;
	int r = 0;

	for (size_t i = 0; r == 0 && i < files->n; i++) {
		r = seed_add(s, c, files->at[i]);
	}
	r = r < 0 ? r : seed_check_infer(s, c);
	r = r < 0 ? r : ctl_open_store(&s->to, c, true);
	for (size_t i = 0; r == 0 && i < s->n; i++) {
		r = s->at[i].defines ? seed_define(s, c, &s->at[i]) : 0;
	}
	r = r < 0 ? r : seed_tables(s, c);
	for (size_t i = 0; r == 0 && i < s->n; i++) {
		r = s->at[i].defines ? 0 : seed_import(s, c, &s->at[i]);
		r = r < 0 ? r : stop_check(c);
	}
	engine_close(s->to.engine);
	return r;
}

/* ------------------------------------------------------------ all of it */

bool
seed_is_wanted(const struct seed *s)
{
	return s->from != NULL || s->files.n > 0;
}

int
seed_no_temp(struct call *c, const char *store)
{
	struct buf b = {.arena = &c->arena};

	shell_word(&b, slice_from(url_shown(&c->arena, store)));
	struct slice word = buf_view(&b);

	return call_fail(c, ERR_USAGE,
			 "--seed and --from fill a store in memory: leave out %.*s. One that stays "
			 "is filled by: itemctl -s %.*s create-table --from FILE, itemctl -s %.*s "
			 "import TABLE FILE, itemctl copy TABLE --to %.*s",
			 SLICE_ARG(word), SLICE_ARG(word), SLICE_ARG(word), SLICE_ARG(word));
}

/* The synopsis of serve says nothing of what is wrong with a file, nor does DynamoDB's name of it. */
static int
seed_failed(struct ctl *ctl, struct call *c)
{
	ctl->unopened = true;
	if (c->error.code == ERR_USAGE) {
		c->error.code = ERR_VALIDATION;
	}
	return -(int)c->error.code;
}

int
seed_fill(struct ctl *ctl, struct call *c, const struct seed *s, const char *base, const char **out)
{
	const char *store = seed_path(c, base, "store");
	struct seeding seeding = {.given = s, .ctl = ctl, .to = ctl_of_store(ctl, store)};
	int r = s->from == NULL ? 0 : seed_from(ctl, c, s->from, store);

	*out = store;
	r = r < 0 || s->files.n == 0 ? r : seed_files(&seeding, c);
	r = r < 0 ? r : stop_check(c); /* a signal that was only noted */
	return r < 0 ? seed_failed(ctl, c) : 0;
}
