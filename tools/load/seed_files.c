/* seed_files - see seed_files.h */
#include "tools/load/seed_files.h"

#include <sys/stat.h>

#include "store/base/text/json.h"
#include "store/model/arn.h"
#include "store/model/manifest.h"

#include "tools/model/model.h"
#include "tools/session/ctl.h"
#include "tools/system/find_store.h"
#include "tools/system/no_file.h"
#include "tools/system/source_form.h"

static bool
seed_files_is_export(const char *dir)
{
	return find_store_has(dir, MANIFEST_SUMMARY ".json");
}

/* Return the table of a request, {"TableName":T,...}, {"RequestItems":{T:[...]}}, {T:[{"PutRequest":...}]}; else "". */
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

/*
 * Determine whether a file defines tables, and else the table of its items.  Do not read it if its name says that it
 * has items.
 */
static void
seed_look(struct call *c, struct seed_file *f, const struct stat *st)
{
	enum source_form form = source_form_of(f->path);
	struct slice text;

	f->exported = S_ISDIR(st->st_mode);
	if (!S_ISREG(st->st_mode)) {
		f->defines = !f->exported && f->table == NULL; /* a pipe can be read only once */
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
seed_add_file(struct seed_list *s, struct call *c, struct seed_file f, const struct stat *st)
{
	s->at = arena_room(&c->arena, s->at, s->n, &s->room);
	seed_look(c, &f, st);
	s->at[s->n++] = f;
}

/* Return true if a word FILE=TABLE names this file of a folder. */
static bool
seed_is_named(const struct seed_list *s, struct call *c, const struct stat *st)
{
	const struct words *files = s->given;

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

/* Return true for a file of a folder that is a definition, items or an export. */
static bool
seed_is_file(const char *path, const struct stat *st)
{
	static const char *const suffixes[] = {".json", ".jsonl", ".ndjson", ".csv",
					       ".tsv",  ".yaml",  ".yml",    ".template"};

	if (S_ISDIR(st->st_mode)) {
		return seed_files_is_export(path);
	}
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		if (S_ISREG(st->st_mode) && source_has_suffix(path, suffixes[i])) {
			return true;
		}
	}
	return false;
}

static int
seed_is_shown(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

static int
seed_add_folder(struct seed_list *s, struct call *c, const char *dir)
{
	struct dirent **list = NULL;
	int n = scandir(dir, &list, seed_is_shown, alphasort);
	bool cdk = find_store_has(dir,
				  "cdk.out"); /* the output of "cdk synth": only templates count */
	size_t before = s->n;
	bool named = false;
	int r = 0;

	if (n < 0) {
		return no_file(c, dir);
	}
	struct buf others = {.arena = &c->arena};
	for (int i = 0; i < n; i++) {
		const char *path = arena_print(&c->arena, "%s/%s", dir, list[i]->d_name);
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
				   "%s: it has no files of definitions or items (.json, .jsonl, "
				   ".csv, .tsv, .yaml)",
				   dir);
}

int
seed_files_add(struct seed_list *s, struct call *c, const char *word)
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
				 "--seed needs files; for standard input: --seed /dev/stdin=TABLE");
	}
	if (r != 0) {
		return no_file(c, f.path);
	}
	if (f.table != NULL && *f.table == '\0') {
		return call_fail(c, ERR_USAGE, "--seed %s: give the name of a table after \"=\"",
				 word);
	}
	if (!S_ISDIR(st.st_mode) || seed_files_is_export(f.path)) {
		seed_add_file(s, c, f, &st);
		return 0;
	}
	return f.table == NULL ? seed_add_folder(s, c, f.path)
			       : call_fail(c, ERR_USAGE,
					   "--seed %s: only a file, or the folder of an export, "
					   "has one table",
					   word);
}
