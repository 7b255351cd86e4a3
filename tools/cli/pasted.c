/* pasted - see pasted.h */
#include "tools/cli/pasted.h"

#include "store/open.h"

#include "tools/cli/commands.h"
#include "tools/cli/synonyms.h"
#include "tools/text/fmt.h"

static const struct slice pasted_program = SLICE_INIT("itemctl ");

/* Return true if @text begins with the name of a command or an operation. */
static bool
pasted_is_command(struct slice text)
{
	char name[32];
	size_t n = 0;

	while (n < text.len && n < sizeof(name) - 1 &&
	       (ascii_word(text.at[n]) || text.at[n] == '-')) {
		name[n] = text.at[n];
		n++;
	}
	name[n] = '\0';
	return (n == text.len || ascii_blank(text.at[n])) &&
	       (commands_find(name) != NULL || synonyms_operation(name) != OP_COUNT);
}

/* Return true in a usage line: "usage: itemctl ..." or one of the lines below it. */
static bool
pasted_is_usage(struct slice message, size_t at)
{
	size_t n = at;

	while (n > 0 && message.at[n - 1] == ' ') {
		n--;
	}
	return at - n > 4 || slice_ends(slice_of(message.at, n), SLICE("usage:"));
}

/* Return true if "itemctl" is the program after "--", or begins a quoted text. */
static bool
pasted_is_inner(struct slice message, size_t at)
{
	struct slice before = slice_of(message.at, at);

	return slice_ends(before, SLICE(" -- ")) || slice_ends(before, SLICE(" '"));
}

/* The command line that @rest begins with: up to the end of the line or to another command. */
static struct slice
pasted_line(struct slice rest)
{
	const char *end = slice_chr(rest, '\n');
	size_t n = end == NULL ? rest.len : (size_t)(end - rest.at);
	const char *next = memmem(rest.at + 1, n - 1, pasted_program.at, pasted_program.len);

	return slice_of(rest.at, next == NULL ? n : (size_t)(next - rest.at));
}

static bool
pasted_has(struct slice line, const char *words)
{
	return memmem(line.at, line.len, words, strlen(words)) != NULL;
}

/* Return true if the command line already names a store. The last three options do so only for serve. */
static bool
pasted_has_store(struct slice line)
{
	static const char *const names[] = {" -s ",      " --store", " -d ",      " --endpoint",
					    " --server", " --url",   " -dbPath ", " --data-dir",
					    " --db",     " --data",  " --dir ",   " --path "};
	size_t n_names = sizeof(names) / sizeof(names[0]);
	bool has = false;

	n_names -= slice_starts(line, SLICE("itemctl serve")) ? 0 : 3;
	for (size_t i = 0; !has && i < n_names; i++) {
		has = pasted_has(line, names[i]);
	}
	return has || (slice_starts(line, SLICE("itemctl copy")) && pasted_has(line, " --from "));
}

/* Return true if @store is a directory, and neither a server nor a port. */
static bool
pasted_is_directory(const char *store)
{
	return !store_is_remote(store) && store[strspn(store, "0123456789")] != '\0';
}

/* Return true if a command line without a store begins at @at, and @store can be inserted there. */
static bool
pasted_takes(struct slice message, size_t at, const char *store)
{
	struct slice rest = slice_skip(message, at);

	if (!slice_starts(rest, pasted_program) || (at > 0 && ascii_word(message.at[at - 1])) ||
	    pasted_is_usage(message, at) || pasted_is_inner(message, at)) {
		return false;
	}
	struct slice line = pasted_line(rest);

	return !pasted_has_store(line) && pasted_is_command(slice_skip(line, pasted_program.len)) &&
	       (pasted_is_directory(store) ||
		!(slice_starts(line, SLICE("itemctl serve")) || pasted_has(line, " --port ")));
}

void
pasted_put(struct buf *out, struct slice message, const char *store)
{
	size_t from = 0;

	for (size_t at = 0; store != NULL && at < message.len; at++) {
		if (pasted_takes(message, at, store)) {
			at += pasted_program.len;
			buf_put(out, message.at + from, at - from);
			fmt_shell(out, "-s % ", slice_from(store));
			from = at;
		}
	}
	buf_slice(out, slice_skip(message, from));
}
