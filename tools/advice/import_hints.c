/* import_hints - see import_hints.h */
#include "tools/advice/import_hints.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/text/shell_word.h"

#include "tools/system/no_file.h"
#include "tools/system/source_form.h"
#include "tools/text/fmt.h"
#include "tools/text/words.h"

/* The suffix of the files of items in a folder; NULL: it has none, is no folder, or has files of several. */
static const char *
import_hints_suffix(const char *path)
{
	static const char *const suffixes[] = {".jsonl", ".json", ".csv", ".tsv", ".yaml"};
	DIR *dir = opendir(path);
	const char *found = NULL;
	const struct dirent *e;
	bool several = false;

	/* NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread reads it */
	while (dir != NULL && (e = readdir(dir)) != NULL) {
		struct slice name = slice_from(e->d_name);

		for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
			if (slice_ends(name, slice_from(suffixes[i]))) {
				several = several || (found != NULL && found != suffixes[i]);
				found = suffixes[i];
			}
		}
	}
	if (dir != NULL) {
		closedir(dir);
	}
	return several ? NULL : found;
}

/* Files, or a folder of files, in place of a table. */
static bool
import_hints_files(const struct ctl *ctl, struct buf *out)
{
	const char *suffix = import_hints_suffix(ctl->words.at[0]);
	bool all = ctl->words.n > 1;

	for (size_t i = 0; i < ctl->words.n; i++) {
		struct stat st;

		all = all && stat(ctl->words.at[i], &st) == 0 && S_ISREG(st.st_mode);
	}
	if (!all && (suffix == NULL || ctl->words.n > 1)) {
		return false;
	}
	buf_str(out, "a table of each file: for f in");
	for (size_t i = 0; i < ctl->words.n; i++) {
		struct slice word = slice_from(ctl->words.at[i]);

		buf_char(out, ' ');
		shell_word(out, word);
		buf_fmt(out, "%s%s%s", all || slice_ends(word, SLICE("/")) ? "" : "/",
			all ? "" : "*", all ? "" : suffix);
	}
	buf_str(out, "; do t=${f##*/}; itemctl import \"${t%%.*}\" \"$f\" --key auto; done");
	return true;
}

bool
import_hints_file(const struct ctl *ctl, enum err code, struct buf *out)
{
	const char *word = ctl->words.n > 0 ? ctl->words.at[0] : "";

	if (ctl->words.n > 0 && import_hints_files(ctl, out)) {
		return true;
	}
	if (ctl->words.n != 1 || code == ERR_USAGE) {
		return false;
	}

	if (strchr(word, '/') == NULL && strchr(word, '.') == NULL) {
		return false;
	}
	struct call own;

	call_open(&own, 0, CTL_BUDGET);
	const char *file = access(word, F_OK) == 0 ? word : no_file_meant(&own, word);

	buf_str(out, "the table comes first: itemctl import ");
	shell_word(out, file == NULL ? SLICE("TABLE") : source_stem(file));
	buf_char(out, ' ');
	shell_word(out, slice_from(file == NULL ? word : file));
	buf_str(out, file == NULL ? " [--key PK,SK]" : " --key auto");
	buf_str(out, "; a Workbench model: itemctl create-table --from FILE --data");
	call_close(&own);
	return true;
}

const struct words *
import_hints_words(const struct ctl *ctl, struct call *c, const struct words *words,
		   const char *key)
{
	struct slice stem = source_stem(words->at[0]);
	struct stat st;

	if (words->n == 2 && (stem.len == 0 || words->at[0][stem.len] != '\0') &&
	    strpbrk(words->at[1], "./") == NULL && stat(words->at[0], &st) == 0 &&
	    S_ISREG(st.st_mode) && access(words->at[1], F_OK) != 0) { /* FILE TABLE */
		struct words *turned = arena_new(&c->arena, struct words, 1);

		words_add(c, turned, words->at[1]);
		words_add(c, turned, words->at[0]);
		return turned;
	}
	if (words->n != 1 || key == NULL || stem.len == 0 || words->at[0][stem.len] == '\0' ||
	    stat(words->at[0], &st) != 0 || !S_ISREG(st.st_mode)) {
		return words;
	}
	struct words *as = arena_new(&c->arena, struct words, 1);

	as->at = arena_new(&c->arena, const char *, 2);
	as->n = 2;
	as->at[0] = slice_cstr(&c->arena, stem);
	as->at[1] = words->at[0];
	struct buf line;

	buf_init(&line, &c->arena);
	fmt_shell(&line, "itemctl import % % --key %", stem, slice_from(as->at[1]),
		  slice_from(key));
	ctl_note(ctl, "read as: %.*s", SLICE_ARG(buf_view(&line)));
	return as;
}

bool
import_hints_csv(const struct call *c, const struct words *files)
{
	FILE *f = files->n == 1 && strstr(c->error.message, " between items") != NULL
			  ? fopen(files->at[0], "re")
			  : NULL;
	char first[256] = "";
	bool is = f != NULL && fgets(first, sizeof(first), f) != NULL &&
		  strpbrk(first, "{}[]") == NULL && strpbrk(first, ",;\t") != NULL;

	if (f != NULL) {
		(void)fclose(f);
	}
	return is;
}

void
import_hints_numbers(const struct ctl *ctl, const struct source_csv *csv)
{
	if (csv->numbers[0] != '\0') {
		ctl_note(ctl,
			 "%s is imported as text: --infer takes what looks like a number as one, "
			 "or %s:N in %s",
			 csv->numbers, csv->numbers,
			 csv->columns == NULL ? "the header" : "--columns");
	}
}

int
import_hints_null(struct call *c, struct slice table)
{
	struct stat in;
	struct stat null;
	struct buf b;

	if (fstat(STDIN_FILENO, &in) != 0 || !S_ISCHR(in.st_mode) ||
	    stat("/dev/null", &null) != 0 || in.st_rdev != null.st_rdev) {
		return 0;
	}
	buf_init(&b, &c->arena);
	shell_word(&b, table);
	return call_fail(
		c, ERR_USAGE,
		"no file is named, and standard input is /dev/null: itemctl import %.*s FILE",
		SLICE_ARG(buf_view(&b)));
}

int
import_hints_infer(struct call *c, const struct words *files, const char *form)
{
	bool csv = form != NULL && source_form_named(form) == SOURCE_CSV;

	for (size_t i = 0; form == NULL && i < files->n; i++) {
		csv |= source_form_of(files->at[i]) == SOURCE_CSV;
	}
	if (csv) {
		return 0;
	}
	return call_fail(c, ERR_USAGE,
			 "--infer goes with CSV: a file whose name ends in .csv, or --from csv");
}
