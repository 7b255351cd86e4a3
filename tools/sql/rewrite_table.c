/* rewrite_table - see rewrite_table.h */
#include "tools/sql/rewrite_table.h"

#include <glob.h>

#include "store/base/text/shell_word.h"
#include "store/partiql/partiql_lex.h"

#include "tools/sql/sql_mend.h"
#include "tools/text/fmt.h"
#include "tools/text/sql_text.h"
#include "tools/text/words.h"

struct slice
rewrite_next(struct slice *text)
{
	struct slice s = ascii_trim(*text);
	size_t n = 0;

	if (s.len > 0 && (s.at[0] == '\'' || s.at[0] == '"')) {
		for (n = 1; n < s.len && s.at[n] != s.at[0]; n++) {
		}
		n += n < s.len;
	} else {
		while (n < s.len && (ascii_word(s.at[n]) || strchr(".-", s.at[n]) != NULL ||
				     (unsigned char)s.at[n] >= 0x80)) {
			n++;
		}
		n = n == 0 && s.len > 0 ? 1 : n;
	}
	*text = slice_skip(s, n);
	return slice_of(s.at, n);
}

bool
rewrite_take(struct slice *text, const char *want)
{
	struct slice rest = *text;
	struct slice words = slice_from(want);

	while (words.len > 0) {
		if (!ascii_same(rewrite_next(&rest), rewrite_next(&words))) {
			return false;
		}
	}
	*text = rest;
	return true;
}

/* Return: the offset of the first @word (or words) in @text; text.len: there is none */
static size_t
rewrite_find(struct slice text, const char *word)
{
	struct slice rest = text;

	while (rest.len > 0) {
		struct slice before = rest;

		if (rewrite_take(&rest, word)) {
			return (size_t)(before.at - text.at);
		}
		(void)rewrite_next(&rest);
	}
	return text.len;
}

struct slice
rewrite_bare(struct slice word)
{
	bool quoted = word.len > 1 && word.at[word.len - 1] == word.at[0] &&
		      (word.at[0] == '"' || word.at[0] == '\'' || word.at[0] == '`');

	return quoted ? slice_of(word.at + 1, word.len - 2) : word;
}

bool
rewrite_ends(struct slice text)
{
	text = ascii_trim(text);
	return text.len == 0 || slice_is(text, ";");
}

/* ------------------------------------------------------------ statements */

static void
rewrite_type(struct buf *out, struct slice rest)
{
	static const char numbers[] = "int integer bigint number numeric real float decimal";

	buf_str(out, words_in_any_case(numbers, rewrite_next(&rest)) ? ":N" : "");
}

/* Append the column @name with its type from the list @columns. */
static void
rewrite_column(struct buf *out, struct slice columns, struct slice name)
{
	shell_word(out, rewrite_bare(name));
	while (columns.len > 0) {
		if (slice_eq(rewrite_next(&columns), name)) {
			rewrite_type(out, columns);
			return;
		}
	}
}

/* Return the column with PRIMARY KEY, or else the first one. */
static struct slice
rewrite_primary(struct slice columns)
{
	struct slice first = {0};
	struct slice name = {0};

	for (bool begins = true; columns.len > 0;) {
		if (rewrite_take(&columns, "primary key")) {
			return name;
		}
		struct slice word = rewrite_next(&columns);

		name = begins ? word : name;
		first = first.len == 0 ? name : first;
		begins = slice_is(word, ",");
	}
	return first;
}

bool
rewrite_table_from(struct slice table, struct slice text, bool there, struct buf *out)
{
	cleanup(globfree) glob_t files = {0};
	struct slice word = rewrite_next(&text);
	struct slice rest = text;

	if (slice_starts(word, SLICE("read_")) && rewrite_take(&rest, "(")) {
		word = rewrite_next(&rest);
		text = rewrite_take(&rest, ")") ? rest : text;
	}
	bool file = word.len > 2 && (word.at[0] == '\'' || word.at[0] == '"');

	if (!file) {
		fmt_shell(out, "itemctl copy % --to %", rewrite_bare(word), rewrite_bare(table));
		return word.len > 0 && !there && rewrite_ends(text);
	}
	cleanup(buf_release) struct buf pattern = {0};

	buf_slice(&pattern, rewrite_bare(word));
	buf_char(&pattern, '\0');
	fmt_shell(out, "itemctl import %", rewrite_bare(table));
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): it reads no environment without GLOB_TILDE */
	(void)glob(pattern.at, GLOB_NOCHECK, NULL, &files);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		fmt_shell(out, " %", slice_from(files.gl_pathv[i]));
	}
	buf_str(out, there ? "" : " --key auto");
	return rewrite_ends(text);
}

