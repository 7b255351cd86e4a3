/*
 * cmd_why - why
 *
 * The process that owns a store answers for all of its mounts.  Those of an endpoint have nothing in
 * common: each tells in .itemfs/errors what it has refused.
 */
#include <dirent.h>
#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/core/buf.h"
#include "store/base/core/visible.h"
#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"
#include "store/mend/mend.h"
#include "store/open.h"

#include "tools/cli/pasted.h"
#include "tools/cli/synonyms.h"
#include "tools/cmd/cmd.h"
#include "tools/out/out.h"
#include "tools/session/ctl.h"
#include "tools/system/find_store.h"
#include "tools/text/fmt.h"
#include "tools/text/words.h"
#include "tools/why/why_path.h"

/* What the mounts have said of a path. */
struct found {
	size_t lines;
	size_t open;    /* of them not settled */
	size_t written; /* of these about a write: what is only not there is looked for */
};

/* Is the last component of @path a name, which may be that of a symbolic link? */
static bool
cmd_why_has_name(struct slice path)
{
	return !slice_is(path, "/") && !slice_is(path, ".") && !slice_is(path, "..") &&
	       !slice_ends(path, SLICE("/.")) && !slice_ends(path, SLICE("/.."));
}

/* The directory that @path is in. */
static struct slice
directory_of(struct slice path)
{
	const char *slash = slice_rchr(path, '/');

	return slash == NULL      ? SLICE(".")
	       : slash == path.at ? SLICE("/")
				  : slice_of(path.at, (size_t)(slash - path.at));
}

/* The path as the mount knows it: absolute, without symbolic links as far as its directories are there. */
static void
cmd_why_absolute(struct call *c, const char *typed, struct slice *out)
{
	struct slice path = slice_from(typed);
	char real[PATH_MAX];
	struct buf b;

	while (path.len > 1 && path.at[path.len - 1] == '/') {
		path.len--;
	}
	struct slice dir = cmd_why_has_name(path) ? directory_of(path) : path;

	while (realpath(slice_cstr(&c->arena, dir), real) == NULL) {
		if (slice_is(dir, ".")) { /* the working directory is gone */
			*out = path;
			return;
		}
		dir = directory_of(dir);
	}
	/* What is not there; "." and "/" may be none of the letters of @path. */
	struct slice rest = slice_starts(path, dir) ? slice_skip(path, dir.len) : path;

	if (slice_is(dir, ".") && !slice_is(path, ".") && !slice_starts(path, SLICE("./"))) {
		rest = path;
	}
	while (rest.len > 0 && rest.at[0] == '/') {
		rest = slice_skip(rest, 1);
	}
	buf_init(&b, &c->arena);
	buf_str(&b, strcmp(real, "/") == 0 && rest.len > 0 ? "" : real);
	if (rest.len > 0) {
		buf_char(&b, '/');
		buf_slice(&b, rest);
	}
	*out = buf_view(&b);
}

/* Command lines in the sentence and below it are to be pasted, and name the store where nothing else does. */
static struct slice
pasted(const struct ctl *ctl, struct call *c, struct slice text)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread */
	const char *named = getenv("ITEMFS_STORE");
	bool known = named != NULL && ctl->store != NULL && strcmp(named, ctl->store) == 0;
	struct buf b;

	buf_init(&b, &c->arena);
	pasted_put(&b, text, known ? NULL : ctl->store);
	return buf_view(&b);
}

/* The end of a line: a later write of its path was accepted. */
static const char settled[] = "\tsettled";

/*
 * A line of .itemfs/errors, see fs/saved/refused.h; "-" stands for no name of DynamoDB's, "x N" is there from the second time
 * on, "settled" is no attribute without it.
 */
static void
cmd_why_put_line(struct ctl *ctl, struct call *c, struct slice line)
{
	static const struct {
		const char *name;
		bool number;
	} fields[] = {{"Time", false},  {"Uid", true},      {"Path", false}, {"Errno", false},
		      {"Error", false}, {"Message", false}, {"Times", true}};
	enum { FIELDS = sizeof(fields) / sizeof(*fields), MESSAGE = 5 };
	struct attr attrs[FIELDS + 1];
	size_t n = 0;
	bool is_settled = slice_ends(line, slice_from(settled));

	line.len -= is_settled ? sizeof(settled) - 1 : 0;
	for (size_t i = 0; i < FIELDS && line.len > 0; i++) {
		const char *tab = slice_chr(line, '\t');
		size_t len = tab == NULL ? line.len : (size_t)(tab - line.at);
		struct slice field = slice_of(line.at, len);

		line = slice_skip(line, tab == NULL ? len : len + 1);
		if (slice_is(field, "-")) {
			continue;
		}
		if (i == FIELDS - 1 && slice_starts(field, SLICE("x "))) {
			field = slice_skip(field, 2);
		}
		attrs[n++] = (struct attr){
			.name = slice_from(fields[i].name),
			.value = {.type = fields[i].number ? VALUE_N : VALUE_S,
				  .text = i == MESSAGE ? pasted(ctl, c, field) : field},
		};
	}
	if (is_settled) {
		attrs[n++] = (struct attr){SLICE("Settled"), {.type = VALUE_BOOL, .truth = true}};
	}
	(void)out_item(&ctl->out, &(struct item){.at = attrs, .n = n});
}

