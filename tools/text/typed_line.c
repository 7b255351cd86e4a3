/* typed_line - see typed_line.h */
#include "tools/text/typed_line.h"

#include "store/base/text/near.h"
#include "store/base/text/shell_word.h"

#include "tools/text/words.h"

enum { TYPED_LINE_MAX = 1000 }; /* bytes; longer lines are not shown */

static struct {
	char **argv; /* a copy, because commands reorder the original */
	int argc;
} typed_line;

void
typed_line_keep(int argc, char **argv)
{
	assert(typed_line.argv == NULL);
	typed_line.argv = mem_array(char *, (size_t)argc + 1);
	memcpy(typed_line.argv, argv, (size_t)argc * sizeof(*argv));
	typed_line.argc = argc;
}

void
typed_line_hide(void)
{
	for (int i = 0; i < typed_line.argc; i++) {
		memset(typed_line.argv[i], 0, strlen(typed_line.argv[i]));
	}
}

/* Replace @remove arguments from @at on by the @n @words. */
static void
typed_line_splice(int at, int remove, int n, char *const *words)
{
	int argc = typed_line.argc - remove + n;
	char **argv = mem_array(char *, (size_t)argc + 1);

	assert(at + remove <= typed_line.argc);
	for (int i = 0; i < argc; i++) {
		argv[i] = i < at       ? typed_line.argv[i]
			  : i < at + n ? words[i - at]
				       : typed_line.argv[i - n + remove];
	}
	free(typed_line.argv);
	typed_line.argv = argv;
	typed_line.argc = argc;
}

/* The place of a word: argument @arg, after @at bytes */
struct typed_line_place {
	int arg;
	size_t at;
	int skip; /* an argument to leave out, or 0 */
};

/* Offset of @word, which points into @arg; SIZE_MAX if it does not */
static size_t
typed_line_offset(const char *arg, struct slice word)
{
	assert(arg != NULL);
	uintptr_t begin = (uintptr_t)arg;
	uintptr_t at = (uintptr_t)word.at;
	bool inside = at >= begin && at + word.len <= begin + strlen(arg);

	return inside ? (size_t)(at - begin) : SIZE_MAX;
}

bool
typed_line_change(const char *word, struct slice by)
{
	for (int i = 1; i < typed_line.argc; i++) {
		size_t at = typed_line_offset(typed_line.argv[i], slice_from(word));
		struct buf b = {0};

		if (at != SIZE_MAX && by.at == NULL) {
			typed_line_splice(i, 1, 0, NULL);
			return true;
		}
		if (at != SIZE_MAX && word[0] != '\0') {
			buf_put(&b, typed_line.argv[i], at);
			buf_slice(&b, by);
			buf_char(&b, '\0');
			typed_line.argv[i] = b.at; /* until the process ends */
			return true;
		}
	}
	return false;
}

/* Return true if @ch can be a part of a name. */
static bool
typed_line_joins(char ch)
{
	return ascii_word(ch) || ch == '-' || (unsigned char)ch >= 0x80;
}

/* Offset of the text @word in @arg from @at on, not as a part of a longer name; SIZE_MAX if it is not there */
static size_t
typed_line_text(struct slice arg, size_t at, struct slice word)
{
	for (; at + word.len <= arg.len; at++) {
		size_t end = at + word.len;

		if (memcmp(arg.at + at, word.at, word.len) == 0 &&
		    (at == 0 || !typed_line_joins(arg.at[at - 1])) &&
		    (end == arg.len || !typed_line_joins(arg.at[end]))) {
			return at;
		}
	}
	return SIZE_MAX;
}

/* Find the argument that @word points into, or else the only place of its text. */
static bool
typed_line_find(struct slice word, struct typed_line_place *out)
{
	int found = 0;

	for (int i = 1; i < typed_line.argc; i++) {
		out->at = typed_line_offset(typed_line.argv[i], word);
		if (out->at != SIZE_MAX) {
			out->arg = i;
			return true;
		}
	}
	for (int i = 1; i < typed_line.argc; i++) {
		struct slice arg = slice_from(typed_line.argv[i]);
		size_t at = 0;

		while ((at = typed_line_text(arg, at, word)) != SIZE_MAX) {
			*out = (struct typed_line_place){.arg = i, .at = at};
			found++;
			at += word.len;
		}
	}
	return found == 1;
}

/*
 * Return true if @by can replace @word. Quotes in @by could end a quoted text around it, so it must replace a whole
 * argument.
 */
