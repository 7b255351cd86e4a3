/* shell_word - see shell_word.h */
#include "store/base/text/shell_word.h"

/* Returns true if @s contains a character of @set or a NUL. */
static bool
shell_word_has(struct slice s, const char *set)
{
	for (size_t i = 0; i < s.len; i++) {
		if (s.at[i] == '\0' || strchr(set, s.at[i]) != NULL) {
			return true;
		}
	}
	return false;
}

void
shell_text(struct buf *b, struct slice s)
{
	bool singles = shell_word_has(s, "'");

	if (singles && !shell_word_has(s, "\"$`\\!")) {
		buf_fmt(b, "\"%.*s\"", SLICE_ARG(s));
		return;
	}
	buf_char(b, '\'');
	for (size_t i = 0; i < s.len; i++) {
		if (s.at[i] == '\'') {
			buf_str(b, "'\\''");
		} else {
			buf_char(b, s.at[i]);
		}
	}
	buf_char(b, '\'');
}

void
shell_word(struct buf *b, struct slice s)
{
	bool plain = s.len > 0 && s.at[0] != '#';

	for (size_t i = 0; plain && i < s.len; i++) {
		plain = ascii_word(s.at[i]) || (unsigned char)s.at[i] >= 0x80 ||
			(s.at[i] != '\0' && strchr("-_./:=,@%+#", s.at[i]) != NULL);
	}
	if (plain) {
		buf_slice(b, s);
	} else {
		shell_text(b, s);
	}
}
