/* fmt - see fmt.h */
#include "tools/text/fmt.h"

#include <stdarg.h>

#include "store/base/text/shell_word.h"

struct slice
fmt_slice(struct arena *a, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	struct slice text = slice_from(arena_vprint(a, fmt, args));
	va_end(args);
	return text;
}

const char *
fmt_word(struct arena *a, const char *word)
{
	struct buf b = {.arena = a};

	shell_word(&b, slice_from(word));
	return slice_cstr(a, buf_view(&b));
}

void
fmt_shell(struct buf *out, const char *text, ...)
{
	va_list args;

	va_start(args, text);
	for (; *text != '\0'; text++) {
		if (*text == '%') {
			shell_word(out, va_arg(args, struct slice));
		} else {
			buf_char(out, *text);
		}
	}
	va_end(args);
}
