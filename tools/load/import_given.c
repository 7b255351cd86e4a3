/* import_given - see import_given.h */
#include "tools/load/import_given.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/session/ctl.h"
#include "tools/system/source_form.h"
#include "tools/text/fmt.h"
#include "tools/text/words.h"

const struct words *
import_given_words(const struct ctl *ctl, struct call *c, const struct words *words,
		   const char *key)
{
	struct slice stem = source_stem(words->at[0]);
	bool suffix = stem.at[stem.len] != '\0';
	struct stat st;
	bool file = stat(words->at[0], &st) == 0 && S_ISREG(st.st_mode);

	if (words->n == 2 && (stem.len == 0 || suffix) && strpbrk(words->at[1], "./") == NULL &&
	    file && access(words->at[1], F_OK) != 0) { /* FILE TABLE */
		struct words *turned = arena_new(&c->arena, struct words, 1);

		words_add(c, turned, words->at[1]);
		words_add(c, turned, words->at[0]);
		return turned;
	}
	if (words->n != 1 || key == NULL || stem.len == 0 || !suffix || !file) {
		return words;
	}
	struct words *as = arena_new(&c->arena, struct words, 1);

	words_add(c, as, slice_cstr(&c->arena, stem));
	words_add(c, as, words->at[0]);
	struct buf line = {.arena = &c->arena};

	fmt_shell(&line, "itemctl import % % --key %", stem, slice_from(as->at[1]),
		  slice_from(key));
	ctl_note(ctl, "read as: %.*s", SLICE_ARG(buf_view(&line)));
	return as;
}

bool
import_given_csv(const struct call *c, const struct words *files)
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
import_given_numbers(const struct ctl *ctl, const struct source_csv *csv)
{
	if (csv->numbers[0] != '\0') {
		ctl_note(ctl, "%s is imported as text; to import numbers: --infer, or %s:N in %s",
			 csv->numbers, csv->numbers,
			 csv->columns == NULL ? "the header" : "--columns");
	}
}

int
import_given_null(struct call *c, struct slice table)
{
	struct stat in;
	struct stat null;

	if (fstat(STDIN_FILENO, &in) != 0 || !S_ISCHR(in.st_mode) ||
	    stat("/dev/null", &null) != 0 || in.st_rdev != null.st_rdev) {
		return 0;
	}
	return call_fail(
		c, ERR_USAGE,
		"no file is named, and standard input is /dev/null: itemctl import %s FILE",
		fmt_word(&c->arena, slice_cstr(&c->arena, table)));
}

int
import_given_infer(struct call *c, const struct words *files, const char *form)
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
