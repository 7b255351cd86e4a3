/* special - see special.h; texts that are made when they are opened */
#include "fs/made/special.h"

#include <sys/stat.h>

#include "store/base/core/escape.h"
#include "store/base/text/json.h"
#include "store/engine/feed.h"

#include "fs/core/hub.h"
#include "fs/core/inode.h"
#include "fs/core/memory_account.h"
#include "fs/file/file.h"
#include "fs/file/scratch.h"
#include "fs/place/place.h"
#include "fs/place/place_stat.h"
#include "fs/saved/rejected.h"

#define REJECTED "rejected"

enum { STATS_BYTES = 512 }; /* size of stats.json, whatever its numbers are */

static const char readme[] =
	"This directory describes the mount. It is not part of the data, and is listed only as long as\n"
	"the store has no table.\n"
	"\n"
	"  version       the version of itemfs\n"
	"  config.json   the settings of this mount\n"
	"  stats.json    current numbers: open files, memory, changes\n"
	"  errors        your newest refused operations in this mount, oldest first: time, uid, path,\n"
	"                errno, DynamoDB's error and a message, separated by tabs; then x 3 if it was\n"
	"                refused three times, and settled if a later write of the path was accepted.\n"
	"                An errno of - means that the operation succeeded, but may be a mistake: a file\n"
	"                without the suffix, which is not an item; a key in a text that the path replaced;\n"
	"                a word in a .filter that names an attribute, and may be a text without quotes.\n"
	"                ENOENT with - means that a name does not exist and looks like a mistake: in\n"
	"                .itemfs, a table, an index, a partition, an item without the suffix, another\n"
	"                tool's name of a clause. The newest 100 are kept until they exist.\n"
	"                Common answers such as EEXIST are omitted; itemctl why PATH prints these, and\n"
	"                describes any path. itemctl why prints errors, the newest first.\n"
	"                A text is refused at the latest when its file is closed. A shell's echo ignores\n"
	"                this error: the text is then beside the item, in NAME.json.rejected\n"
	"  rejected/     the newest 100 of your texts that never became an item; more if an unmount\n"
	"                left more scratch files\n"
	"\n"
	"A table is a directory that itemctl creates, copies and removes:\n"
	"  itemctl create-table orders --key customer,date    itemctl copy orders --to new\n"
	"  itemctl drop orders --yes\n"
	"rm -r of a table deletes its items permanently and keeps the table.\n"
	"\n"
	"A partition key is a directory, and a sort key is a file in it. A table without a sort key has\n"
	"its items directly in its directory. To create a partition: mkdir PARTITION; one without items\n"
	"disappears at unmount. ls sorts by name, ls -U by the sort key: numbers by their value (2 before\n"
	"10), and .reverse from the end. In names, %XX is a byte (/, %, control characters, a leading\n"
	"dot). Writing a file puts the item, rm deletes it, mv moves it in one transaction.\n"
	"A file in a partition is a scratch file if its name starts with a dot or does not end in the\n"
	"suffix: bytes in memory, for editors. Renamed to an item's name, it becomes the item.\n"
	"Each index of a table is a read-only tree of the same items: .index/NAME/ beside the\n"
	"partitions, never listed. Its files are named INDEX-SORT-KEY::PARTITION-KEY::SORT-KEY.\n"
	"\n"
	"Queries are paths below a partition of a table or index. They are read-only and never listed:\n"
	"  .eq/V .lt/V .le/V .gt/V .ge/V .between/A/B .begins_with/V    a condition on the sort key\n"
	"  .filter/EXPR    n > 1 AND Status = \"OPEN\"\n"
	"  .project/a,b.c  .reverse  .limit/N\n"
	"They can be combined: ls -U 'PARTITION/.begins_with/2024-/.reverse/.limit/5'. At the root of a\n"
	"table or index, .shards merges partitions by sort key: '.shards/0..14/.ge/2024' or\n"
	"'.shards/OPEN#{0..14}'; .filter, .project and .limit scan all of it there:\n"
	"'.filter/Total > 100'. In a value %XX is a byte.\n"
	"The path of an invalid query does not exist; errors has the reason.\n"
	"\n"
	"In partitions, below queries, and at the root of a table or index, these files have the items:\n"
	"  .jsonl  one item per line    .json  an array    .csv  with a header    .count  the number\n"
	"A header has types where itemctl import needs them to create the same items (total:N is a\n"
	"Number, items:JSON a list or map). Names alone: sed '1s/:[A-Z]*//g' .csv\n"
	"They are read-only, show one state of the store, and have size 0 and any length:\n"
	"cat 'PARTITION/.ge/2024/.jsonl'.\n"
	"\n"
	"At the root of a table, never listed:\n"
	"  .table.json   its definition and size\n"
	"  .stream       waits for new changes and shows each as a line of JSON (cat or tail -f;\n"
	"                without a mount: itemctl tail TABLE):\n"
	"                {\"eventName\",\"seq\",\"Keys\",\"NewImage\",\"OldImage\"}\n"
	"  .stream.jsonl the changes that the table's stream has kept, in the same form\n";

