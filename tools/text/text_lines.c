/* text_lines - see text_lines.h */
#include "tools/text/text_lines.h"

struct slice
text_lines_next(struct text_lines *t)
{
	const char *end = slice_chr(t->rest, '\n');
	size_t n = end == NULL ? t->rest.len : (size_t)(end - t->rest.at);
	struct slice line = slice_of(t->rest.at, n);

	t->rest = slice_skip(t->rest, end == NULL ? n : n + 1);
	t->line++;
	return line;
}

void
text_put_place(struct buf *out, const struct text_origin *o, int line)
{
	if (o->file == NULL) {
		buf_fmt(out, "line %d: ", line);
	} else {
		buf_fmt(out, "%s:%d: ", o->file, line);
	}
}

int
text_at(struct call *c, struct text_origin *o, int line)
{
	if (o->told) {
		return -(int)c->error.code;
	}
	struct buf place = {.arena = &c->arena};
	text_put_place(&place, o, line);
	o->told = true;
	return call_prefix(c, "%.*s", SLICE_ARG(buf_view(&place)));
}

size_t
text_indent(struct slice line)
{
	size_t n = 0;

	while (n < line.len && (line.at[n] == ' ' || line.at[n] == '\t')) {
		n++;
	}
	return n;
}

bool
text_is_idle(struct slice line, bool continued)
{
	struct slice text = ascii_trim(line);

	if (text.len == 0 || text.at[0] != '#') {
		return text.len == 0;
	}
	return !continued || text.len == 1 || text.at[1] == ' ' || text.at[1] == '\t';
}
