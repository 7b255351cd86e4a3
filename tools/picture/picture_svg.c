/* picture_svg - item collections as boxes and texts in SVG; positions are computed for a fixed-width font */
#include "store/base/core/escape.h"
#include "store/base/core/max.h"
#include "store/page/picture.h"

#include "tools/out/sink.h"
#include "tools/picture/picture_form.h"
#include "tools/text/fmt.h"

/* Sizes in pixels, unless noted */
enum {
	MARGIN = 24,
	PAD = 8,
	NAME_LINE = 18,
	ROW = 40, /* the name of an attribute above its value */
	HEAD = 24,
	TITLE = 60,
	TENTHS = 80, /* tenths of a pixel: the width of a character, and a little more */
	AGAIN = 20,  /* rows of a collection after which its key is repeated */
};

enum {
	COLUMNS = PICTURE_CELLS + 3
}; /* partition key, sort key, cells, a note on attributes that are left out */

/* Positions of the columns of one picture: the left edge of each, then the right edge of the last one */
struct layout {
	size_t x[COLUMNS + 1];
	size_t first; /* column of the first attribute */
	size_t n;
};

static const char style[] =
	"<style>\n"
	"svg{--paper:#fff;--ink:#1b1f24;--dim:#5f6b7a;--line:#c8ced6;--heavy:#6b7685;--pk:#dceafc;--sk:#eef5e6;"
	"--name:#f3f4f6;--type:#8a4b08;color-scheme:light dark}\n"
	"@media(prefers-color-scheme:dark){svg{--paper:#15181c;--ink:#e6e8eb;--dim:#9aa5b1;--line:#3a424c;"
	"--heavy:#7d8896;--pk:#1d3350;--sk:#263520;--name:#22272e;--type:#e5a663}}\n"
	"text{font:13px ui-monospace,monospace;fill:var(--ink);white-space:pre}\n"
	".title{font:600 18px system-ui,sans-serif}.note,.name{fill:var(--dim)}.name{font-size:12px}.type{fill:var(--type)}\n"
	".paper{fill:var(--paper)}rect{stroke:var(--line);fill:none}.paper{stroke:none}\n"
	".head,.names{fill:var(--name)}.pk{fill:var(--pk)}.sk{fill:var(--sk)}.heavy{stroke:var(--heavy);stroke-width:2}\n"
	"</style>\n";

static size_t
pixels(size_t columns)
{
	return columns * TENTHS / 10 + (size_t)2 * PAD;
}

/* Compute the widths of the columns in x[column + 1], then their sums. */
static void
picture_svg_plan(const struct picture *p, struct layout *l)
{
	size_t *w = l->x + 1;

	*l = (struct layout){.first = p->sk.len > 0 ? 2 : 1};
	l->n = l->first + 1;
	w[0] = pixels(escape_columns(p->pk) + sizeof("Partition key: "));
	w[1] = p->sk.len > 0 ? pixels(escape_columns(p->sk) + sizeof("Sort key: ")) : 0;
	w[l->first] = pixels(sizeof("Attributes"));
	for (size_t i = 0; i < p->n; i++) {
		const struct picture_row *row = &p->rows[i];
		size_t end = l->first + row->n;

		w[0] = max_of(w[0], pixels(escape_columns(row->pk)));
		if (p->sk.len > 0) {
			w[1] = max_of(w[1], pixels(escape_columns(row->sk)));
		}
		for (size_t k = 0; k < row->n; k++) {
			size_t name =
				escape_columns(row->cells[k].name) + strlen(row->cells[k].type) + 1;
			size_t value = escape_columns(row->cells[k].value);

			w[l->first + k] = max_of(w[l->first + k], pixels(max_of(name, value)));
		}
		if (row->left_out > 0) {
			w[end] = max_of(w[end], pixels(sizeof("and 999999 more attributes")));
			end++;
		}
		l->n = max_of(l->n, end);
	}
	l->x[0] = MARGIN;
	assert(l->n <= COLUMNS);
	for (size_t k = 1; k <= l->n; k++) {
		l->x[k] += l->x[k - 1];
	}
}

static void
picture_svg_put_text(struct buf *out, const char *css_class, size_t x, size_t y, struct slice text)
{
	buf_fmt(out, "<text class=\"%s\" x=\"%zu\" y=\"%zu\">", css_class, x + PAD, y);
	escape_markup(out, text);
	buf_str(out, "</text>\n");
}

/* Put the name of an attribute, and its type if it is not a string. */
static void
picture_svg_put_name(struct buf *out, size_t x, size_t y, const struct picture_cell *cell)
{
	buf_fmt(out, "<text class=\"name\" x=\"%zu\" y=\"%zu\">", x + PAD, y);
	escape_markup(out, cell->name);
	if (*cell->type != '\0') {
		buf_fmt(out, "<tspan class=\"type\"> %s</tspan>", cell->type);
	}
	buf_str(out, "</text>\n");
}