static void
put_number(struct json_writer *w, const char *name, uint64_t n)
{
	json_name(w, name);
	json_uint(w, n);
}

static void
put_stats(struct mount *m, struct call *c, struct buf *out)
{
	struct json_writer w;

	(void)c;
	size_t n_files = 0;

	(void)pthread_mutex_lock(&m->files_lock);
	for (const struct file *f = m->files; f != NULL; f = f->next) {
		n_files += !scratch_is_refused(f);
	}
	(void)pthread_mutex_unlock(&m->files_lock);
	json_writer_init(&w, out, 2);
	json_open(&w, '{');
	put_number(&w, "known_names", m->inodes.n);
	put_number(&w, "files_being_written", n_files);
	put_number(&w, "empty_partitions", m->n_pending);
	put_number(&w, "bytes_kept_open", accounts_bytes(&m->accounts));
	put_number(&w, "open_streams", m->follow.n);
	put_number(&w, "newest_change", m->feed == NULL ? 0 : feed_newest(m->feed));
	put_number(&w, "requests_waiting", m->n_again);
	put_number(&w, "waits_given_up", m->feed == NULL ? 0 : feed_overdue(m->feed));
	json_close(&w);
	/*
	 * The size is constant because numbers grow between stat and open, even by the open itself: tar and rsync read
	 * as much as stat reported.
	 */
	while (out->len < STATS_BYTES - 1) {
		buf_char(out, ' ');
	}
	buf_char(out, '\n');
}

static void
put_option(struct json_writer *w, const char *name, const char *value)
{
	json_name(w, name);
	json_string(w, slice_from(value));
}

static void
put_flag(struct json_writer *w, const char *name, bool value)
{
	json_name(w, name);
	json_bool(w, value);
}

static void
put_config(struct mount *m, struct call *c, struct buf *out)
{
	struct json_writer w;

	(void)c;

	json_writer_init(&w, out, 2);
	json_open(&w, '{');
	put_option(&w, "store", m->hub->store);
	put_option(&w, "mountpoint", m->mountpoint);
	put_option(&w, "table", m->table);
	put_option(&w, "index", m->index);
	put_option(&w, "suffix", m->suffix);
	put_flag(&w, "ro", m->ro);
	put_option(&w, "ro_why", m->ro_why);
	put_flag(&w, "pretty", m->form.pretty);
	put_flag(&w, "typed", m->form.typed);
	put_flag(&w, "sync", m->sync);
	put_flag(&w, "dotdirs", m->dotdirs);
	put_flag(&w, "conflict_fail", m->conflict_fail);
	put_flag(&w, "consistent", m->consistent);
	if (m->deletes.limited) {
		put_number(&w, "max_delete", m->deletes.max);
	}
	put_number(&w, "max_read", m->max_read);
	put_number(&w, "timeout", (uint64_t)m->timeout);
	json_close(&w);
	buf_char(out, '\n');
}

/*
 * Selects lines and texts of this mount. A user who may read the store's files, as root and this process's user, sees
 * those of all users.
 */
static struct refused_reader
special_reader(const struct mount *m, const struct call *c)
{
	return (struct refused_reader){
		.mount = m->mountpoint,
		.only_own = c->uid != 0 && c->uid != geteuid(),
		.uid = c->uid,
	};
}

/* Make lines for the texts that an earlier mount left: "2026-11-20T09:01:02.345Z-000001-bad.json" */
static void
put_kept(struct mount *m, struct call *c, const struct refused_reader *reader, struct buf *out)
{
	static const size_t time = sizeof("2026-11-20T09:01:02.345Z") - 1;
	struct slice *names;
	size_t n = rejected_list(&m->hub->rejected, &c->arena, reader, &names);

	for (size_t i = 0; i < n; i++) {
		if (names[i].len > time) {
			buf_fmt(out, "%.*s\t%u\t%s/" SPECIAL_NAME "/" REJECTED "/", (int)time,
				names[i].at, c->uid, m->mountpoint);
			(void)escape_put(out, names[i], SIZE_MAX);
			buf_str(out,
				"\tEBADMSG\t-\ta text that an earlier mount refused; it is here\n");
		}
	}
}

static void
put_errors(struct mount *m, struct call *c, struct buf *out)
{
	const struct refused_reader reader = special_reader(m, c);
	struct refused_out lines;

	hub_lines(m->hub, c, &reader, &lines);
	for (size_t i = 0; i < lines.n_lines; i++) {
		buf_slice(out, lines.lines[i]);
		buf_char(out, '\n');
	}
	if (lines.n_lines == 0) {
		put_kept(m, c, &reader, out);
	}
}

