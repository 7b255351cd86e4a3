/* picture_lines - item collections as plain text: a partition key, and a line for each of its items */
#include "tools/out/sink.h"
#include "tools/picture/picture_file.h"

static void
lines_row(struct buf *b, const struct picture *p, const struct picture_row *row)
{
	if (row->span > 0) {
		buf_fmt(b, "  %.*s\n", SLICE_ARG(row->pk));
	}
	if (p->sk.len == 0 && row->n == 0) {
		return; /* the item has only its key */
	}
	buf_fmt(b, "    %.*s", SLICE_ARG(p->sk.len > 0 ? row->sk : SLICE("")));
	for (size_t i = 0; i < row->n; i++) {
		const struct picture_cell *cell = &row->cells[i];

		buf_fmt(b, "%s%.*s=%.*s", i == 0 && p->sk.len == 0 ? "" : "  ",
			SLICE_ARG(cell->name), SLICE_ARG(cell->value));
	}
	if (row->left_out > 0) {
		buf_fmt(b, "  and %zu more attributes", row->left_out);
	}
	buf_char(b, '\n');
}

bool
picture_lines(struct sink *out, const struct picture *pictures, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct picture *p = &pictures[i];

		buf_fmt(&out->buf, "%s%.*s: %.*s", i == 0 ? "" : "\n", SLICE_ARG(p->title),
			SLICE_ARG(p->pk));
		buf_fmt(&out->buf, "%s%.*s\n", p->sk.len > 0 ? ", " : "", SLICE_ARG(p->sk));
		for (size_t k = 0; k < p->n; k++) {
			lines_row(&out->buf, p, &p->rows[k]);
			if (!sink_drain(out)) {
				return false;
			}
		}
	}
	return sink_flush(out);
}
