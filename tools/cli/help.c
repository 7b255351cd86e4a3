/* help - see help.h */
#include "tools/cli/help.h"

#include <sys/ioctl.h>

#include "tools/cli/commands.h"
#include "tools/cli/synonyms.h"
#include "tools/cli/topics.h"
#include "tools/text/words.h"

enum {
	NAMES = 20,      /* columns for names of commands and topics */
	OPTIONS = 26,    /* columns for options */
	WIDTH = 80,      /* columns of a line if there is no terminal */
	WIDTH_LEAST = 40 /* least columns of a line; a narrower terminal breaks it */
};

size_t
help_width(int fd)
{
	struct winsize size = {0};

	if (ioctl(fd, TIOCGWINSZ, &size) < 0 || size.ws_col == 0) {
		return WIDTH;
	}
	return size.ws_col < WIDTH_LEAST ? WIDTH_LEAST : size.ws_col;
}

size_t
help_word(const char *text, const char *end)
{
	const char *p = text;
	int depth = 0;

	while (p < end && ((*p != ' ' && *p != '\n') || depth > 0)) {
		depth += (*p == '[') - (*p == ']');
		p++;
	}
	return (size_t)(p - text);
}

/* Append words after the first @column columns of a line, and continue on lines that are indented by @indent. */
static void
help_wrap(struct buf *out, size_t width, const char *text, const char *end, size_t column,
	  size_t indent)
{
	while (text < end) {
		size_t n = help_word(text, end);

		if (column > indent && column + 1 + n > width) {
			buf_fmt(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			buf_char(out, ' ');
			column++;
		}
		buf_put(out, text, n);
		column += n;
		text += n + (text + n < end);
	}
	buf_char(out, '\n');
}

/* Append text: lines that begin with a blank stay unchanged, the others are wrapped as running text. */
static void
help_paragraphs(struct buf *out, size_t width, const char *line)
{
	while (*line != '\0') {
		const char *end = strchrnul(line, '\n');

		if (*line == ' ' || end == line) {
			buf_put(out, line, (size_t)(end - line));
			buf_char(out, '\n');
		} else {
			while (end[0] == '\n' && end[1] != ' ' && end[1] != '\n' &&
			       end[1] != '\0') {
				end = strchrnul(end + 1, '\n');
			}
			help_wrap(out, width, line, end, 0, 0);
		}
		line = end + (*end == '\n');
	}
}

/* Append @name in @left columns, then @text. */
static void
help_row(struct buf *out, size_t width, struct slice name, size_t left, const char *text)
{
	bool fits = name.len + 2 <= left;

	buf_slice(out, name);
	buf_fmt(out, "%s%*s", fits ? "" : "\n", (int)(fits ? left - name.len : left), "");
	help_wrap(out, width, text, text + strlen(text), left, left);
}

static void
help_named(struct buf *out, size_t width, const char *name, const char *text)
{
	cleanup(buf_release) struct buf left = {0};

	buf_fmt(&left, "  %s", name);
	help_row(out, width, buf_view(&left), NAMES, text);
}

static void
help_options(struct buf *out, size_t width, const struct opt *opts)
{
	for (const struct opt *o = opts; o->name != NULL; o++) {
		if (o->help == NULL) {
			continue;
		}
		cleanup(buf_release) struct buf left = {0};
		buf_str(&left, "  ");
		if (o->letter != 0) {
			buf_fmt(&left, "-%c, ", o->letter);
		}
		buf_fmt(&left, "--%s", o->name);
		if (o->arg != NULL) {
			buf_fmt(&left, " %s", o->arg);
		}
		help_row(out, width, buf_view(&left), OPTIONS, o->help);
	}
}

void
help_overview(struct buf *out)
{
	buf_str(out, "usage: itemctl [-s STORE] COMMAND ...\n\n");
	for (const struct help_group *g = commands_groups(); g->title != NULL; g++) {
		buf_fmt(out, "%-16s", g->title);
		for (size_t i = 0; g->commands[i] != NULL; i++) {
			buf_fmt(out, " %s", g->commands[i]->name);
		}
		buf_char(out, '\n');
	}
	buf_str(out,
		"\n"
		"  itemctl tables                      keys, indexes and sizes of the tables\n"
		"  itemctl shapes                      the kinds of items in them\n"
		"  itemctl query TABLE PK [SK]         also --begins-with V, --index NAME, --filter EXPR\n"
		"  itemctl sql 'SELECT * FROM TABLE'   also GROUP BY, INSERT, UPDATE, DELETE\n"
		"\n"
		"itemctl help: a line about each command, topics and options.\n"
		"itemctl help COMMAND: everything about one command, with examples.\n");
}

void
help_list(struct buf *out, size_t width, const struct opt *global)
{
	help_paragraphs(out, width,
			"usage: itemctl [-s STORE] [--format FORM] [--quiet] COMMAND ...\n");
	for (const struct help_group *g = commands_groups(); g->title != NULL; g++) {
		buf_fmt(out, "\n%s\n", g->title);
		for (size_t i = 0; g->commands[i] != NULL; i++) {
			help_named(out, width, g->commands[i]->name, g->commands[i]->summary);
		}
	}
	buf_str(out, "\nHelp\n");
	help_named(out, width, "help COMMAND", "everything about one command, with examples");
	for (const struct topic *t = topics; t->name != NULL; t++) {
		cleanup(buf_release) struct buf name = {0};

		buf_fmt(&name, "help %s%c", t->name, '\0');
		help_named(out, width, name.at, t->summary);
	}
	help_named(out, width, "help aliases", "words of other tools that are accepted");
	buf_str(out, "\nOptions before or after the command\n");
	help_options(out, width, global);
}

void
help_usage(struct buf *out, size_t width, const struct command *command)
{
	const char *line = command->usage;

	for (size_t n = 0; line != NULL; n++) {
		const char *end = strchrnul(line, '\n');
		size_t begin = out->len;

		buf_fmt(out, "%s itemctl %s", n == 0 ? "usage:" : "      ", command->name);
		buf_str(out, line < end ? " " : "");
		size_t column = out->len - begin;

		help_wrap(out, width, line, end, column, column);
		line = *end == '\0' ? NULL : end + 1;
	}
}

void
help_topic(struct buf *out, size_t width, const struct topic *topic)
{
	help_paragraphs(out, width, topic->text);
}

/* ------------------------------------------------------------ aliases */

/* Append the meaning of an option of another tool: "--format csv", "TABLE". */
static void
help_put_meaning(struct buf *out, const struct synonym *s)
{
	static const char *const words[] = {
		[SYNONYM_NOTHING] = "(the default)", [SYNONYM_TABLE] = "TABLE",
		[SYNONYM_PK] = "PK, or ITEM",        [SYNONYM_SK] = "SK",
		[SYNONYM_LAST] = "the last word",    [SYNONYM_UNUSED] = "(no meaning)",
	};

	if (s->kind != SYNONYM_OPTION && s->kind != SYNONYM_VALUE) {
		buf_str(out, words[s->kind]);
		return;
	}
	size_t n = strcspn(s->ours, "=");

	buf_fmt(out, "--%.*s%s%s", (int)n, s->ours, s->ours[n] == '=' ? " " : "",
		s->ours[n] == '=' ? s->ours + n + 1 : "");
}

/* Append the names of a list, separated by commas; @dashes: as options */
static void
help_put_others(struct buf *out, const char *others, bool dashes)
{
	while (*others != '\0') {
		struct slice other = words_in_next(&others);

		buf_fmt(out, "%s%.*s%s",
			!dashes          ? ""
			: other.len == 1 ? "-"
					 : "--",
			SLICE_ARG(other), *others == '\0' ? "" : ", ");
	}
}

/* Append the names of an option with their meaning and commands. */
static void
help_put_aliases(struct buf *out, size_t width, const struct synonym *s)
{
	cleanup(buf_release) struct buf left = {0};
	cleanup(buf_release) struct buf text = {0};

	buf_str(&left, "  ");
	help_put_meaning(&left, s);
	help_put_others(&text, s->others, true);
	buf_fmt(&text, "; %s%c", s->of == NULL ? "any command" : s->of, '\0');
	help_row(out, width, buf_view(&left), NAMES, text.at);
}

/* Append the other names of all commands. */
static void
help_put_commands(struct buf *out, size_t width)
{
	const struct command *command = NULL;

	while ((command = commands_next(command)) != NULL) {
		for (const struct synonym_command *s = synonyms_commands; s->others != NULL; s++) {
			cleanup(buf_release) struct buf text = {0};

			if (strcmp(s->ours, command->name) == 0) {
				help_put_others(&text, s->others, false);
				buf_char(&text, '\0');
				help_named(out, width, s->ours, text.at);
			}
		}
	}
}

void
help_aliases(struct buf *out, size_t width)
{
	help_paragraphs(
		out, width,
		"Other names of commands; also operations of the API, such as put-item, put_item "
		"or PutItem\n");
	help_put_commands(out, width);
	buf_char(out, '\n');
	help_paragraphs(out, width,
			"Other names of options and words, and the commands that have them\n");
	for (const struct synonym *s = synonyms_options; s->others != NULL; s++) {
		if (s->kind < SYNONYM_LINE) { /* accepted, rather than refused with a suggestion */
			help_put_aliases(out, width, s);
		}
	}
}

/* ------------------------------------------------------------ a command */

static void
help_examples(struct buf *out, const char *line)
{
	buf_str(out, "\nExamples:\n");
	while (*line != '\0') {
		const char *end = strchrnul(line, '\n');

		buf_fmt(out, "  %.*s\n", (int)(end - line), line);
		line = end + (*end == '\n');
	}
}

void
help_command(struct buf *out, size_t width, const struct command *command)
{
	help_usage(out, width, command);
	buf_char(out, '\n');
	help_paragraphs(out, width, command->summary);
	if (command->details != NULL) {
		buf_char(out, '\n');
		help_paragraphs(out, width, command->details);
	}
	if (command->opts != NULL) {
		buf_str(out, "\n");
		help_options(out, width, command->opts);
	}
	if (command->examples != NULL) {
		help_examples(out, command->examples);
	}
}
