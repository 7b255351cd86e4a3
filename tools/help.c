/* help - tables as text of 80 columns */
#include "tools/help.h"

enum {
	WIDTH = 80,
	NAMES = 20,   /* columns of names of commands and topics */
	OPTIONS = 26, /* of options */
};

/* Up to the first blank or newline that is in no brackets. */
static size_t
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

/* Words behind what stands in the line already, @column columns; those that do not fit go on below, @indent to the right. */
static void
help_wrap(struct buf *out, const char *text, const char *end, size_t column, size_t indent)
{
	while (text < end) {
		size_t n = help_word(text, end);

		if (column > indent && column + 1 + n > WIDTH) {
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

/* @name with @width columns, then @text. */
static void
help_row(struct buf *out, struct slice name, size_t width, const char *text)
{
	bool fits = name.len + 2 <= width;

	buf_slice(out, name);
	buf_fmt(out, "%s%*s", fits ? "" : "\n", (int)(fits ? width - name.len : width), "");
	help_wrap(out, text, text + strlen(text), width, width);
}

static void
help_named(struct buf *out, const char *name, const char *text)
{
	struct buf left;

	buf_init(&left, NULL);
	buf_fmt(&left, "  %s", name);
	help_row(out, buf_view(&left), NAMES, text);
	buf_release(&left);
}

static void
help_options(struct buf *out, const struct opt *opts)
{
	for (const struct opt *o = opts; o->name != NULL; o++) {
		struct buf left;

		if (o->help == NULL) {
			continue;
		}
		buf_init(&left, NULL);
		buf_str(&left, "  ");
		if (o->letter != 0) {
			buf_fmt(&left, "-%c, ", o->letter);
		}
		buf_fmt(&left, "--%s", o->name);
		if (o->arg != NULL) {
			buf_fmt(&left, " %s", o->arg);
		}
		help_row(out, buf_view(&left), OPTIONS, o->help);
		buf_release(&left);
	}
}

void
help_list(struct buf *out, const struct help_group *groups, const struct opt *global)
{
	buf_str(out, "usage: itemctl [-s STORE] [--format FORM] [--quiet] COMMAND ...\n");
	for (const struct help_group *g = groups; g->title != NULL; g++) {
		buf_fmt(out, "\n%s\n", g->title);
		for (size_t i = 0; g->commands[i] != NULL; i++) {
			help_named(out, g->commands[i]->name, g->commands[i]->summary);
		}
	}
	buf_str(out, "\nHelp\n");
	help_named(out, "help COMMAND", "everything about one command, with examples");
	for (const struct topic *t = topics; t->name != NULL; t++) {
		struct buf name;

		buf_init(&name, NULL);
		buf_fmt(&name, "help %s%c", t->name, '\0');
		help_named(out, name.at, t->summary);
		buf_release(&name);
	}
	buf_str(out, "\nOptions before or behind the command\n");
	help_options(out, global);
}

void
help_usage(struct buf *out, const struct command *command)
{
	const char *line = command->usage;

	for (size_t n = 0; line != NULL; n++) {
		const char *end = strchrnul(line, '\n');
		size_t begin = out->len;

		buf_fmt(out, "%s itemctl %s", n == 0 ? "usage:" : "      ", command->name);
		buf_str(out, line < end ? " " : "");
		size_t column = out->len - begin;

		help_wrap(out, line, end, column, column);
		line = *end == '\0' ? NULL : end + 1;
	}
}

/* Lines that begin with a blank stay as they are; the others are running text. */
static void
help_paragraphs(struct buf *out, const char *line)
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
			help_wrap(out, line, end, 0, 0);
		}
		line = end + (*end == '\n');
	}
}

void
help_topic(struct buf *out, const struct topic *topic)
{
	help_paragraphs(out, topic->text);
}

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
help_command(struct buf *out, const struct command *command)
{
	help_usage(out, command);
	buf_fmt(out, "\n%s\n", command->summary);
	if (command->details != NULL) {
		buf_char(out, '\n');
		help_paragraphs(out, command->details);
	}
	if (command->opts != NULL) {
		buf_str(out, "\n");
		help_options(out, command->opts);
	}
	if (command->examples != NULL) {
		help_examples(out, command->examples);
	}
}
