/* import_hints - suggestion for an import with files in place of the table, see hints.h */
#include <sys/stat.h>

#include "tools/advice/hints.h"
#include "tools/system/no_file.h"
#include "tools/system/source_form.h"
#include "tools/text/fmt.h"
#include "tools/text/words.h"

/* The suffix of the item files in a folder; NULL: there are none, or several suffixes, or it is no folder. */
static const char *
import_hints_suffix(const char *path)
{
	static const char *const suffixes[] = {".jsonl", ".json", ".csv", ".tsv", ".yaml"};
	cleanup(cleanup_dir) DIR *dir = opendir(path);
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
	return several ? NULL : found;
}

/* Several files, or a folder of files, in place of a table. */
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
	buf_str(out, "to create a table from each file: for f in");
	for (size_t i = 0; i < ctl->words.n; i++) {
		struct slice word = slice_from(ctl->words.at[i]);

		fmt_shell(out, " %", word);
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
	call_scope(own, 0);
	const char *file = access(word, F_OK) == 0 ? word : no_file_meant(&own, word);

	fmt_shell(out, "name the table first: itemctl import % %",
		  file == NULL ? SLICE("TABLE") : source_stem(file),
		  slice_from(file == NULL ? word : file));
	buf_str(out, file == NULL ? " [--key PK,SK]" : " --key auto");
	buf_str(out, "; for a Workbench model: itemctl create-table --from FILE --data");
	return true;
}