static bool
typed_line_fits(const struct typed_line_place *place, struct slice word, struct slice by)
{
	bool whole = strlen(typed_line.argv[place->arg]) == word.len;

	return whole || (slice_chr(by, '\'') == NULL && slice_chr(by, '"') == NULL &&
			 slice_chr(by, '\\') == NULL);
}

/* Append the line with @by at @place; @raw: do not quote @by. Return: false if the line is too long */
static bool
typed_line_put(struct buf *out, const struct typed_line_place *place, struct slice word,
	       struct slice by, bool raw)
{
	assert(place->arg < typed_line.argc);
	size_t begin = out->len;

	buf_str(out, "itemctl");
	for (int i = 1; i < typed_line.argc && out->len - begin <= TYPED_LINE_MAX; i++) {
		struct slice arg = slice_from(typed_line.argv[i]);
		struct buf changed = {0};

		if (i == place->skip || (i == place->arg && raw && by.len == 0)) {
			continue;
		}
		if (i == place->arg) {
			assert(arg.at != NULL);
			buf_put(&changed, arg.at, place->at);
			buf_slice(&changed, by);
			buf_slice(&changed, slice_skip(arg, place->at + word.len));
			arg = buf_view(&changed);
		}
		buf_char(out, ' ');
		(raw && i == place->arg ? buf_slice : shell_word)(out, arg);
		buf_release(&changed);
	}
	if (out->len - begin > TYPED_LINE_MAX) {
		out->len = begin;
		return false;
	}
	return true;
}

bool
typed_line_with(struct buf *out, struct slice word, struct slice by)
{
	struct typed_line_place place = {.arg = -1};

	return (word.len == 0 ||
		(typed_line_find(word, &place) && typed_line_fits(&place, word, by))) &&
	       typed_line_put(out, &place, word, by, false);
}

bool
typed_line_words(struct buf *out, struct slice word, struct slice by)
{
	struct typed_line_place place = {.arg = -1};

	return word.len > 0 && typed_line_find(word, &place) &&
	       strncmp(typed_line.argv[place.arg - 1], "--", 2) != 0 && /* its value */
	       strlen(typed_line.argv[place.arg]) == word.len &&
	       typed_line_put(out, &place, word, by, true);
}

bool
typed_line_option(struct buf *out, struct slice word, struct slice by)
{
	struct typed_line_place place = {0};

	if (!typed_line_find(word, &place) || place.arg < 2) {
		return false;
	}
	struct slice arg = slice_from(typed_line.argv[place.arg]);
	bool inlined = place.at > 0 && arg.at[place.at - 1] == '=';
	const char *option = typed_line.argv[inlined ? place.arg : place.arg - 1];

	place.skip = inlined ? 0 : place.arg - 1;
	if (option[0] != '-' || option[1] == '\0' || place.at + word.len != arg.len ||
	    (place.at > 0 && !inlined)) {
		return false;
	}
	place.at = 0;
	return typed_line_put(out, &place, arg, by, true);
}

bool
typed_line_insert(struct buf *out, struct slice before, struct slice text)
{
	struct typed_line_place place = {.arg = 1};
	bool end = slice_is(before, "--");
	struct buf b = {0};

	while (place.arg < typed_line.argc && (end ? strcmp(typed_line.argv[place.arg], "--") != 0
						   : typed_line.argv[place.arg] != before.at)) {
		place.arg++;
	}
	if (place.arg == typed_line.argc) {
		if (!end || !typed_line_with(out, SLICE(""), SLICE(""))) {
			return false;
		}
		buf_fmt(out, " %.*s", SLICE_ARG(text));
		return true;
	}
	struct slice arg = slice_from(typed_line.argv[place.arg]);

	buf_fmt(&b, "%.*s ", SLICE_ARG(text));
	shell_word(&b, arg);
	bool put = typed_line_put(out, &place, arg, buf_view(&b), true);

	buf_release(&b);
	return put;
}

const char *
typed_line_file(const char *suffix)
{
	for (int i = typed_line.argc - 1; i > 0; i--) {
		const char *arg = typed_line.argv[i];

		if (slice_ends(slice_from(arg), slice_from(suffix))) {
			const char *equals = arg[0] == '-' ? strchr(arg, '=') : NULL;

			return equals == NULL ? arg : equals + 1;
		}
	}
	return NULL;
}

const char *
typed_line_word(int i)
{
	assert(i > 0);
	return i < typed_line.argc ? typed_line.argv[i] : NULL;
}