bool
rewrite_table_create(struct slice text, struct buf *out)
{
	bool perhaps = rewrite_take(&text, "if not exists");
	struct slice table = rewrite_next(&text);

	if (rewrite_take(&text, "as select * from") || rewrite_take(&text, "as from")) {
		return rewrite_table_from(table, text, false, out);
	}
	if (table.len == 0 || !rewrite_take(&text, "(")) {
		return false;
	}
	struct slice columns = text;
	struct slice primary = slice_skip(text, rewrite_find(text, "primary key"));

	fmt_shell(out, "itemctl create-table % --key ", rewrite_bare(table));
	if (!rewrite_take(&primary, "primary key (")) {
		rewrite_column(out, columns, rewrite_primary(columns));
	} else {
		rewrite_column(out, columns, rewrite_next(&primary));
		if (rewrite_take(&primary, ",")) {
			buf_char(out, ',');
			rewrite_column(out, columns, rewrite_next(&primary));
		}
	}
	buf_str(out, perhaps ? " --if-not-exists" : "");
	return true;
}

/* Append (a, b) as the key of an index, with types from @columns if they are known. */
static bool
rewrite_key(struct slice *text, struct slice columns, struct buf *out)
{
	if (!rewrite_take(text, "(")) {
		return false;
	}
	rewrite_column(out, columns, rewrite_next(text));
	(void)(rewrite_take(text, "asc") || rewrite_take(text, "desc"));
	if (rewrite_take(text, ",")) {
		buf_char(out, ',');
		rewrite_column(out, columns, rewrite_next(text));
		(void)(rewrite_take(text, "asc") || rewrite_take(text, "desc"));
	}
	return rewrite_take(text, ")") && rewrite_ends(*text);
}

bool
rewrite_table_index(struct slice text, struct slice of, struct slice columns, struct buf *out)
{
	if (!rewrite_take(&text, "create index") && !rewrite_take(&text, "create unique index")) {
		return false;
	}
	(void)rewrite_take(&text, "if not exists");
	struct slice index = rewrite_bare(rewrite_next(&text));

	if (!rewrite_take(&text, "on")) {
		return false;
	}
	struct slice table = rewrite_bare(rewrite_next(&text));

	if (of.len == 0) {
		fmt_shell(out, "itemctl alter % --add-gsi %=", table, index);
	} else {
		fmt_shell(out, " --gsi %=", index);
	}
	return (of.len == 0 || slice_eq(table, of)) && rewrite_key(&text, columns, out);
}

bool
rewrite_table_drop_index(struct ctl *ctl, struct call *c, struct slice text, struct buf *out)
{
	(void)rewrite_take(&text, "if exists");
	struct slice index = rewrite_bare(rewrite_next(&text));
	struct slice table = {0};

	if (rewrite_take(&text, "on")) {
		table = rewrite_bare(rewrite_next(&text));
	} else if (ctl != NULL) {
		table = sql_mend_table_of_index(ctl, c, index);
	}
	fmt_shell(out, "itemctl alter % --drop-gsi %", table, index);
	return table.len > 0 && index.len > 0 && rewrite_ends(text);
}

