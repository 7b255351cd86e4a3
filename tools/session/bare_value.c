/* bare_value - see bare_value.h */
#include "tools/session/bare_value.h"

#include "store/base/core/ascii.h"
#include "store/base/text/json.h"

#include "tools/session/absent.h"
#include "tools/text/words.h"

bool
bare_value_is_quote(char ch)
{
	return ch == '\'' || ch == '"' || ch == '`';
}

struct slice
bare_value_word(struct slice text, size_t at)
{
	size_t end = at;

	while (end < text.len && (ascii_word(text.at[end]) || (unsigned char)text.at[end] >= 0x80 ||
				  strchr("#:.[]-", text.at[end]) != NULL)) {
		end++;
	}
	return slice_of(text.at + at, end - at);
}

bool
bare_value_is_path(struct slice value, size_t *end)
{
	*end = 0;
	while (*end < value.len && ascii_word(value.at[*end])) {
		++*end;
	}
	if (*end == 0 || ascii_digit(value.at[0])) {
		return false;
	}
	for (size_t i = *end; i < value.len; i++) {
		if (!ascii_word(value.at[i]) && strchr(".[]", value.at[i]) == NULL) {
			return false;
		}
	}
	return true;
}

static bool
bare_value_is_number(struct slice value)
{
	size_t at;

	return value.len > 0 && (ascii_digit(value.at[0]) || value.at[0] == '-') &&
	       json_fault(value, &at) == NULL;
}

/* Return true for a path that begins with an attribute of the sample. */
static bool
bare_value_is_name(const struct page *sample, struct slice value)
{
	size_t end;

	return bare_value_is_path(value, &end) &&
	       (sample == NULL || !absent_is(sample, slice_of(value.at, end)));
}

/* Return true for "n+1", but not for the date "2024-01"; "us-east-1" is a text unless its parts are known names. */
static bool
bare_value_is_sum(const struct page *sample, struct slice value)
{
	bool named = false;
	bool sum = false;

	for (size_t from = 0; from <= value.len;) {
		size_t end = from;

		while (end < value.len && value.at[end] != '+' && value.at[end] != '-') {
			end++;
		}
		struct slice part = slice_of(value.at + from, end - from);
		bool plus = slice_chr(value, '-') == NULL;
		size_t ignored;
		bool name = plus ? bare_value_is_path(part, &ignored)
				 : bare_value_is_name(sample, part);

		named = named || name;
		if (!name && !bare_value_is_number(part)) {
			return false;
		}
		sum = sum || end < value.len;
		from = end + 1;
	}
	return sum && named;
}

bool
bare_value_is_text(const struct page *sample, struct slice value)
{
	bool alias = value.len > 1 && (value.at[0] == ':' || value.at[0] == '#');

	return !alias && !words_in_any_case("true false null", value) &&
	       !bare_value_is_number(value) && !bare_value_is_name(sample, value) &&
	       !bare_value_is_sum(sample, value);
}