/* Return true if @arg is the option @name, with or without "=VALUE". */
static bool
typed_line_is(const char *arg, struct slice name)
{
	return strncmp(arg, "--", 2) == 0 && strlen(arg) >= 2 + name.len &&
	       memcmp(arg + 2, name.at, name.len) == 0 &&
	       (arg[2 + name.len] == '\0' || arg[2 + name.len] == '=');
}

/* Number of arguments after the option @i that are its values: all up to the next option, but not more than @most */
static int
typed_line_values(int i, int most)
{
	char **argv = typed_line.argv;
	int n = 0;

	while (strchr(argv[i], '=') == NULL && n < most && i + n + 1 < typed_line.argc &&
	       (argv[i + n + 1][0] != '-' || argv[i + n + 1][1] == '\0' ||
		ascii_digit(argv[i + n + 1][1]))) {
		n++;
	}
	return n;
}

/* A copy of "@before@text" that is never freed */
static char *
typed_line_own(const char *before, struct slice text)
{
	struct buf b = {0};

	buf_fmt(&b, "%s%.*s", before, SLICE_ARG(text));
	buf_char(&b, '\0');
	return b.at;
}

void
typed_line_set(struct slice option, const char *value, int most)
{
	int place = 0; /* of the option; 0 until it has one */

	for (int i = 1; i < typed_line.argc;) {
		bool same = typed_line_is(typed_line.argv[i], option);

		if (place == 0 && (same || strcmp(typed_line.argv[i], "--") == 0)) {
			place = i;
		}
		if (same) {
			typed_line_splice(i, 1 + typed_line_values(i, most), 0, NULL);
		}
		i += !same;
	}
	if (value != NULL) {
		char *words[] = {typed_line_own("--", option),
				 value[0] == '\0' ? NULL : typed_line_own("", slice_from(value))};

		typed_line_splice(place == 0 ? typed_line.argc : place, 0, words[1] == NULL ? 1 : 2,
				  words);
	}
}

const char *
typed_line_take(const char *names)
{
	for (int i = 1; i < typed_line.argc; i++) {
		char *option = typed_line.argv[i];
		size_t n = strcspn(option, "=");

		if (!words_in(names, slice_of(option, n))) {
			continue;
		}
		char *value = option[n] == '='          ? option + n + 1
			      : i + 1 < typed_line.argc ? typed_line.argv[i + 1]
							: NULL;

		(void)(option[n] != '=' && value != NULL &&
		       typed_line_change(value, (struct slice){0}));
		(void)typed_line_change(option, (struct slice){0});
		return value;
	}
	return NULL;
}

bool
typed_line_has(const char *word)
{
	int i = 1;

	while (i < typed_line.argc && strcmp(typed_line.argv[i], word) != 0) {
		i++;
	}
	return i < typed_line.argc;
}

bool
typed_line_said(struct buf *out, const char *before, struct slice word, struct slice by)
{
	size_t begin = out->len;

	buf_str(out, before);
	if (!typed_line_with(out, word, by)) {
		out->len = begin;
		return false;
	}
	return true;
}

bool
typed_line_meant(struct buf *out, const struct near *near)
{
	return typed_line_said(out, "did you mean: ", near->typed, near->best);
}

void
typed_line_near(struct buf *out, const struct near *near, const char *before)
{
	if (near->best.len > 0 &&
	    !typed_line_said(out, ": did you mean: ", near->typed, near->best)) {
		near_put(out, near, before);
	}
}

#define MUST_BE " must be "

int
typed_line_no_choice(struct call *c, const char *choices, const char *typed)
{
	struct near near = near_start(slice_from(typed));
	struct buf b = {.arena = &c->arena};

	for (const char *at = strstr(choices, MUST_BE) + strlen(MUST_BE); *at != '\0';
	     at += strspn(at, ", ")) {
		size_t n = strcspn(at, ", ");

		near_try(&near, slice_of(at, n));
		at += n;
	}
	if (strstr(choices, "csv") != NULL && words_in("xlsx xls excel ods", slice_from(typed))) {
		near.best = SLICE("csv");
	} else if (strstr(choices, "jsonl") != NULL &&
		   words_in("parquet avro orc arrow feather", slice_from(typed))) {
		near.best = SLICE("jsonl");
	}
	typed_line_near(&b, &near, "");
	return call_fail(c, ERR_USAGE, "%s, not \"%s\"%.*s", choices, typed,
			 SLICE_ARG(buf_view(&b)));
}

void
typed_line_store(const char *word)
{
	char *option[] = {(char *)"-s"};

	for (int i = 0; i < typed_line.argc; i++) {
		if (typed_line.argv[i] == word) {
			typed_line_splice(i++, 0, 1, option);
		}
	}
}