static const struct {
	struct slice name;
	const char *text;
	void (*make)(struct mount *m, struct call *c, struct buf *out); /* NULL: @text */
} special_files[] = {
	{SLICE_INIT("README"), readme, NULL},
	{SLICE_INIT("config.json"), NULL, put_config},
	{SLICE_INIT("errors"), NULL, put_errors},
	{SLICE_INIT("stats.json"), NULL, put_stats},
	{SLICE_INIT("version"), "itemfs " ITEMFS_VERSION "\n", NULL},
};

enum { N_FILES = sizeof(special_files) / sizeof(special_files[0]) };

/* Return: whether @path is that of a rejected text; @name: its name. */
static bool
is_rejected(struct slice path, struct slice *name)
{
	if (!slice_starts(path, SLICE(REJECTED "/"))) {
		return false;
	}
	*name = slice_skip(path, sizeof(REJECTED));
	return true;
}

static int
stat_rejected(struct mount *m, struct call *c, struct slice name, struct attributes *out)
{
	const struct refused_reader reader = special_reader(m, c);
	struct rejected_owner owner;
	struct stat st;
	cleanup(cleanup_fd) int fd =
		rejected_open(&m->hub->rejected, &c->arena, &reader, name, &owner);

	if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		return PLACE_ABSENT;
	}
	*out = (struct attributes){
		.size = (uint64_t)st.st_size,
		.mtime_ns = (uint64_t)st.st_mtim.tv_sec * 1000000000 + (uint64_t)st.st_mtim.tv_nsec,
	};
	if (owner.mount.len > 0) {
		out->owned = true;
		out->mode = owner.mode & (S_IRUSR | S_IRGRP | S_IROTH);
		out->uid = owner.uid;
		out->gid = m->gid;
	}
	return 0;
}

/* Make the text of the file at @path, unless it is a rejected one; 0, PLACE_ABSENT */
static int
special_text(struct mount *m, struct call *c, struct slice path, struct buf *out)
{
	for (size_t i = 0; i < N_FILES; i++) {
		if (slice_eq(path, special_files[i].name)) {
			buf_slice(out, slice_from(special_files[i].text));
			if (special_files[i].make != NULL) {
				special_files[i].make(m, c, out);
			}
			return 0;
		}
	}
	return PLACE_ABSENT;
}

int
special_stat(struct mount *m, struct call *c, struct slice path, struct attributes *out)
{
	struct slice name;
	struct buf text;

	if (path.len == 0 || slice_is(path, REJECTED)) {
		*out = (struct attributes){.is_dir = true};
		return 0;
	}
	if (is_rejected(path, &name)) {
		return stat_rejected(m, c, name, out);
	}
	buf_init(&text, &c->arena);
	int r = special_text(m, c, path, &text);

	if (r == 0) {
		*out = (struct attributes){.size = text.len, .mtime_ns = c->now_ms * 1000000};
	}
	return r;
}

int
special_open(struct mount *m, struct call *c, struct slice path, struct buf *out)
{
	struct slice name;
	struct attributes attributes;

	return is_rejected(path, &name) ? stat_rejected(m, c, name, &attributes)
					: special_text(m, c, path, out);
}

/* Permission was checked at OPEN: the reader may be another process that was passed the descriptor. */
int
special_read(struct mount *m, struct call *c, struct slice path, size_t offset, size_t size,
	     struct slice *out)
{
	const struct refused_reader reader = {0};
	struct slice name;

	*out = SLICE("");
	if (!is_rejected(path, &name)) {
		return 0;
	}
	cleanup(cleanup_fd) int fd =
		rejected_open(&m->hub->rejected, &c->arena, &reader, name, NULL);

	if (fd < 0) {
		return fd == -ENOENT ? PLACE_GONE : call_fail(c, ERR_IO, "the text cannot be read");
	}
	char *at = arena_bytes(&c->arena, size);
	ssize_t n = pread(fd, at, size, (off_t)offset);

	if (n < 0) {
		return call_fail(c, ERR_IO, "the text cannot be read");
	}
	*out = slice_of(at, (size_t)n);
	return 0;
}

size_t
special_list(struct mount *m, struct call *c, struct slice path, struct slice **names)
{
	if (slice_is(path, REJECTED)) {
		const struct refused_reader reader = special_reader(m, c);

		return rejected_list(&m->hub->rejected, &c->arena, &reader, names);
	}
	*names = arena_new(&c->arena, struct slice, N_FILES + 1);
	for (size_t i = 0; i < N_FILES; i++) {
		(*names)[i] = special_files[i].name;
	}
	(*names)[N_FILES] = SLICE(REJECTED);
	return N_FILES + 1;
}

bool
special_is_dir(struct slice path, struct slice name)
{
	return path.len == 0 && slice_is(name, REJECTED);
}
