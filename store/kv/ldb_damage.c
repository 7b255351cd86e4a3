/* ldb_damage - see ldb_damage.h */
#include "store/kv/ldb_damage.h"

#include <fcntl.h>
#include <leveldb/c.h>
#include <limits.h>

#include "store/base/text/shell_word.h"
#include "store/kv/ldb_int.h"
#include "store/kv/ldb_manifest.h"
#include "store/kv/ldb_table.h"

/*
 * Follows the names of damaged files in messages. LevelDB's own repair is not mentioned: it would lose the newest
 * version of a key in a damaged block, and bring back an older or deleted one.
 */
#define LDB_DAMAGE_ADVICE "restore a backup"

enum { DAMAGES_MAX = 8, SENTENCE_BYTES = PATH_MAX + 256 };

/* Sentences about damaged files, joined; at most eight are kept. */
struct ldb_damages {
	struct buf text; /* on the heap */
	size_t n;        /* all sentences */
};

typedef enum ldb_table_state look_fn(int fd, uint64_t bytes, struct ldb_table_damage *out);

/* A walk over the files in use. */
struct looking {
	struct ldb_dir dir;
	bool copy; /* it is a copy (ldb_shadow.h), in which links lead to the tables */
	look_fn *look;
	kv_damaged_fn *tell;
	void *arg; /* of tell */
};

/* A kv_damaged_fn that adds a sentence; @arg: struct ldb_damages */
static void
ldb_damages_add(void *arg, const char *what)
{
	struct ldb_damages *d = arg;

	if (d->n < DAMAGES_MAX) {
		buf_str(&d->text, d->n > 0 ? ", " : "");
		buf_str(&d->text, what);
	} else if (d->n == DAMAGES_MAX) {
		buf_str(&d->text, " and others");
	}
	d->n++;
}

/* ------------------------------------------------------------ one file */

