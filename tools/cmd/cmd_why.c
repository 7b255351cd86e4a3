/* cmd_why - why: refused operations of the mounts, and what is at a path */
#include <limits.h>

#include "store/base/system/folder.h"
#include "store/base/text/shell_word.h"
#include "store/mend/mend.h"
#include "store/open.h"

#include "tools/cli/synonyms.h"
#include "tools/cmd/cmd.h"
#include "tools/out/out.h"
#include "tools/session/ctl.h"
#include "tools/system/find_store.h"
#include "tools/text/fmt.h"
#include "tools/text/words.h"
#include "tools/why/why_log.h"
#include "tools/why/why_path.h"

/* Return true if the last component of @path is a name, and not "." or "..".  It may be the name of a symbolic link. */
static bool
cmd_why_has_name(struct slice path)
{
	return !slice_is(path, "/") && !slice_is(path, ".") && !slice_is(path, "..") &&
	       !slice_ends(path, SLICE("/.")) && !slice_ends(path, SLICE("/.."));
}

/* The directory that @path is in, as a prefix of @path, "." or "/" */
static struct slice
directory_of(struct slice path)
{
	const char *slash = slice_rchr(path, '/');

	return slash == NULL      ? SLICE(".")
	       : slash == path.at ? SLICE("/")
				  : slice_of(path.at, (size_t)(slash - path.at));
}

/* The path as the mount knows it: absolute, and without symbolic links as far as its directories exist */
static void
cmd_why_absolute(struct call *c, const char *typed, struct slice *out)
{
	struct slice path = slice_from(typed);
	char real[PATH_MAX];
	struct buf b = {.arena = &c->arena};

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
	/* The part that does not exist.  @dir may be "." or "/" without being a prefix of @path. */
	struct slice rest = slice_starts(path, dir) ? slice_skip(path, dir.len) : path;

	if (slice_is(dir, ".") && !slice_is(path, ".") && !slice_starts(path, SLICE("./"))) {
		rest = path;
	}
	while (rest.len > 0 && rest.at[0] == '/') {
		rest = slice_skip(rest, 1);
	}
	buf_str(&b, strcmp(real, "/") == 0 && rest.len > 0 ? "" : real);
	if (rest.len > 0) {
		buf_char(&b, '/');
		buf_slice(&b, rest);
	}
	*out = buf_view(&b);
}

static void
cmd_why_tell(struct ctl *ctl, struct call *c, struct slice path, struct slice sentence,
	     struct slice instead)
{
	struct attr attrs[] = {{SLICE("Path"), value_string(path)},
			       {SLICE("Message"), value_string(why_log_pasted(ctl, c, sentence))},
			       {SLICE("Instead"), value_string(why_log_pasted(ctl, c, instead))}};

	(void)out_item(&ctl->out, &(struct item){.at = attrs, .n = instead.len > 0 ? 3 : 2});
}

/* If the path has a filter with an operator of another language, print the operator to use instead. */
static void
explain_operator(struct ctl *ctl, struct call *c, struct slice path)
{
	const char *filter = strstr(slice_cstr(&c->arena, path), "/.filter/");

	if (filter != NULL) {
		filter += strlen("/.filter/");

		struct buf hint = {.arena = &c->arena};

		if (mend_foreign_put(&hint,
				     slice_of(filter, (size_t)(strchrnul(filter, '/') - filter)))) {
			cmd_why_tell(ctl, c, path, buf_view(&hint), SLICE(""));
		}
	}
}

