/* import_files - see import_files.h */
#include "tools/load/import_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "store/base/text/md5.h"
#include "store/base/text/unpack.h"
#include "store/model/manifest.h"

#include "tools/session/ctl.h"
#include "tools/system/no_file.h"
#include "tools/system/source_form.h"
#include "tools/text/fmt.h"
#include "tools/text/text_lines.h"
#include "tools/text/words.h"

static const char *
path_of(struct call *c, const char *dir, const char *between, struct slice name)
{
	return arena_print(&c->arena, "%s/%s%.*s", dir, between, SLICE_ARG(name));
}

/* Open a regular file.  Return: its descriptor, or an error */
static int
open_regular(struct call *c, const char *path, struct stat *st)
{
	assert(path != NULL);
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0) {
		return no_file(c, path);
	}
	if (fstat(fd, st) < 0 || !S_ISREG(st->st_mode)) {
		(void)close(fd);
		return call_fail(c, ERR_USAGE, "%s: not a file", path);
	}
	return fd;
}

/* ------------------------------------------------------------ manifests */

/* Read a regular file. */
static int
exported_read_file(struct call *c, const char *path, struct slice *out)
{
	struct stat st;
	cleanup(cleanup_fd) int fd = open_regular(c, path, &st);

	return fd < 0 ? fd : ctl_read_file(c, path, out);
}

/* Read a manifest, and compare it with its .md5 file if there is one: some tools copy only the .json file. */
static int
exported_read_manifest(struct call *c, const char *dir, const char *name, const char **path,
		       struct slice *out)
{
	const char *sum_path = path_of(c, dir, name, SLICE(".md5"));
	struct slice sum = {0};

	*path = path_of(c, dir, name, SLICE(".json"));
	int r = exported_read_file(c, *path, out);
	if (r < 0 || access(sum_path, F_OK) != 0) {
		return r;
	}
	r = exported_read_file(c, sum_path, &sum);
	return r == 0 && manifest_check_md5(c, *out, sum) < 0 ? call_prefix(c, "%s: ", *path) : r;
}

static int
check_summary(struct call *c, const char *dir, bool incremental, uint64_t *items)
{
	const char *path = path_of(c, dir, MANIFEST_SUMMARY, SLICE(".json"));
	struct slice text = {0};

	if (access(path, F_OK) != 0 && errno == ENOENT) {
		return call_fail(c, ERR_USAGE,
				 "%s: no " MANIFEST_SUMMARY
				 ".json in it; name the folder of an export "
				 "(AWSDynamoDB/ID), or files",
				 dir);
	}
	int r = exported_read_manifest(c, dir, MANIFEST_SUMMARY, &path, &text);
	if (r == 0 && manifest_check_summary(c, text, incremental, items) < 0) {
		r = call_prefix(c, "%s: ", path);
	}
	return r;
}

/* ------------------------------------------------------------ data */

/*
 * Find a data file by the last part of its key, because the export may have been copied to any place.  Incremental
 * exports share a data folder, which is beside their own folders.  @unpacked: the file has no ".gz", because it was
 * decompressed by hand
 */
static int
data_path(struct call *c, const char *dir, struct slice key, const char **out, bool *unpacked)
{
	static const char *const folders[] = {MANIFEST_DATA "/", "../" MANIFEST_DATA "/"};
	const char *slash = slice_rchr(key, '/');
	struct slice name = slash == NULL ? key : slice_skip(key, (size_t)(slash - key.at) + 1);
	struct slice plain = name;

	if (name.len == 0 || slice_is(name, ".") || slice_is(name, "..") ||
	    slice_chr(name, '\0') != NULL) {
		return call_fail(c, ERR_USAGE, "dataFileS3Key has no file name");
	}
	plain.len -= slice_ends(name, SLICE(".gz")) ? strlen(".gz") : 0;
	for (size_t i = 0; i < 4; i++) {
		*unpacked = i % 2 == 1 && plain.len < name.len;
		*out = path_of(c, dir, folders[i / 2], *unpacked ? plain : name);
		if (access(*out, F_OK) == 0) {
			return 0;
		}
	}
	*unpacked = false;
	*out = path_of(c, dir, folders[0], name); /* for the message */
	return 0;
}

/* Count the lines of a file, which may be compressed. */
static int
exported_count_lines(struct call *c, const char *path, int fd, uint64_t *out)
{
	enum { PIECE = 64 * 1024 };
	int own = lseek(fd, 0, SEEK_SET) < 0 ? -1 : dup(fd);
	struct unpack *u = own < 0 ? NULL : unpack_open(own);
	char piece[PIECE];
	char last = '\n';
	ssize_t n = u == NULL ? UNPACK_IO : 0;

	*out = 0;
	while (u != NULL && (n = unpack_read(u, piece, PIECE)) > 0) {
		for (ssize_t i = 0; i < n; i++) {
			*out += piece[i] == '\n';
		}
		last = piece[n - 1];
	}
	*out += last != '\n';
	unpack_close(u);
	return n == 0 ? 0
		      : call_fail(c, n == UNPACK_IO ? ERR_IO : ERR_USAGE,
				  "%s: it cannot be read to its end", path);
}

