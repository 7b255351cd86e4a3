/* named_key - see named_key.h */
#include "tools/text/named_key.h"

#include <assert.h>

#include "store/base/core/ascii.h"
#include "store/base/text/shell_word.h"

#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"

struct slice
named_key_value(struct slice name, struct slice word)
{
	size_t at = name.len;

	if (word.len < at || !ascii_same(slice_of(word.at, at), name)) {
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
named_key_hint(const char *command, struct call *c, struct slice table,
	       const struct key_schema *key, const struct slice *values, size_t n, const char *rest)
{
	assert(n <= 2);
	struct slice value[2] = {{0}};
	size_t named = 0, at = 0;

	for (size_t i = 0; i < n; i++) {
		value[i] = named_key_value((i == 0 ? key->pk : key->sk)->name, values[i]);
		at = value[i].len > 0 ? i : at;
		named += value[i].len > 0;
	}
	struct buf b = {.arena = &c->arena};
	buf_str(&b, "give keys without their names: ");
	if (named == 1 && typed_line_with(&b, values[at], value[at])) {
		return slice_cstr(&c->arena, buf_view(&b));
	}
	buf_fmt(&b, "itemctl %s ", command);
	shell_word(&b, table);
	for (size_t i = 0; i < n; i++) {
		fmt_shell(&b, " %", value[i].len > 0 ? value[i] : values[i]);
	}
	if (rest != NULL) {
		fmt_shell(&b, " %", slice_from(rest));
	}
	return named > 0 ? slice_cstr(&c->arena, buf_view(&b)) : NULL;
}
