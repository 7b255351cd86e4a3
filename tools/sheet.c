/* sheet - two passes over an answer that is read once */
#include "tools/sheet.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/base/cleanup.h"
#include "store/base/mem.h"
#include "store/model/csv.h"
#include "store/model/item_json.h"

enum { SHEET_ITEM_BUDGET = 64 * 1024 * 1024 };

struct sheet {
	FILE *file;         /* NULL: all rows are still in the sink's buffer */
	struct sink rows;   /* JSON Lines */
	struct arena arena; /* of the columns */
	struct csv_columns columns;
};

struct sheet *
sheet_new(void)
{
	struct sheet *s = mem_new(struct sheet);

	sink_init(&s->rows, -1);
	arena_init(&s->arena, SIZE_MAX);
	return s;
}

void
sheet_free(struct sheet *s)
{
	if (s == NULL) {
		return;
	}
	if (s->file != NULL) {
		(void)fclose(s->file);
	}
	sink_release(&s->rows);
	arena_drop(&s->arena);
	free(s);
}

bool
sheet_add(struct sheet *s, const struct item *it)
{
	csv_note(&s->columns, &s->arena, it);
	item_put_json(&s->rows.buf, it, ITEM_PLAIN);
	buf_char(&s->rows.buf, '\n');
	if (s->rows.buf.len >= SINK_PIECE && s->file == NULL) {
		s->file = tmpfile();
		if (s->file == NULL) {
			s->rows.failed = errno;
			return false;
		}
		s->rows.fd = fileno(s->file);
	}
	return sink_drain(&s->rows);
}

static int
print_row(struct sheet *s, struct call *outer, struct slice line, struct sink *out)
{
	struct call c;
	const struct json *json = NULL;
	struct item it;

	call_open(&c, outer->now_ms, SHEET_ITEM_BUDGET);
	int r = json_parse(&c, line, JSON_STRICT, &json);
	if (r == 0) {
		r = item_from_json(&c, json, &it);
	}
	if (r == 0) {
		csv_put_item(&out->buf, &s->columns, &it);
	} else {
		r = call_fail(outer, c.error.code, "%s", c.error.message);
	}
	call_close(&c);
	return r;
}

static int
print_file(struct sheet *s, struct call *c, struct sink *out)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t n = 0;
	int r = 0;

	if (!sink_flush(&s->rows) || fseek(s->file, 0, SEEK_SET) != 0) {
		return call_fail(c, ERR_IO, "temporary file: %s",
				 strerrordesc_np(s->rows.failed != 0 ? s->rows.failed : errno));
	}
	while (r == 0 && (n = getline(&line, &room, s->file)) > 0 && sink_drain(out)) {
		r = print_row(s, c, slice_of(line, (size_t)n), out);
	}
	free(line);
	if (r == 0 && ferror(s->file)) {
		return call_fail(c, ERR_IO, "temporary file: %s", strerrordesc_np(errno));
	}
	return r;
}

int
sheet_print(struct sheet *s, struct call *c, struct sink *out)
{
	struct slice rest = buf_view(&s->rows.buf);
	int r = 0;

	if (s->columns.n == 0) {
		return 0;
	}
	csv_put_header(&out->buf, &s->columns);
	if (s->file != NULL) {
		return print_file(s, c, out);
	}
	while (r == 0 && rest.len > 0 && sink_drain(out)) {
		const char *end = memchr(rest.at, '\n', rest.len);
		size_t n = end == NULL ? rest.len : (size_t)(end - rest.at) + 1;

		r = print_row(s, c, slice_of(rest.at, n), out);
		rest = slice_skip(rest, n);
	}
	return r;
}