/* The field with the number @n. */
static struct slice
field_of(struct slice line, size_t n)
{
	const char *tab = slice_chr(line, '\t');
	size_t len = tab == NULL ? line.len : (size_t)(tab - line.at);

	if (n == 0) {
		return slice_of(line.at, len);
	}
	return tab == NULL ? SLICE("") : field_of(slice_skip(line, len + 1), n - 1);
}

/* A remark on a file that is there no more is of no use: programs write and rename. */
static bool
cmd_why_is_over(struct call *c, struct slice line)
{
	struct stat st;

	return slice_is(field_of(line, 3), "-") &&
	       lstat(slice_cstr(&c->arena, field_of(line, 2)), &st) != 0;
}

/* A remark that the path itself has, too, and with what to type instead: fs/file/missed.h, and scratch files. */
static bool
is_of_path(struct slice line)
{
	static const char scratch[] = " is a scratch file and no item";
	static const char quoted[] = "; a text is quoted: ";
	struct slice sentence = field_of(line, 5);

	return slice_is(field_of(line, 4), "-") &&
	       (slice_is(field_of(line, 3), "ENOENT") ||
		memmem(sentence.at, sentence.len, scratch, sizeof(scratch) - 1) != NULL ||
		memmem(sentence.at, sentence.len, quoted, sizeof(quoted) - 1) != NULL);
}

/* Oldest first about a path, where one thing has led to another; of all, the newest refusals first. */
static void
put_lines(struct ctl *ctl, struct call *c, const struct refused_out *log, bool all,
	  struct found *found)
{
	for (size_t i = 0; i < log->n_lines; i++) {
		struct slice line = log->lines[all ? log->n_lines - 1 - i : i];

		if (!cmd_why_is_over(c, line) && (all || !is_of_path(line))) {
			cmd_why_put_line(ctl, c, line);
			found->lines++;
			bool is_open = !slice_ends(line, slice_from(settled));
			struct slice error = field_of(line, 3);

			found->open += is_open;
			found->written +=
				is_open && !slice_is(error, "-") && !slice_is(error, "ENOENT");
		}
	}
}

/* What is about @path, or all that is not settled if it is empty. */
static void
cmd_why_read_lines(struct call *c, FILE *errors, struct slice path, struct refused_out *out)
{
	struct slice *lines = NULL;
	size_t cap = 0;
	char *line = NULL;
	size_t room = 0;
	ssize_t len;

	/* time, uid, path, ... between tabs */
	while ((len = getline(&line, &room, errors)) > 0) {
		struct slice text = slice_of(line, (size_t)len - (line[len - 1] == '\n'));

		if (path.len == 0 ? !slice_ends(text, slice_from(settled))
				  : slice_eq(field_of(text, 2), path)) {
			lines = arena_room(&c->arena, lines, out->n_lines, &cap);
			lines[out->n_lines++] = slice_copy(&c->arena, text);
		}
	}
	free(line);
	out->lines = lines;
}

static void
ask_mount(struct ctl *ctl, struct call *c, const char *point, struct slice path,
	  struct found *found)
{
	char name[PATH_MAX];

	if (snprintf(name, sizeof(name), "%s/.itemfs/errors", point) >= (int)sizeof(name)) {
		return;
	}
	FILE *errors = fopen(name, "re");

	/* Another user's mount is none of ours. */
	if (errors != NULL) {
		struct refused_out log = {0};

		cmd_why_read_lines(c, errors, path, &log);
		put_lines(ctl, c, &log, path.len == 0, found);
		(void)fclose(errors);
	}
}

/* Without the '/' that may end a URL. */
static struct slice
plain(const char *name)
{
	struct slice s = slice_from(name);

	while (s.len > 0 && s.at[s.len - 1] == '/') {
		s.len--;
	}
	return s;
}

