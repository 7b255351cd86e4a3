/* lines - see lines.h */
#include "tools/system/lines.h"

#include <sys/stat.h>

#include "store/base/core/utf8.h"
#include "store/base/text/json.h"
#include "store/model/item_json.h"

#include "tools/system/stop.h"

CLEANUP_DEFINE(struct json_check *, json_check_free)

void
lines_init(struct lines *l, FILE *from)
{
	off_t at = ftello(from);
	struct stat st;

	*l = (struct lines){.from = from};
	if (at >= 0 && fstat(fileno(from), &st) == 0 && S_ISREG(st.st_mode) && st.st_size > at) {
		l->total = (uint64_t)(st.st_size - at);
	}
}

ssize_t
lines_read(FILE *from, struct buf *out)
{
	char piece[4096];
	ssize_t total = 0;
	int ch = 0;

	errno = 0;
	while (ch != '\n' && total <= LINES_MAX) {
		size_t n = 0;

		/* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody else reads this stream */
		while (n < sizeof(piece) && ch != '\n' && (ch = getc_unlocked(from)) != EOF) {
			piece[n++] = (char)ch;
		}
		buf_put(out, piece, n);
		total += (ssize_t)n;
		if (ch == EOF) {
			return ferror(from) ? -(errno == 0 ? EIO : errno) : total;
		}
	}
	return total > LINES_MAX ? -EMSGSIZE : total;
}

static int
lines_failed(struct call *c, const struct lines *l, int error)
{
	if (error == EMSGSIZE) {
		return call_fail(c, ERR_USAGE, "line %lu: over %d MiB",
				 (unsigned long)l->number + 1, LINES_MAX / (1024 * 1024));
	}
	return call_fail(c, error_of_path(error), "standard input: %s", strerrordesc_np(error));
}

/*
 * Collect lines until they are a whole document, or cannot be one.
 * @first: the number of its first line
 * @skip: bytes of a byte order mark before it
 */
static int
lines_collect(struct call *c, struct lines *l, struct buf *text, uint64_t *first, size_t *skip)
{
	cleanup(json_check_freep) struct json_check *check = json_check_new();
	enum json_state state = JSON_OPEN;

	while (state == JSON_OPEN && stop_asked() == 0) {
		size_t before = text->len;
		ssize_t n = before > LINES_MAX ? -EMSGSIZE : lines_read(l->from, text);

		if (n < 0 && stop_asked() == 0) {
			return lines_failed(c, l, (int)-n);
		}
		if (n <= 0) {
			break;
		}
		l->number++;
		l->bytes += (uint64_t)n;
		struct slice line = slice_skip(buf_view(text), before);

		if (l->number == 1) {
			line = utf8_past_mark(line);
		}
		if (before == 0 && ascii_trim(line).len == 0) {
			buf_clear(text);
			continue;
		}
		if (before == 0) {
			*first = l->number;
			*skip = (size_t)(line.at - text->at);
		}
		state = json_check_text(check, slice_skip(buf_view(text), *skip));
	}
	return stop_check(c);
}

int
lines_place(struct call *c, const struct lines *l)
{
	return call_prefix(c, "line %lu: ", (unsigned long)l->first);
}

/* Convert the line in a JSON error, which is relative to the document, to the line of the stream. */
static int
place_of_fault(struct call *c, const struct lines *l)
{
	const char *rest;
	size_t line = json_fault_line(c->error.message, &rest);

	if (line == 0) {
		return lines_place(c, l);
	}
	c->error.message = rest;
	return call_prefix(c, "line %lu: not JSON: ", (unsigned long)(l->first + line - 1));
}

int
lines_next(struct call *c, struct lines *l, struct item *out)
{
	const struct json *json = NULL;
	uint64_t first = 0;
	size_t skip = 0;
	struct buf text = {.arena = &c->arena};

	int r = lines_collect(c, l, &text, &first, &skip);
	if (r < 0) {
		return r;
	}
	if (text.len == 0) {
		return LINES_END;
	}
	l->first = first;
	while (ascii_blank(text.at[text.len - 1])) {
		text.len--; /* else the error of a truncated document would have the next line */
	}
	assert(skip < text.len);
	r = json_parse(c, slice_skip(buf_view(&text), skip), JSON_STRICT, &json);
	if (r < 0) {
		return place_of_fault(c, l);
	}
	r = item_from_json(c, json, out);
	return r < 0 ? lines_place(c, l) : 0;
}