bool
rewrite_table_alter(struct slice text, struct buf *out)
{
	struct slice table = rewrite_bare(rewrite_next(&text));
	cleanup(buf_release) struct buf change = {0};
	bool good = table.len > 0;

	if (rewrite_take(&text, "add index")) {
		struct slice index = rewrite_bare(rewrite_next(&text));

		fmt_shell(out, "itemctl alter % --add-gsi %=", table, index);
		return good && rewrite_key(&text, SLICE(""), out);
	}
	if (rewrite_take(&text, "rename to")) {
		struct slice name = rewrite_bare(rewrite_next(&text));

		fmt_shell(out, "itemctl copy % --to % && itemctl drop % --yes", table, name, table);
		return good && words_plain(name) && rewrite_ends(text);
	}
	if (rewrite_take(&text, "rename column") || rewrite_take(&text, "rename")) {
		struct slice old = rewrite_bare(rewrite_next(&text));

		good = good && rewrite_take(&text, "to");
		struct slice name = rewrite_bare(rewrite_next(&text));

		good = good && words_plain(old) && words_plain(name);
		buf_fmt(&change, "--filter 'attribute_exists(%.*s)' 'SET %.*s = %.*s REMOVE %.*s'",
			SLICE_ARG(old), SLICE_ARG(name), SLICE_ARG(old), SLICE_ARG(old));
	} else if (rewrite_take(&text, "drop column") || rewrite_take(&text, "drop")) {
		struct slice name = rewrite_bare(rewrite_next(&text));

		good = good && words_plain(name);
		buf_fmt(&change, "--all 'REMOVE %.*s'", SLICE_ARG(name));
	}
	fmt_shell(out, "itemctl update % ", table);
	buf_slice(out, buf_view(&change));
	return good && change.len > 0 && rewrite_ends(text);
}

#define REWRITE_FORMS "csv tsv json jsonl yaml md"

/* Parse "(header, format csv)" after COPY TO; false: there is an option that export does not have. */
static bool
rewrite_copy_options(struct slice text, struct slice *format)
{
	(void)rewrite_take(&text, "with");
	if (rewrite_ends(text)) {
		return true;
	}
	if (!rewrite_take(&text, "(")) {
		return false;
	}
	do {
		struct slice name = rewrite_next(&text);

		if (words_in_any_case("format", name)) {
			struct slice form = rewrite_bare(rewrite_next(&text));
			bool lines = slice_is(*format, "jsonl") && ascii_same(form, SLICE("json"));

			for (const char *forms = REWRITE_FORMS; *forms != '\0';) {
				struct slice one = words_in_next(&forms);

				form = ascii_same(one, form) ? one : form;
			}
			*format = lines ? *format : form;
		} else if (words_in_any_case("header", name)) {
			(void)rewrite_take(&text, "true");
		} else {
			return false;
		}
	} while (rewrite_take(&text, ","));
	return rewrite_take(&text, ")") && rewrite_ends(text);
}

bool
rewrite_table_copy(struct slice text, struct buf *out)
{
	struct lexeme open = lex(text, 0);
	size_t close = open.type == LEXEME_OPEN ? sql_text_close(text, open) : 0;
	struct slice rest = slice_skip(text, close);
	struct slice table = close > 0 ? SLICE("") : rewrite_next(&rest);
	struct slice suffix = {0};

	if (close == 0 && rewrite_take(&rest, "from")) {
		return rewrite_table_from(table, rest, false, out);
	}
	bool good = rewrite_take(&rest, "to");
	struct slice file = rewrite_bare(rewrite_next(&rest));

	for (size_t i = 0; i < file.len; i++) {
		suffix = file.at[i] == '.' ? slice_skip(file, i + 1) : suffix;
	}
	struct slice format = suffix.len > 0 ? suffix : SLICE("csv");

	good = rewrite_copy_options(rest, &format) && good;
	if (close == 0) {
		fmt_shell(out, "itemctl export % %", rewrite_bare(table), file);
		if (!slice_eq(format, suffix)) {
			buf_fmt(out, " --to %.*s", SLICE_ARG(format));
		}
	} else {
		good = good && !words_in("gz zst bz2 xz zip", suffix); /* ">" does not compress */
		buf_str(out, "itemctl sql ");
		shell_text(out, close <= open.end ? SLICE("")
						  : ascii_trim(slice_of(text.at + open.end,
									close - 1 - open.end)));
		buf_fmt(out, " --format %.*s >", SLICE_ARG(format));
		shell_word(out, file);
	}
	return good && file.len > 0 && (close == 0 || close > open.end) &&
	       words_in(REWRITE_FORMS, format);
}