/* Check number of lines and checksum of a data file; the manifest has only the checksum of the compressed file. */
static int
check_data(struct call *c, const char *path, bool unpacked, const struct manifest_file *f)
{
	struct stat st = {0};
	cleanup(cleanup_fd) int fd = open_regular(c, path, &st);
	uint8_t md5[MD5_BYTES];
	uint64_t items = 0;

	if (fd < 0) {
		return fd;
	}
	int e = md5_of_file(fd, md5);

	if (e != 0) {
		return call_fail(c, ERR_IO, "%s: %s", path, strerrordesc_np(e));
	}
	if (!unpacked && memcmp(md5, f->md5, sizeof(md5)) != 0) {
		return call_fail(c, ERR_USAGE, "%s: its checksum is not that of the manifest",
				 path);
	}
	int r = exported_count_lines(c, path, fd, &items);

	return r < 0 || items == f->items
		       ? r
		       : call_fail(c, ERR_USAGE,
				   "%s: it has %lu items, but the manifest counts %lu", path,
				   (unsigned long)items, (unsigned long)f->items);
}

static int
exported_add_file(struct call *c, const char *dir, const char *manifest, struct slice line,
		  struct words *out, uint64_t *items)
{
	struct manifest_file f;
	const char *path = NULL;
	bool unpacked = false;

	int r = manifest_read_file(c, line, &f);
	r = r != 0 ? r : data_path(c, dir, f.key, &path, &unpacked);
	if (r < 0) {
		return call_prefix(c, "%s: ", manifest);
	}
	r = check_data(c, path, unpacked, &f);
	if (r == 0) {
		words_add(c, out, path);
		*items += f.items;
	}
	return r;
}

/*
 * Append the data files of the export in @dir, after they have been checked against the manifest, and the sum of their
 * items against the summary.  @incremental: an incremental export; else a full one
 */
static int
exported_files(struct call *c, const char *dir, bool incremental, struct words *out)
{
	const char *path = NULL;
	struct slice text = {0};
	uint64_t all = 0;
	uint64_t listed = 0;

	int r = check_summary(c, dir, incremental, &all);
	r = r != 0 ? r : exported_read_manifest(c, dir, MANIFEST_FILES, &path, &text);
	struct text_lines lines = {.rest = text};
	while (r == 0 && lines.rest.len > 0) {
		struct slice line = text_lines_next(&lines);

		if (ascii_trim(line).len > 0) {
			r = exported_add_file(c, dir, path, line, out, &listed);
		}
	}
	if (r == 0 && listed != all) {
		return call_fail(c, ERR_USAGE,
				 "%s: its files have %lu items, but " MANIFEST_SUMMARY
				 ".json counts %lu: lines are missing",
				 path, (unsigned long)listed, (unsigned long)all);
	}
	return r;
}

/* ------------------------------------------------------------ names of files and folders */

/* Note data files that were decompressed by hand: only their number of items was checked. */
static void
exported_say_unpacked(const struct ctl *ctl, const char *folder, const struct words *files,
		      size_t from)
{
	size_t n = 0;

	for (size_t i = from; i < files->n; i++) {
		n += !slice_ends(slice_from(files->at[i]), SLICE(".gz"));
	}
	if (n > 0) {
		ctl_note(ctl,
			 "%s: %zu of its files %s unpacked; only their items are counted, because "
			 "the manifest has no checksum of unpacked files",
			 folder, n, n == 1 ? "is" : "are");
	}
}

static int
exported_no_file(struct call *c, const char *table, const char *name)
{
	if (strncmp(name, "s3://", strlen("s3://")) != 0) {
		return no_file(c, name);
	}
	return call_fail(c, ERR_USAGE,
			 "to read from a bucket: aws s3 cp %s - | itemctl import %s; for an "
			 "export: aws s3 sync, then import its folder",
			 fmt_word(&c->arena, name), fmt_word(&c->arena, table));
}

int
import_files_find(const struct ctl *ctl, struct call *c, const char *table,
		  const struct words *named, bool apply, const char **form, struct words *out)
{
	bool folders = false;

	for (size_t i = 0; i < named->n; i++) {
		bool url = strncmp(named->at[i], "file://", strlen("file://")) == 0; /* AWS CLI */
		const char *name = named->at[i] + (url ? strlen("file://") : 0);
		bool standard = strcmp(name, "-") == 0;
		struct stat st;

		if (!standard && access(name, R_OK) != 0) {
			return exported_no_file(c, table, name);
		}
		if (!standard && stat(name, &st) == 0 && S_ISDIR(st.st_mode)) {
			size_t before = out->n;
			int r = exported_files(c, name, apply, out);

			if (r < 0) {
				return r;
			}
			exported_say_unpacked(ctl, name, out, before);
			folders = true;
		} else {
			words_add(c, out, name);
		}
	}
	if (folders && *form != NULL && source_form_named(*form) != SOURCE_EXPORT) {
		return call_fail(c, ERR_USAGE, "--from %s needs files, not folders", *form);
	}
	if (apply && *form != NULL && source_form_named(*form) != SOURCE_EXPORT) {
		return call_fail(c, ERR_USAGE, "--apply needs lines of incremental exports, not %s",
				 *form);
	}
	*form = folders || apply ? "dynamodb-export" : *form;
	return 0;
}

/* ------------------------------------------------------------ words and files that probably mean something else */

const struct words *
import_files_words(const struct ctl *ctl, struct call *c, const struct words *words,
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
import_files_csv(const struct call *c, const struct words *files)
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
import_files_numbers(const struct ctl *ctl, const struct source_csv *csv)
{
	if (csv->numbers[0] != '\0') {
		ctl_note(ctl, "%s is imported as text; to import numbers: --infer, or %s:N in %s",
			 csv->numbers, csv->numbers,
			 csv->columns == NULL ? "the header" : "--columns");
	}
}

int
import_files_null(struct call *c, struct slice table)
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
import_files_infer(struct call *c, const struct words *files, const char *form)
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
