/* page_patterns - reads and checks the file of access patterns; appends the list of them */
#include "store/page/page_patterns.h"

#include <fcntl.h>

#include "store/base/text/json.h"
#include "store/model/schema.h"
#include "store/page/page_html.h"

enum {
	PATTERNS_SIZE = 4 * 1024 * 1024,  /* bytes of a file, at most */
	PATTERNS_STEP = 64 * 1024,        /* bytes of one read */
	PATTERN_WORDS = 2 * KEY_PART_MAX, /* words of a line, at most */
};

struct page_patterns {
	struct json *at; /* one object for each pattern */
	size_t n;
	size_t cap;
};

/* ------------------------------------------------------------ the file */

/* Return: whether the member is absent or has that type. */
static bool
page_patterns_is_of(const struct json *object, const char *name, enum json_type type)
{
	const struct json *member = json_get(object, name);

	return member == NULL || member->type == type;
}

static bool
are_texts(const struct json *object, const char *const *names)
{
	for (; *names != NULL; names++) {
		if (!page_patterns_is_of(object, *names, JSON_STRING)) {
			return false;
		}
	}
	return true;
}

static bool
line_is_right(const struct json *line)
{
	static const char *const texts[] = {"text",   "table", "index", "op",   "value", "to",
					    "filter", "order", "limit", "note", NULL};
	const struct json *words = json_get(line, "words");
	bool right = line->type == JSON_OBJECT && json_text(line, "text").len > 0 &&
		     are_texts(line, texts) && page_patterns_is_of(line, "words", JSON_ARRAY) &&
		     (words == NULL || words->n <= PATTERN_WORDS);

	json_each (word, words) {
		right = right && word->type == JSON_STRING;
	}
	return right;
}

static bool
parameter_is_right(const struct json *p)
{
	static const char *const texts[] = {"name", "about", "value", NULL};

	return p->type == JSON_OBJECT && json_text(p, "name").len > 0 && are_texts(p, texts) &&
	       (page_patterns_is_of(p, "number", JSON_TRUE) ||
		page_patterns_is_of(p, "number", JSON_FALSE));
}

static bool
pattern_is_right(const struct json *p)
{
	static const char *const texts[] = {"pattern", "about", NULL};
	bool right = p->type == JSON_OBJECT && json_text(p, "pattern").len > 0 &&
		     are_texts(p, texts) && page_patterns_is_of(p, "parameters", JSON_ARRAY) &&
		     page_patterns_is_of(p, "lines", JSON_ARRAY);

	if (right) {
		json_each (parameter, json_get(p, "parameters")) {
			right = right && parameter_is_right(parameter);
		}
		json_each (line, json_get(p, "lines")) {
			right = right && line_is_right(line);
		}
	}
	return right;
}

static int
add_pattern(struct call *c, struct page_patterns *all, struct slice line)
{
	const struct json *p = NULL;
	int r = json_parse(c, line, JSON_STRICT, &p);

	if (r < 0) {
		return r;
	}
	if (!pattern_is_right(p)) {
		return call_fail(c, ERR_VALIDATION, "this is not a valid pattern");
	}
	all->at = arena_room(&c->arena, all->at, all->n, &all->cap);
	all->at[all->n++] = *p;
	return 0;
}

static int
page_patterns_read_file(struct call *c, const char *path, struct slice *out)
{
	cleanup(cleanup_fd) int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : 1;
	struct buf text;

	buf_init(&text, &c->arena);
	while (n > 0 && text.len <= PATTERNS_SIZE) {
		n = read(fd, buf_room(&text, PATTERNS_STEP), PATTERNS_STEP);
		text.len += n > 0 ? (size_t)n : 0;
	}
	if (n < 0) {
		return call_fail(c, ERR_VALIDATION, "patterns %s: %s", path,
				 strerrordesc_np(errno));
	}
	*out = buf_view(&text);
	return text.len <= PATTERNS_SIZE
		       ? 0
		       : call_fail(c, ERR_VALIDATION, "patterns %s: it is larger than %d bytes",
				   path, PATTERNS_SIZE);
}

int
page_patterns_read(struct call *c, const char *path, const struct page_patterns **out)
{
	struct page_patterns *all = arena_new(&c->arena, struct page_patterns, 1);
	struct slice text = {0};
	int r = page_patterns_read_file(c, path, &text);

	for (size_t line = 1; r == 0 && text.len > 0; line++) {
		struct slice one = slice_take(&text, '\n');

		r = one.len == 0 ? 0 : add_pattern(c, all, one);
		if (r < 0) {
			struct error why = c->error;

			c->error = (struct error){0};
			r = call_fail(c, ERR_VALIDATION, "patterns %s, line %zu: %s", path, line,
				      why.message);
		}
	}
	*out = all;
	return r;
}

/* ------------------------------------------------------------ patterns by name */

const struct json *
page_patterns_find(const struct page_patterns *all, struct slice name)
{
	const struct json *found = NULL;

	for (size_t i = 0; all != NULL && i < all->n; i++) {
		if (slice_eq(json_text(&all->at[i], "pattern"), name)) {
			found = &all->at[i];
		}
	}
	return found;
}

/* ------------------------------------------------------------ the list */

void
page_patterns_list(struct buf *out, const struct page_patterns *all)
{
	if (all == NULL || all->n == 0) {
		return;
	}
	buf_str(out,
		"<h2>Access patterns</h2>\n<div class=\"box\">\n<table class=\"list\">\n<tbody>\n");
	for (size_t i = 0; i < all->n; i++) {
		struct slice name = json_text(&all->at[i], "pattern");

		buf_str(out, "<tr><td>");
		page_link_begin(out, SLICE(""));
		page_link_arg(out, SLICE("pattern"), name);
		page_link_mark(out, false);
		page_text(out, name);
		buf_str(out, "</a></td><td class=\"fold\">");
		page_text(out, json_text(&all->at[i], "about"));
		buf_str(out, "</td></tr>\n");
	}
	buf_str(out, "</tbody>\n</table>\n</div>\n");
}
