/* scan_hints - see scan_hints.h */
#include "tools/advice/scan_hints.h"

#include <string.h>

#include "store/base/core/ascii.h"
#include "store/base/core/cleanup.h"
#include "store/base/text/json.h"
#include "store/base/text/url.h"

#include "tools/cli/synonyms.h"
#include "tools/session/absent.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

/* Append the typed line as a scan with @filter in place of the words of the key. */
static void
scan_hints_put(const struct query_hints *q, struct buf *b, struct slice filter)
{
	cleanup(buf_release) struct buf by = {0};
	bool whole = true;

	fmt_shell(&by, "--filter %", filter);
	for (int i = 1; whole && typed_line_word(i) != NULL; i++) {
		const char *other = synonyms_command(typed_line_word(i));

		if (words_in("query show", slice_from(typed_line_word(i))) ||
		    slice_is(slice_from(other), "query")) {
			whole = !typed_line_change(typed_line_word(i), SLICE("scan"));
		}
	}
	for (size_t i = 2; i < q->words->n; i++) {
		(void)typed_line_change(q->words->at[i], (struct slice){0});
	}
	if (!typed_line_words(b, slice_from(q->words->at[1]), buf_view(&by))) {
		fmt_shell(b, "itemctl scan % ", slice_from(q->words->at[0]));
		buf_slice(b, buf_view(&by));
	}
}

void
scan_hints_filter(const struct query_hints *q, struct call *c, struct buf *b)
{
	static const char *const signs[][2] = {
		{"eq", "="},  {"ne", "<>"}, {"lt", "<"},  {"le", "<="},  {"gt", ">"},
		{"ge", ">="}, {"==", "="},  {"!=", "<>"}, {"lte", "<="}, {"gte", ">="}};
	struct buf text = {.arena = &c->arena};
	struct buf filter = {.arena = &c->arena};
	struct page page = {0};
	size_t n = 0;

	for (size_t i = 1; i < q->words->n; i++) {
		buf_fmt(&text, "%s%s", i == 1 ? "" : " ", q->words->at[i]);
	}
	struct slice rest = buf_view(&text);

	if (rest.len == 0) {
		return;
	}
	while (n < rest.len && ascii_word(rest.at[n])) {
		n++;
	}
	struct slice name = slice_of(rest.at, n);

	rest = ascii_trim(slice_skip(rest, n));
	n = strspn(slice_cstr(&c->arena, rest), "=<>!");
	n = n == 0 && slice_chr(rest, ' ') != NULL ? strcspn(slice_cstr(&c->arena, rest), " ") : n;
	struct slice sign = slice_of(rest.at, n);
	struct slice value = ascii_trim(slice_skip(rest, n));
	bool known = sign.len > 0 && words_in("= < > <= >= <>", sign);

	const char *typed = slice_cstr(&c->arena, sign);

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		if (strcmp(typed, signs[i][0]) == 0) {
			sign = slice_from(signs[i][1]);
			known = true;
		}
	}
	if (!known || name.len == 0 || value.len == 0 || url_is_far(q->ctl->store) ||
	    absent_sample(q->ctl, c, slice_from(q->words->at[0]), &page) < 0 ||
	    absent_is(&page, name)) {
		return;
	}
	bool quoted = value.at[0] == '\'' || value.at[0] == '"' || json_fault(value, &n) == NULL;

	const char *quote = quoted ? "" : slice_chr(value, '\'') != NULL ? "\"" : "'";

	buf_fmt(&filter, "%.*s %.*s %s%.*s%s", SLICE_ARG(name), SLICE_ARG(sign), quote,
		SLICE_ARG(value), quote);
	buf_str(b, "put a condition on other attributes into a filter: ");
	scan_hints_put(q, b, buf_view(&filter));
}

void
scan_hints_limit(const struct query_hints *q, struct buf *b)
{
	const char *word = q->words->n == 2 ? q->words->at[1] : "";
	size_t n = strspn(word, "0123456789");

	if (n > 0 && n < 4 && word[n] == '\0') {
		fmt_shell(b, "for the first %: itemctl scan % --limit %", slice_from(word),
			  slice_from(q->words->at[0]), slice_from(word));
	}
}