static int
ldb_damage_open(const struct looking *l, const char *name)
{
	return l->copy ? openat(l->dir.fd, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
		       : ldb_open_file(l->dir.fd, name);
}

/* Opens a table file and sets its name; old versions of LevelDB used the suffix ".sst". */
static int
ldb_damage_open_table(const struct looking *l, uint64_t number, char name[LDB_NAME_BYTES])
{
	(void)snprintf(name, LDB_NAME_BYTES, "%06llu.sst", (unsigned long long)number);
	int fd = ldb_damage_open(l, name);

	if (fd >= 0 || errno != ENOENT) {
		return fd;
	}
	(void)snprintf(name, LDB_NAME_BYTES, "%06llu.ldb", (unsigned long long)number);
	return ldb_damage_open(l, name);
}

static void
ldb_damage_print(char what[SENTENCE_BYTES], struct ldb_dir dir, const char *name,
		 const struct ldb_table_damage *d)
{
	int n = snprintf(what, SENTENCE_BYTES, "%s/%s is damaged at byte %lld", dir.path, name,
			 (long long)d->place);

	if (d->others > 0) {
		(void)snprintf(what + n, SENTENCE_BYTES - (size_t)n, " and in %llu other block%s",
			       (unsigned long long)d->others, d->others == 1 ? "" : "s");
	}
}

/* Checks one file and reports damage; Return: false: there is no such file */
static bool
ldb_damage_look_at(const struct looking *l, const struct ldb_file *file)
{
	char name[LDB_NAME_BYTES];
	char what[SENTENCE_BYTES];
	cleanup(cleanup_fd) int fd = ldb_damage_open_table(l, file->number, name);
	struct ldb_table_damage damage = {0};

	if (fd < 0 && errno == ENOENT) {
		return false;
	}
	switch (fd < 0 ? LDB_TABLE_FAILED : l->look(fd, file->bytes, &damage)) {
	case LDB_TABLE_WHOLE:
		return true;
	case LDB_TABLE_FAILED:
		(void)snprintf(what, sizeof(what), "%s/%s cannot be read (%s)", l->dir.path, name,
			       strerrordesc_np(errno));
		break;
	case LDB_TABLE_DAMAGED:
		ldb_damage_print(what, l->dir, name, &damage);
		break;
	}
	l->tell(l->arg, what);
	return true;
}

static void
ldb_damage_missing(const struct looking *l, uint64_t number)
{
	char what[SENTENCE_BYTES];

	(void)snprintf(what, sizeof(what), "%s/%06llu.ldb is missing", l->dir.path,
		       (unsigned long long)number);
	l->tell(l->arg, what);
}

/* ------------------------------------------------------------ all of them */

int
ldb_damage_feet(struct call *c, struct ldb_dir dir, const struct ldb_manifest *m, bool *intact)
{
	struct ldb_damages all = {.n = 0};
	struct looking l = {dir, false, ldb_table_foot, ldb_damages_add, &all};
	size_t missing = 0;
	int r = 0;

	for (size_t i = 0; i < m->n; i++) {
		if (!ldb_damage_look_at(&l, &m->files[i])) {
			ldb_damage_missing(&l, m->files[i].number);
			missing++;
		}
	}
	*intact = all.n == missing;
	if (all.n > 0) {
		r = call_fail(c, ERR_CORRUPT, "%.*s: " LDB_DAMAGE_ADVICE,
			      SLICE_ARG(buf_view(&all.text)));
	}
	buf_release(&all.text);
	return r;
}

static int
ldb_damage_manifest(struct call *c, struct ldb_dir dir, struct ldb_manifest *out)
{
	int r = ldb_manifest_read(c, dir, out);

	if (r == 1 && out->lost > 0) {
		return ldb_manifest_refuse(c, dir, out);
	}
	return r == 0 ? call_fail(c, ERR_CORRUPT, "%s/CURRENT is missing: " LDB_DAMAGE_ADVICE,
				  dir.path)
		      : r;
}

/* Reports a missing file, unless it was replaced meanwhile: then the present manifest does not have it. */
static int
ldb_damage_tell_unless_gone(struct call *c, const struct looking *l, uint64_t number)
{
	struct ldb_manifest now;
	int r = ldb_damage_manifest(c, l->dir, &now);

	for (size_t i = 0; r == 1 && i < now.n; i++) {
		if (now.files[i].number == number) {
			ldb_damage_missing(l, number);
		}
	}
	return r;
}

int
ldb_check(struct kv *kv, struct call *c, uint64_t *after, uint64_t bytes, kv_damaged_fn *tell,
	  void *arg)
{
	const struct ldb *ldb = (const struct ldb *)kv;
	/* The manifest of the original may end with an edit that was not applied to the copy. */
	const bool copy = ldb->shadow.at.fd >= 0;
	struct looking l = {
		{copy ? ldb->shadow.at.fd : ldb->lock, ldb->dir}, copy, ldb_table_check, tell, arg};
	struct ldb_manifest m;
	uint64_t read = 0;
	int r = ldb_damage_manifest(c, l.dir, &m);

	for (size_t i = 0; r == 1 && i < m.n; i++) {
		const struct ldb_file *file = &m.files[i];

		if (file->number <= *after) {
			continue;
		}
		if (read >= bytes) {
			return 1;
		}
		if (!ldb_damage_look_at(&l, file)) {
			r = ldb_damage_tell_unless_gone(c, &l, file->number);
		}
		*after = file->number;
		read += file->bytes;
	}
	return r < 0 ? r : 0;
}

/* ------------------------------------------------------------ messages of LevelDB */

void
ldb_free_text(char **text)
{
	leveldb_free(*text);
}

/* LevelDB's errors differ only in their text, which ends with that of errno. */
static enum err
error_code(const char *text)
{
	struct slice t = slice_from(text);

	if (slice_starts(t, SLICE("Corruption"))) {
		return ERR_CORRUPT;
	}
	return slice_ends(t, slice_from(strerrordesc_np(ENOSPC))) ||
			       slice_ends(t, slice_from(strerrordesc_np(EDQUOT)))
		       ? ERR_NO_SPACE
		       : ERR_IO;
}

/* Appends @why with the path of the directory in place of LDB_PINNED and its number. */
static void
put_why(struct buf *out, const char *why)
{
	const char *at = strstr(why, LDB_PINNED);
	char link[LDB_PINNED_BYTES];
	char name[PATH_MAX];

	if (at != NULL) {
		size_t n = strlen(LDB_PINNED) + strspn(at + strlen(LDB_PINNED), "0123456789");

		(void)snprintf(link, sizeof(link), "%.*s", (int)n, at);
		ssize_t len = readlink(link, name, sizeof(name));

		if (len > 0) {
			buf_put(out, why, (size_t)(at - why));
			buf_put(out, name, (size_t)len);
			why = at + n;
		}
	}
	buf_str(out, why);
}

/* Appends the command that names the damaged files of the open database @dir, which is a folder of its store. */
static void
ldb_damage_put_command(struct buf *out, const char *dir)
{
	const char *slash = strrchr(dir, '/');

	buf_fmt(out, ": a table file in %s is damaged, and \"itemctl -s ", dir);
	shell_word(out, slash == NULL ? SLICE(".") : slice_of(dir, (size_t)(slash - dir)));
	buf_str(out, " check\" names it");
}

int
ldb_fail(struct call *c, const char *dir, const char *why)
{
	enum err code = error_code(why);
	struct buf b;

	buf_init(&b, &c->arena);
	put_why(&b, why);
	if (code == ERR_CORRUPT && dir != NULL) {
		ldb_damage_put_command(&b, dir);
	}
	if (code == ERR_CORRUPT) {
		buf_str(&b, ": " LDB_DAMAGE_ADVICE);
		buf_str(&b, dir == NULL ? " with \"itemctl -s ./restored restore BACKUP\"" : "");
	}
	return call_fail(c, code, "%.*s", SLICE_ARG(buf_view(&b)));
}
