/* seed - see seed.h */
#include "tools/load/seed.h"

#include <sys/stat.h>

#include "store/base/system/folder.h"
#include "store/base/text/json.h"
#include "store/base/text/near.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"
#include "store/model/arn.h"
#include "store/model/manifest.h"
#include "store/open.h"

#include "tools/cli/commands.h"
#include "tools/load/seed_files.h"
#include "tools/session/command.h"
#include "tools/session/ctl.h"
#include "tools/system/find_store.h"
#include "tools/system/no_file.h"
#include "tools/system/other_store.h"
#include "tools/system/source_form.h"
#include "tools/system/stop.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"

struct seeding {
	const struct seed *given;
	struct ctl *ctl; /* of serve */
	struct ctl to;   /* the new store */
	struct seed_list files;
};

/* ------------------------------------------------------------ tables and items */

static int
seed_define(struct seeding *s, struct call *c, const struct seed_file *f)
{
	struct slice from = fmt_slice(&c->arena, "--from=%s", f->path);
	const char *words[] = {from.at, "--data", "--", f->table, NULL};
	int r = command_run(&s->to, c, commands_get(COMMAND_CREATE_TABLE), words);

	return r < 0 ? call_prefix(c, "%s: ", f->path) : 0;
}

/* Return the exported table from the manifest, or else the name of the folder. */
static struct slice
seed_exported(struct call *c, const char *dir)
{
	const struct json *json = NULL;
	const struct json *arn = NULL;
	struct slice text = {0};
	int r = ctl_read_text(c, arena_print(&c->arena, "%s/" MANIFEST_SUMMARY ".json", dir),
			      &text);

	r = r < 0 ? r : json_parse(c, text, 0, &json);
	arn = r < 0 ? NULL : json_get(json, "tableArn");
	c->error = (struct error){0}; /* import reports it */
	bool named = arn != NULL && arn->type == JSON_STRING && arn_is(arn->text);

	struct slice table = named ? arn_table(arn->text) : SLICE("");

	return table.len > 0 ? table : source_stem(dir);
}

/* Append the typed line with one more option. */
static void
seed_put_more(struct buf *b, const char *option)
{
	if (!typed_line_insert(b, SLICE("--"), slice_from(option))) {
		buf_fmt(b, "itemctl serve %s ...", option);
	}
}

/* Append the typed line with FILE=TABLE for one file. */
static void
seed_put_named(struct buf *b, const struct seed_file *f, struct slice table)
{
	struct slice named = fmt_slice(b->arena, "%s=%.*s", f->path, SLICE_ARG(table));

	if (typed_line_with(b, slice_from(f->path), named)) {
		return;
	}
	struct buf option = {.arena = b->arena};

	fmt_shell(&option, "--seed %", named);
	seed_put_more(b, slice_cstr(b->arena, buf_view(&option)));
}

