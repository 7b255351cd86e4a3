/* help - tables as text */
#include "tools/help.h"

enum { COLUMN = 26 };

/* @name with @width columns, then @text. */
static void
row(struct buf *out, struct slice name, const char *text)
{
	bool fits = name.len < COLUMN - 2;

	buf_slice(out, name);
	buf_fmt(out, "%s%*s%s\n", fits ? "" : "\n", (int)(fits ? COLUMN - name.len : COLUMN), "",
		text);
}

static void
options(struct buf *out, const struct opt *opts)
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
		row(out, buf_view(&left), o->help);
		buf_release(&left);
	}
}

void
help_list(struct buf *out, const struct command *const *commands, const struct opt *global)
{
	buf_str(out, "usage: itemctl [-s STORE] [--format FORM] [--quiet] COMMAND ...\n\n"
		     "Commands:\n");
	for (size_t i = 0; commands[i] != NULL; i++) {
		struct buf left;

		buf_init(&left, NULL);
		buf_fmt(&left, "  %s", commands[i]->name);
		row(out, buf_view(&left), commands[i]->summary);
		buf_release(&left);
	}
	row(out, SLICE("  help [COMMAND]"), "this list, or everything about one command");
	buf_str(out, "\nOptions before or behind the command:\n");
	options(out, global);
	buf_str(out, "\nExit status: 0 done; 1 not found; 2 usage or validation; 3 no such table or"
		     " index;\n4 condition failed or transaction cancelled; 5 try again; 70 I/O,"
		     " corruption, internal.\n");
}

void
help_usage(struct buf *out, const struct command *command)
{
	const char *line = command->usage;

	for (size_t n = 0; line != NULL; n++) {
		const char *end = strchrnul(line, '\n');

		buf_fmt(out, "%s itemctl %s%s%.*s\n", n == 0 ? "usage:" : "      ", command->name,
			end == line ? "" : " ", (int)(end - line), line);
		line = *end == '\0' ? NULL : end + 1;
	}
}

void
help_command(struct buf *out, const struct command *command)
{
	help_usage(out, command);
	buf_fmt(out, "\n%s\n", command->summary);
	if (command->details != NULL) {
		buf_fmt(out, "\n%s\n", command->details);
	}
	if (command->opts != NULL) {
		buf_str(out, "\n");
		options(out, command->opts);
	}
}