static void
put_box(struct buf *out, const char *css_class, size_t x, size_t y, size_t end, size_t height)
{
	buf_fmt(out, "<rect class=\"%s\" x=\"%zu\" y=\"%zu\" width=\"%zu\" height=\"%zu\"/>\n",
		css_class, x, y, end - x, height);
}

static void
put_heading(struct buf *out, const struct picture *p, const char *what, struct slice names,
	    size_t x, size_t y, size_t end)
{
	put_box(out, "head", x, y, end, HEAD);
	picture_svg_put_text(out, "", x, y + 17,
			     fmt_slice(p->arena, "%s%.*s", what, SLICE_ARG(names)));
}

static void
picture_svg_put_head(struct buf *out, const struct picture *p, const struct layout *l, size_t y)
{
	struct buf note = {.arena = p->arena};

	picture_note(p, &note);
	picture_svg_put_text(out, "title", MARGIN - PAD, y - 32, p->title);
	picture_svg_put_text(out, "note", MARGIN - PAD, y - 10, buf_view(&note));
	put_heading(out, p, "Partition key: ", p->pk, l->x[0], y, l->x[1]);
	if (p->sk.len > 0) {
		put_heading(out, p, "Sort key: ", p->sk, l->x[1], y, l->x[2]);
	}
	put_heading(out, p, "Attributes", SLICE(""), l->x[l->first], y, l->x[l->n]);
}

static void
picture_svg_put_row(struct buf *out, const struct picture *p, const struct layout *l,
		    const struct picture_row *row, size_t y)
{
	const size_t *x = l->x + l->first;

	if (row->span > 0) {
		put_box(out, "pk", l->x[0], y, l->x[1], row->span * ROW);
		picture_svg_put_text(out, "", l->x[0], y + 25, row->pk);
	}
	if (p->sk.len > 0) {
		put_box(out, "sk", l->x[1], y, l->x[2], ROW);
		picture_svg_put_text(out, "", l->x[1], y + 25, row->sk);
	}
	for (size_t i = 0; i < row->n; i++) {
		put_box(out, "names", x[i], y, x[i + 1], NAME_LINE);
		put_box(out, "", x[i], y, x[i + 1], ROW);
		picture_svg_put_name(out, x[i], y + 13, &row->cells[i]);
		picture_svg_put_text(out, "", x[i], y + 33, row->cells[i].value);
	}
	if (row->left_out > 0) {
		picture_svg_put_text(out, "note", x[row->n], y + 25,
				     fmt_slice(p->arena, "and %zu more attributes", row->left_out));
	}
	if (row->span > 0) {
		put_box(out, "heavy", l->x[0], y, l->x[l->n], row->span * ROW);
	}
}

static size_t
height(const struct picture *p)
{
	return TITLE + HEAD + p->n * ROW;
}

static bool
put_picture(struct sink *out, const struct picture *p, size_t top)
{
	struct layout l;
	size_t y = top + TITLE;
	size_t first = 0;

	picture_svg_plan(p, &l);
	picture_svg_put_head(&out->buf, p, &l, y);
	y += HEAD;
	for (size_t i = 0; i < p->n; i++, y += ROW) {
		picture_svg_put_row(&out->buf, p, &l, &p->rows[i], y);
		first = p->rows[i].span > 0 ? i : first;
		if (i > first && (i - first) % AGAIN == 0) {
			picture_svg_put_text(&out->buf, "name", l.x[0], y + 25, p->rows[i].pk);
		}
		if (!sink_drain(out)) {
			return false;
		}
	}
	return true;
}

void
picture_svg_size(const struct picture *pictures, size_t n, size_t *width, size_t *end)
{
	*width = 0;
	*end = MARGIN;
	for (size_t i = 0; i < n; i++) {
		struct layout l;

		picture_svg_plan(&pictures[i], &l);
		*width = max_of(*width, l.x[l.n] + MARGIN);
		*end += height(&pictures[i]) + MARGIN;
	}
}

bool
picture_svg(struct sink *out, const struct picture *pictures, size_t n)
{
	size_t width;
	size_t end;

	assert(n > 0);
	picture_svg_size(pictures, n, &width, &end);
	buf_fmt(&out->buf,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%zu\" viewBox=\"0 0 %zu %zu\">\n"
		"<title>",
		width, end, width, end);
	escape_markup(&out->buf, pictures->schema->table);
	buf_str(&out->buf, "</title>\n");
	buf_str(&out->buf, style);
	buf_str(&out->buf, "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
	end = 0;
	for (size_t i = 0; i < n; i++) {
		if (!put_picture(out, &pictures[i], end)) {
			return false;
		}
		end += height(&pictures[i]) + MARGIN;
	}
	buf_str(&out->buf, "</svg>\n");
	return sink_flush(out);
}