/* Fail because there is no such table, and suggest another line. */
static int
seed_no_table(struct call *c, const struct seed_file *f, struct slice table,
	      const struct list_tables_out *tables)
{
	struct near near = near_start(table);
	struct slice best = tables->n_names == 1 ? tables->names[0] : SLICE("TABLE");

	if (f->why != NULL && f->table == NULL && strncmp(f->why, "to convert", 10) == 0) {
		return call_fail(c, ERR_USAGE, "%s: %s", f->path, f->why);
	}
	if (f->why != NULL && f->table == NULL) {
		return call_fail(c, ERR_USAGE,
				 "%s defines no tables: %s. To read it as items of a table: "
				 "--seed %s=TABLE",
				 f->path, f->why, fmt_word(&c->arena, f->path));
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

/*
 * Find the table for an item file: the named one, or the one with the name of the file, or for "items" the only one.
 * If the store has no tables, the items create one.
 */
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

/*
 * Find the table of each item file before any is imported.  Files that failed to parse come first: one may be a broken
 * definition, which is why other files have no table.
 */
static int
seed_tables(struct seeding *s, struct call *c)
{
	int r = 0;

	for (int broken = 1; broken >= 0; broken--) {
		for (size_t i = 0; r == 0 && i < s->files.n; i++) {
			struct seed_file *f = &s->files.at[i];

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

/* Check that --infer has an effect: one of the files must be CSV. */
static int
seed_check_infer(const struct seeding *s, struct call *c)
{
	bool csv = !s->given->infer;

	for (size_t i = 0; i < s->files.n; i++) {
		csv = csv || seed_is_csv(&s->files.at[i]);
	}
	return csv ? 0 : call_fail(c, ERR_USAGE, "--infer goes with CSV: --seed FILE.csv");
}

/* Fail because the items could not create their table: the file gives no valid name, or there is no key. */
static int
seed_not_made(struct call *c, const struct seed_file *f)
{
	const char *message = c->error.message;
	struct buf b = {.arena = &c->arena};

	if (strncmp(message, "--key auto: ", 12) == 0) {
		buf_str(&b, ". To define the table by a file: ");
		seed_put_more(&b, "--seed DEFINITION");
		fmt_shell(&b,
			  ". Or replace KEY by its key: itemctl -s ./db import % % --key KEY && ",
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

	assert(!f->defines && f->table != NULL);
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
	int r = 0;

	for (size_t i = 0; r == 0 && i < s->given->files.n; i++) {
		r = seed_files_add(&s->files, c, s->given->files.at[i]);
	}
	r = r < 0 ? r : seed_check_infer(s, c);
	r = r < 0 ? r : ctl_open_store(&s->to, c, true);
	for (size_t i = 0; r == 0 && i < s->files.n; i++) {
		r = s->files.at[i].defines ? seed_define(s, c, &s->files.at[i]) : 0;
	}
	r = r < 0 ? r : seed_tables(s, c);
	for (size_t i = 0; r == 0 && i < s->files.n; i++) {
		r = s->files.at[i].defines ? 0 : seed_import(s, c, &s->files.at[i]);
		r = r < 0 ? r : stop_check(c);
	}
	engine_close(s->to.engine);
	return r;
}

/* ------------------------------------------------------------ a copy of a store */

static int
seed_no_store(struct call *c, const char *from, const char *store)
{
	struct stat st;

	if (stat(store, &st) != 0) {
		return no_file(c, from) < 0 ? call_prefix(c, "--from ") : 0;
	}
	return call_fail(c, ERR_USAGE,
			 "--from %s: neither a store nor a backup; for files: itemctl serve "
			 "--seed %s",
			 from, fmt_word(&c->arena, from));
}

/* Copy a local store by backup and restore, which take everything at one point in time; or restore a backup. */
static int
seed_restore(struct ctl *ctl, struct call *c, const char *name, const char *target)
{
	bool is_store = other_store_is(c, slice_from(name));
	struct slice beside = fmt_slice(&c->arena, "%s.backup", target);
	const char *backup = is_store ? beside.at : name;
	const char *const words[] = {"--", backup, NULL};
	struct ctl from = ctl_of_store(ctl, name);
	struct ctl to = ctl_of_store(ctl, target);
	int r = is_store ? ctl_open_store(&from, c, false) : 0;

	from.quiet = to.quiet = true;
	r = r < 0 || !is_store ? r : command_run(&from, c, commands_get(COMMAND_BACKUP), words);
	engine_close(from.engine);
	r = r < 0 ? r : command_run(&to, c, commands_get(COMMAND_RESTORE), words);
	if (is_store) {
		folder_remove(backup);
	}
	return r;
}

/* Copy each table of a server. */
static int
seed_copy(struct ctl *ctl, struct call *c, const char *name, const char *target)
{
	const char *const words[] = {OTHER_STORE_ALL, target, NULL};
	struct ctl from = ctl_of_store(ctl, name);
	struct ctl to = ctl_of_store(ctl, target);
	int r = ctl_open_store(&to, c, true); /* create it; the copies open it by its name */

	engine_close(to.engine);
	r = r < 0 ? r : ctl_open_store(&from, c, false);
	r = r < 0 ? r : command_run(&from, c, commands_get(COMMAND_COPY), words);
	engine_close(from.engine);
	return r;
}

/*
 * Create the store @target as a copy of a store, which is named as for -s, or of a backup.  The parent directory of
 * @target also gets a temporary backup.
 */
static int
seed_from(struct ctl *ctl, struct call *c, const char *name, const char *target)
{
	const char *store = NULL;
	int r = find_store(c, name, &store);

	if (r < 0) {
		return r;
	}
	if (store_is_remote(store)) {
		r = seed_copy(ctl, c, store, target);
	} else if (other_store_is(c, slice_from(store)) || find_store_has(store, "BACKUP")) {
		r = seed_restore(ctl, c, store, target);
	} else {
		return seed_no_store(c, name, store);
	}
	return r < 0 ? call_prefix(c, "--from %s: ", url_shown(&c->arena, name)) : 0;
}

/* ------------------------------------------------------------ all steps */

bool
seed_is_wanted(const struct seed *s)
{
	return s->from != NULL || s->files.n > 0;
}

int
seed_no_temp(struct call *c, const char *store)
{
	const char *word = fmt_word(&c->arena, url_shown(&c->arena, store));

	return call_fail(c, ERR_USAGE,
			 "--seed and --from fill a store in memory: leave out %s. To fill a "
			 "store on disk: itemctl -s %s create-table --from FILE, itemctl -s "
			 "%s import TABLE FILE, itemctl copy TABLE --to %s",
			 word, word, word, word);
}

/* Change the error so that neither the synopsis of serve nor the name of a DynamoDB error is printed with it. */
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
	const char *store = arena_print(&c->arena, "%s/store", base);
	struct seeding seeding = {.given = s,
				  .ctl = ctl,
				  .to = ctl_of_store(ctl, store),
				  .files = {.given = &s->files, .ctl = ctl}};
	int r = s->from == NULL ? 0 : seed_from(ctl, c, s->from, store);

	*out = store;
	r = r < 0 || s->files.n == 0 ? r : seed_files(&seeding, c);
	r = r < 0 ? r : stop_check(c); /* a signal that came meanwhile */
	return r < 0 ? seed_failed(ctl, c) : 0;
}