/* Explain the path itself, if no refusal of it is open, or if it may be a mistake for another path. */
static int
cmd_why_explain(struct ctl *ctl, struct call *c, struct slice path, struct why_found found)
{
	static const struct slice none = SLICE_INIT("nothing was refused; ");
	struct why_answer why = {.written = found.written > 0};
	int r = 0;

	why_path(slice_cstr(&c->arena, path), &why);
	struct slice message = buf_view(&why.message);

	if (found.open == 0 && why.refused > 0 && why.refused < path.len) {
		r = why_log_ask_path(ctl, c, slice_of(path.at, why.refused), &found);
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

/* Return true if the word is a program: the user may have typed the whole line that failed. */
static bool
is_program(const char *word)
{
	return words_in("ls cat cp mv rm mkdir rmdir vi vim jq find touch echo grep tee head wc "
			"tail stat less nano",
			slice_from(word)) &&
	       access(word, F_OK) != 0;
}

/*
 * The path that begins with word *@i; *@i becomes the index of the first word after it.  The words of an unquoted
 * filter belong to the path.  After "PATH:", which was copied from a message, the remaining words are not paths.
 */
static const char *
path_of_words(struct call *c, const struct words *words, size_t *i)
{
	struct slice word = slice_from(words->at[(*i)++]);
	struct buf b = {.arena = &c->arena};

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

/*
 * Note how many rejected texts the store directory keeps for files called @name, or for all files if @name is empty.
 * These texts are kept longer than the lines of the mounts.  Return: whether there are any
 */
static bool
tell_kept(const struct ctl *ctl, struct call *c, struct slice name)
{
	const char *entry;
	size_t n = 0;
	struct slice b = fmt_slice(&c->arena, "%s/rejected", ctl->store);
	struct slice end = name.len > 0 ? fmt_slice(&c->arena, "-%.*s", SLICE_ARG(name)) : name;
	DIR *dir = ctl->store == NULL || store_is_remote(ctl->store) ? NULL : opendir(b.at);

	while ((entry = folder_next(dir)) != NULL) {
		n += entry[0] != '.' && slice_ends(slice_from(entry), end);
	}
	if (dir != NULL) {
		(void)closedir(dir);
	}
	if (n > 0) {
		cleanup(buf_release) struct buf shown = {0};

		shell_word(&shown, b);
		if (name.len > 0) {
			buf_str(&shown, "/*-");
			shell_word(&shown, name);
		}
		ctl_note(ctl, "%zu text%s that %s no item%s %s kept: ls -l %.*s", n,
			 n == 1 ? "" : "s", n == 1 ? "is" : "are", n == 1 ? "" : "s",
			 n == 1 ? "is" : "are", SLICE_ARG(buf_view(&shown)));
	}
	return n > 0;
}

static int
why_one(struct ctl *ctl, struct call *c, const char *typed)
{
	struct why_found found = {0};
	struct slice path;

	cmd_why_absolute(c, typed, &path);
	if (slice_ends(path, SLICE(".json.rejected"))) { /* the file that shows the rejected text */
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
	int r = why_log_ask_path(ctl, c, path, &found);

	r = r < 0 ? r : cmd_why_explain(ctl, c, path, found);
	if (r == 0 && found.lines == 0) {
		(void)tell_kept(ctl, c, slice_skip(path, directory_of(path).len + 1));
	}
	return r;
}

static int
run_why(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct why_found found = {0};
	int r = 0;

	(void)opts;
	if (words->n == 1 && synonyms_is_statement(words->at[0])) {
		struct buf line = {.arena = &c->arena};

		shell_text(&line, slice_from(words->at[0]));
		return call_fail(c, ERR_USAGE,
				 "for what a statement reads and costs: itemctl sql --explain %.*s",
				 SLICE_ARG(buf_view(&line)));
	}
	if (words->n == 0) {
		r = ctl->engine == NULL && ctl->store == NULL ? find_store_here(c, &ctl->store) : 0;
		if (r == 0 && ctl->engine == NULL && ctl->store == NULL) {
			r = find_store_beside(c, &ctl->store);
		}
		r = r < 0 ? r : why_log_ask(ctl, c, (struct slice){0}, &found);
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
	.summary = "show the last refused operations in the store's mounts, or explain a path",
	.examples = "itemctl why\n"
		    "itemctl why /mnt/Acme/Red.json\n",
	.max_words = SIZE_MAX,
	.no_store = true,
	.pages = true,
	.lists = true,
	.run = run_why,
};
