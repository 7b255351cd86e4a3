/* typed_line - see typed_line.h */
#include "tools/typed_line.h"

#include "store/base/mem.h"
#include "store/base/shell_word.h"

enum { TYPED_LINE_MAX = 1000 }; /* bytes: a longer line is not read by anybody */

static struct {
	char **argv; /* a copy: commands change the order of theirs */
	int argc;
} typed_line;

void
typed_line_keep(int argc, char **argv)
{
	typed_line.argv = mem_array(char *, (size_t)argc + 1);
	memcpy(typed_line.argv, argv, (size_t)argc * sizeof(*argv));
	typed_line.argc = argc;
}

/* How much of @arg is before @word; SIZE_MAX: it is no part of it. */
static size_t
typed_line_offset(const char *arg, struct slice word)
{
	uintptr_t begin = (uintptr_t)arg;
	uintptr_t at = (uintptr_t)word.at;
	bool inside = at >= begin && at + word.len <= begin + strlen(arg);

	return inside ? (size_t)(at - begin) : SIZE_MAX;
}

bool
typed_line_with(struct buf *out, struct slice word, struct slice by)
{
	size_t begin = out->len;
	bool found = word.len == 0;

	buf_str(out, "itemctl");
	for (int i = 1; i < typed_line.argc && out->len - begin <= TYPED_LINE_MAX; i++) {
		struct slice arg = slice_from(typed_line.argv[i]);
		size_t at = found ? SIZE_MAX : typed_line_offset(arg.at, word);
		struct buf changed;

		buf_init(&changed, NULL);
		if (at != SIZE_MAX) {
			buf_put(&changed, arg.at, at);
			buf_slice(&changed, by);
			buf_slice(&changed, slice_skip(arg, at + word.len));
			arg = buf_view(&changed);
			found = true;
		}
		buf_char(out, ' ');
		shell_word(out, arg);
		buf_release(&changed);
	}
	if (!found || out->len - begin > TYPED_LINE_MAX) {
		out->len = begin;
		return false;
	}
	return true;
}

void
typed_line_near(struct buf *out, const struct near *near, const char *before)
{
	size_t begin = out->len;

	if (near->best.len == 0) {
		return;
	}
	buf_str(out, ": did you mean: ");
	if (!typed_line_with(out, near->typed, near->best)) {
		out->len = begin;
		near_put(out, near, before);
	}
}