/* Everything that the mounts of this endpoint have refused. */
static void
ask_mounts(struct ctl *ctl, struct call *c, struct slice path, struct found *found)
{
	struct slice store = plain(url_shown(&c->arena, ctl->store));
	struct buf shown; /* the path as the lines have it */
	struct mntent entry;
	char words[2 * PATH_MAX + 1024];
	FILE *f = setmntent("/proc/self/mounts", "re");

	buf_init(&shown, &c->arena);
	(void)visible_put(&shown, path, SIZE_MAX);

	while (f != NULL && getmntent_r(f, &entry, words, sizeof(words)) != NULL) {
		if (strcmp(entry.mnt_type, "fuse.itemfs") == 0 &&
		    slice_eq(plain(entry.mnt_fsname), store)) {
			ask_mount(ctl, c, entry.mnt_dir, buf_view(&shown), found);
		}
	}
	if (f != NULL) {
		(void)endmntent(f);
	}
}

/* Everything that the mounts of this store have refused. */
static int
ask_owner(struct ctl *ctl, struct call *c, struct slice path, struct found *found)
{
	struct refused_in in = {.path = path};
	struct refused_out answer = {0};
	struct call own;

	call_open(&own, c->now_ms, CALL_BUDGET);
	int r = engine_refused(ctl->engine, &own, &in, &answer);

	if (r == -ERR_NOT_SUPPORTED || r == -ERR_UNKNOWN_OPERATION) {
		r = 0; /* nobody has it mounted, so nothing was refused */
	}
	if (r == 0) {
		put_lines(ctl, c, &answer, path.len == 0, found);
	}
	r = r < 0 ? ctl_adopt(c, &own) : 0;
	call_close(&own);
	return r;
}

static void
cmd_why_tell(struct ctl *ctl, struct call *c, struct slice path, struct slice sentence,
	     struct slice instead)
{
	struct attr attrs[] = {{SLICE("Path"), value_string(path)},
			       {SLICE("Message"), value_string(pasted(ctl, c, sentence))},
			       {SLICE("Instead"), value_string(pasted(ctl, c, instead))}};

	(void)out_item(&ctl->out, &(struct item){.at = attrs, .n = instead.len > 0 ? 3 : 2});
}

/* A filter that was refused may have an operator of another language. */
static void
explain_operator(struct ctl *ctl, struct call *c, struct slice path)
{
	const char *filter = strstr(slice_cstr(&c->arena, path), "/.filter/");

	if (filter != NULL) {
		filter += strlen("/.filter/");

		struct buf hint;

		buf_init(&hint, &c->arena);
		if (mend_foreign_put(&hint,
				     slice_of(filter, (size_t)(strchrnul(filter, '/') - filter)))) {
			cmd_why_tell(ctl, c, path, buf_view(&hint), SLICE(""));
		}
	}
}

/* Lines of the mounts; a path that is in no mount needs no store. */
static int
cmd_why_ask(struct ctl *ctl, struct call *c, struct slice path, struct found *found)
{
	int r = ctl_named_store(ctl, c);

	if (r == -ERR_USAGE && path.len > 0) {
		c->error = (struct error){0};
		ctl->unopened = false;
		return 0;
	}
	r = r < 0 ? r : ctl_open_store(ctl, c, false);
	if (r < 0) {
		return r;
	}
	if (store_is_remote(ctl->store)) {
		ask_mounts(ctl, c, path, found);
		return 0;
	}
	return ask_owner(ctl, c, path, found);
}

/* Lines of the mounts about a path.  A name that a mount refuses has its line once it was looked for. */
static int
ask_of(struct ctl *ctl, struct call *c, struct slice path, struct found *found)
{
	int r = cmd_why_ask(ctl, c, path, found);

	if (r == 0 && found->lines == 0 && access(slice_cstr(&c->arena, path), F_OK) != 0) {
		r = cmd_why_ask(ctl, c, path, found);
	}
	return r;
}

/* What the path itself says: nobody was refused, or was refused and may mean another path. */
static int
cmd_why_explain(struct ctl *ctl, struct call *c, struct slice path, struct found found)
{
	static const struct slice none = SLICE_INIT("nothing was refused; ");
	struct why_answer why = {.written = found.written > 0};
	int r = 0;

	why_path(slice_cstr(&c->arena, path), &why);
	struct slice message = buf_view(&why.message);

	if (found.open == 0 && why.refused > 0 && why.refused < path.len) {
		r = ask_of(ctl, c, slice_of(path.at, why.refused), &found);
	}
	if (found.lines > 0 && slice_starts(message, none)) {
		message = slice_skip(message, none.len);
	}
	if (found.open == 0 || why.more) {
		cmd_why_tell(ctl, c, path, message, buf_view(&why.instead));
	} else {
		explain_operator(ctl, c, path);
	}
	buf_release(&why.message);
	buf_release(&why.instead);
	return r;
}

/* A program before a path, as in the line that failed. */
static bool
is_program(const char *word)
{
	return words_in("ls cat cp mv rm mkdir rmdir vi vim jq find touch echo grep tee head wc "
			"tail stat less nano",
			slice_from(word)) &&
	       access(word, F_OK) != 0;
}

