/* spool - see spool.h */
#include "tools/out/spool.h"

#include <sys/mman.h>

#include "store/base/text/cells.h"
#include "store/model/csv.h"
#include "store/model/item.h"
#include "store/model/item_json.h"

#include "tools/out/sink.h"
#include "tools/system/call_scope.h"
#include "tools/system/stop.h"

/* From the offset @at of the rows on, @column exists and has this kind. */
struct change {
	uint64_t at;
	size_t column;
	enum csv_kind kind;
};

struct spool {
	FILE *file;    /* NULL: all rows are still in the sink's buffer */
	bool markdown; /* print a table in Markdown */
	struct sink
		rows;   /* CSV or TSV; each row has the columns that were known when it was added */
	uint64_t bytes; /* of rows in the file */
	struct arena arena; /* of the columns and changes */
	struct csv_columns columns;
	struct change *changes;
	size_t n_changes;
	size_t cap_changes;
	enum csv_kind *kinds; /* of the columns, as in the last change of each */
	size_t n_kinds;
	size_t cap_kinds;
	bool safe; /* spool_safe(): rows are kept unescaped, and all of them are written again */
};

struct spool *
spool_new(char delimiter, bool markdown)
{
	struct spool *s = mem_new(struct spool);

	s->markdown = markdown;
	s->columns.delimiter = delimiter;
	sink_init(&s->rows, -1);
	arena_init(&s->arena, SIZE_MAX);
	return s;
}

void
spool_free(struct spool *s)
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

void
spool_report(struct spool *s)
{
	if (s != NULL) {
		s->columns.untyped = true;
	}
}

void
spool_safe(struct spool *s)
{
	s->safe = true;
}

/* ------------------------------------------------------------ adding rows */

static void
note_change(struct spool *s, size_t column)
{
	s->kinds[column] = s->columns.at[column].kind;
	s->changes = arena_room(&s->arena, s->changes, s->n_changes, &s->cap_changes);
	s->changes[s->n_changes++] = (struct change){
		.at = s->bytes + s->rows.buf.len, .column = column, .kind = s->kinds[column]};
}

/* Record the changes of columns that apply from the next row on. */
static void
note_changes(struct spool *s)
{
	for (size_t i = 0; i < s->n_kinds; i++) {
		if (s->kinds[i] != s->columns.at[i].kind) {
			note_change(s, i);
		}
	}
	while (s->n_kinds < s->columns.n) {
		s->kinds = arena_room(&s->arena, s->kinds, s->n_kinds, &s->cap_kinds);
		note_change(s, s->n_kinds++);
	}
}

void
spool_lead(struct spool *s, const struct slice *names, size_t n)
{
	assert(s->file == NULL && s->rows.buf.len == 0);
	for (size_t i = 0; i < n; i++) {
		csv_declare(&s->columns, &s->arena, names[i]);
	}
	note_changes(s);
}

bool
spool_add(struct spool *s, const struct item *it)
{
	if (csv_note(&s->columns, &s->arena, it)) {
		note_changes(s);
	}
	csv_put_item(&s->rows.buf, &s->columns, it);
	if (s->rows.buf.len < SINK_PIECE) {
		return s->rows.failed == 0;
	}
	if (s->file == NULL) {
		s->file = tmpfile();
		if (s->file == NULL) {
			s->rows.failed = errno;
			return false;
		}
		s->rows.fd = fileno(s->file);
	}
	s->bytes += s->rows.buf.len;
	return sink_flush(&s->rows);
}

/* ------------------------------------------------------------ Markdown */

/* Return true if the character is special in Markdown. An underscore within a word is not. */
static bool
spool_md_means(struct slice text, size_t i)
{
	if (text.at[i] == '_') {
		return i == 0 || !ascii_word(text.at[i - 1]);
	}
	return text.at[i] != '\0' && strchr("\\|`*<&~", text.at[i]) != NULL;
}

static void
spool_put_md(struct buf *out, struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		char ch = text.at[i];
		bool pair = ch == '\r' && i + 1 < text.len && text.at[i + 1] == '\n';

		if (ch == '\n' || (ch == '\r' && !pair)) {
			buf_str(out, "<br>");
		} else if (!pair) {
			buf_put(out, "\\", spool_md_means(text, i));
			buf_char(out, ch);
		}
	}
}

