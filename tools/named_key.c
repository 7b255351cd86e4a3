/* named_key - see named_key.h */
#include "tools/named_key.h"

#include "store/base/shell_word.h"

#include "tools/command.h"

struct slice
named_key_value(struct slice name, struct slice word)
{
	size_t at = name.len;

	if (!slice_starts(word, name)) {
		return (struct slice){0};
	}
	while (at < word.len && word.at[at] == ' ') {
		at++;
	}
	if (at == word.len || word.at[at] != '=') {
		return (struct slice){0};
	}
	while (at < word.len && strchr("= '\"", word.at[at]) != NULL) {
		at++;
	}
	size_t end = at;

	while (end < word.len && word.at[end] != '\'' && word.at[end] != '"') {
		end++;
	}
	return slice_of(word.at + at, end - at);
}

const char *
named_key_hint(const struct ctl *ctl, struct call *c, struct slice table,
	       const struct key_schema *key, const struct slice *values, size_t n, const char *rest)
{
	bool named = false;
	struct buf b;

	buf_init(&b, &c->arena);
	buf_fmt(&b, "keys are values alone: itemctl %s ", ctl->command->name);
	shell_word(&b, table);
	for (size_t i = 0; i < n; i++) {
		struct slice value = named_key_value((i == 0 ? key->pk : key->sk)->name, values[i]);

		buf_char(&b, ' ');
		shell_word(&b, value.len > 0 ? value : values[i]);
		named = named || value.len > 0;
	}
	if (rest != NULL) {
		buf_char(&b, ' ');
		shell_word(&b, slice_from(rest));
	}
	return named ? slice_cstr(&c->arena, buf_view(&b)) : NULL;
}