/*
 * The path that begins with the word *@i, which becomes the next one: words of a filter that was not quoted belong to it;
 * behind "PATH:", as a message was copied, is no other path.
 */
static const char *
path_of_words(struct call *c, const struct words *words, size_t *i)
{
	struct slice word = slice_from(words->at[(*i)++]);
	struct buf b;

	buf_init(&b, &c->arena);
	buf_slice(&b, word);
	if (memmem(word.at, word.len, "/.filter/", 9) != NULL) {
		while (*i < words->n && strchr(words->at[*i], '/') == NULL) {
			buf_fmt(&b, " %s", words->at[(*i)++]);
		}
	} else if (word.len > 1 && slice_ends(word, SLICE(":")) && access(word.at, F_OK) != 0) {
		b.len--;
		*i = words->n;
	}
	return slice_cstr(&c->arena, buf_view(&b));
}

/* Texts that mounts have left in a store, which are no items, survive what the mounts have said of them; of files called @name, or all. */
static bool
tell_kept(const struct ctl *ctl, struct call *c, struct slice name)
{
	struct dirent *e;
	size_t n = 0;
	struct slice b = fmt_slice(&c->arena, "%s/rejected", ctl->store);
	struct slice end = name.len > 0 ? fmt_slice(&c->arena, "-%.*s", SLICE_ARG(name)) : name;
	DIR *dir = ctl->store == NULL || store_is_remote(ctl->store) ? NULL : opendir(b.at);

	/* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody else reads this stream */
	while (dir != NULL && (e = readdir(dir)) != NULL) {
		n += e->d_name[0] != '.' && slice_ends(slice_from(e->d_name), end);
	}
	if (dir != NULL) {
		(void)closedir(dir);
	}
	if (n > 0) {
		struct buf shown = {0};

		shell_word(&shown, b);
		if (name.len > 0) {
			buf_str(&shown, "/*-");
			shell_word(&shown, name);
		}
		ctl_note(ctl, "%zu text%s that %s no item%s %s kept: ls -l %.*s", n,
			 n == 1 ? "" : "s", n == 1 ? "is" : "are", n == 1 ? "" : "s",
			 n == 1 ? "is" : "are", SLICE_ARG(buf_view(&shown)));
		buf_release(&shown);
	}
	return n > 0;
}

static int
why_one(struct ctl *ctl, struct call *c, const char *typed)
{
	struct found found = {0};
	struct slice path;

	cmd_why_absolute(c, typed, &path);
	if (slice_ends(path, SLICE(".json.rejected"))) { /* what shows the text that was refused */
		path.len -= sizeof(".rejected") - 1;
	}
	if (ctl->engine == NULL && !ctl->store_given) {
		const char *store = NULL;
		int r = find_store_at(c, typed, &store);

		if (r < 0) {
			return r;
		}
		ctl->store = store == NULL ? ctl->store : store;
	}
	int r = ask_of(ctl, c, path, &found);

	r = r < 0 ? r : cmd_why_explain(ctl, c, path, found);
	if (r == 0 && found.lines == 0) {
		(void)tell_kept(ctl, c, slice_skip(path, directory_of(path).len + 1));
	}
	return r;
}

static int
run_why(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct found found = {0};
	int r = 0;

	(void)opts;
	if (words->n == 1 && synonyms_is_statement(words->at[0])) {
		struct buf line;

		buf_init(&line, &c->arena);
		shell_text(&line, slice_from(words->at[0]));
		return call_fail(
			c, ERR_USAGE,
			"what a statement reads, and what that costs: itemctl sql --explain %.*s",
			SLICE_ARG(buf_view(&line)));
	}
	if (words->n == 0) {
		r = ctl->engine == NULL && ctl->store == NULL ? find_store_here(c, &ctl->store) : 0;
		if (r == 0 && ctl->engine == NULL && ctl->store == NULL) {
			r = find_store_beside(c, &ctl->store);
		}
		r = r < 0 ? r : cmd_why_ask(ctl, c, (struct slice){0}, &found);
		if (r == 0 && !tell_kept(ctl, c, SLICE("")) && found.lines == 0) {
			ctl_note(ctl, "nothing was refused");
		}
	}
	for (size_t i = words->n > 1 && is_program(words->at[0]); r == 0 && i < words->n;) {
		r = why_one(ctl, c, path_of_words(c, words, &i));
	}
	return r;
}

const struct command cmd_why = {
	.id = COMMAND_WHY,
	.name = "why",
	.usage = "[PATH...]",
	.summary = "the last refused operations in the store's mounts, or what is at a path",
	.examples = "itemctl why\n"
		    "itemctl why /mnt/Acme/Red.json\n",
	.max_words = SIZE_MAX,
	.no_store = true,
	.in_mount = true,
	.pages = true,
	.lists = true,
	.run = run_why,
};