/* Append the names of the columns and the line below them, which aligns numbers to the right. */
static void
spool_put_md_header(struct buf *out, const struct csv_columns *columns)
{
	for (size_t i = 0; i < columns->n; i++) {
		buf_str(out, "| ");
		spool_put_md(out, columns->at[i].name);
		buf_char(out, ' ');
	}
	buf_str(out, "|\n");
	for (size_t i = 0; i < columns->n; i++) {
		buf_str(out, columns->at[i].kind == CSV_NUMBER ? "| ---: " : "| --- ");
	}
	buf_str(out, "|\n");
}

/* Append an item; special characters of Markdown are escaped, line breaks become <br> */
static void
spool_put_md_row(struct buf *out, const struct csv_columns *columns, const struct item *it)
{
	cleanup(buf_release) struct buf json = {0};

	for (size_t i = 0; i < columns->n; i++) {
		const struct value *v = item_get(it, columns->at[i].name);

		buf_str(out, "| ");
		if (v != NULL && (v->type == VALUE_S || v->type == VALUE_N)) {
			spool_put_md(out, v->text);
		} else if (v != NULL) {
			buf_clear(&json);
			value_put_json(&json, v, ITEM_PLAIN);
			spool_put_md(out, buf_view(&json));
		}
		buf_str(out, v == NULL ? "" : " ");
	}
	buf_str(out, "|\n");
}

/* ------------------------------------------------------------ printing */

/* Parse a row with @then, the columns that it was written with, and write it with all columns. */
static int
spool_rewrite(struct spool *s, struct call *outer, const struct csv_columns *then, struct slice row,
	      struct sink *out)
{
	struct item it = {0};

	call_scope(c, outer->now_ms);
	int r = then->n == 0 ? 0 : csv_item(&c, then, row, &it);
	if (r != 0) {
		r = call_adopt(outer, &c);
	} else if (s->markdown) {
		spool_put_md_row(&out->buf, &s->columns, &it);
	} else {
		csv_put_item(&out->buf, &s->columns, &it);
	}
	return r;
}

/* Rewrite the rows before the last change, or all if necessary; *rows: the other rows. */
static int
print_early(struct spool *s, struct call *c, struct slice *rows, struct sink *out)
{
	struct csv_columns then = {.at = arena_new(&s->arena, struct csv_column, s->columns.n),
				   .delimiter = s->columns.delimiter};
	bool all_again = s->safe || s->markdown;
	struct slice all = *rows;
	size_t next = 0;
	int r = 0;

	while (r == 0 && rows->len > 0 && sink_drain(out)) {
		uint64_t at = all.len - rows->len;

		for (; next < s->n_changes && s->changes[next].at <= at; next++) {
			size_t column = s->changes[next].column;

			then.at[column] = s->columns.at[column];
			then.at[column].kind = s->changes[next].kind;
			then.n += column == then.n;
		}
		if (next == s->n_changes && !all_again) {
			return 0;
		}
		size_t n = cells_record(*rows, s->columns.delimiter, true);

		r = spool_rewrite(s, c, &then, slice_of(rows->at, n), out);
		*rows = slice_skip(*rows, n);
	}
	return r;
}

static int
spool_print_rows(struct spool *s, struct call *c, struct slice rows, struct sink *out)
{
	int r = print_early(s, c, &rows, out);

	while (r == 0 && rows.len > 0) {
		size_t n = rows.len < SINK_PIECE ? rows.len : SINK_PIECE;

		r = stop_check(c);
		if (r == 0 && !sink_put(out, slice_of(rows.at, n))) {
			break;
		}
		rows = slice_skip(rows, n);
	}
	return r;
}

int
spool_print(struct spool *s, struct call *c, struct sink *out)
{
	if (s->columns.n == 0) {
		return 0;
	}
	s->columns.safe = s->safe;
	if (s->markdown) {
		spool_put_md_header(&out->buf, &s->columns);
	} else {
		csv_put_header(&out->buf, &s->columns);
	}
	if (s->file == NULL) {
		return spool_print_rows(s, c, buf_view(&s->rows.buf), out);
	}
	s->bytes += s->rows.buf.len;
	void *at = sink_flush(&s->rows) ? mmap(NULL, s->bytes, PROT_READ, MAP_SHARED, s->rows.fd, 0)
					: MAP_FAILED;

	if (at == MAP_FAILED) {
		return call_fail(c, ERR_IO, "temporary file: %s",
				 strerrordesc_np(s->rows.failed != 0 ? s->rows.failed : errno));
	}
	int r = spool_print_rows(s, c, slice_of(at, s->bytes), out);

	(void)munmap(at, s->bytes);
	return r;
}
