/* picture_html - a picture as an HTML table without script, external font or address */
#include "store/base/core/escape.h"
#include "store/base/core/max.h"
#include "store/page/picture.h"

enum { COLUMN = 8 }; /* width in pixels of a character of a key, rounded up */

/* Header and keys are sticky: the left offset of .sk is the width of .pk plus the padding and border of a cell. */
static const char style[] =
	"<style>\n"
	":root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--dim:#5f6b7a;--line:#c8ced6;--heavy:#6b7685;"
	"--pk:#dceafc;--sk:#eef5e6;--name:#f3f4f6;--type:#8a4b08}\n"
	"@media(prefers-color-scheme:dark){:root{--paper:#15181c;--ink:#e6e8eb;--dim:#9aa5b1;--line:#3a424c;"
	"--heavy:#7d8896;--pk:#1d3350;--sk:#263520;--name:#22272e;--type:#e5a663}}\n"
	"body{margin:1.5rem;background:var(--paper);color:var(--ink);font:13px/1.4 system-ui,sans-serif}\n"
	"h1{font-size:1.4rem;margin:0 0 .5rem}h2{font-size:1.1rem;margin:2rem 0 .2rem}\n"
	"p,nav{color:var(--dim);margin:0 0 .6rem}nav a{color:inherit;margin-right:1rem}\n"
	"table{border-collapse:separate;border-spacing:0;border-top:2px solid var(--heavy);border-left:1px solid var(--line)}\n"
	"td,th{border-right:1px solid var(--line);border-bottom:1px solid var(--line);padding:.25rem .5rem;"
	"text-align:left;vertical-align:top;white-space:pre;font-weight:normal}\n"
	"thead{position:sticky;top:0;z-index:1}thead th{background:var(--name);font-weight:600}\n"
	"thead tr:last-child th,thead th[rowspan],tbody tr:last-child>*,tbody .pk{border-bottom:2px solid var(--heavy)}\n"
	".pk,.sk,td{font-family:ui-monospace,monospace}thead .pk,thead .sk{font-family:inherit}\n"
	".pk,.sk{position:sticky;left:0}.sk{left:calc(var(--pk-width) + 1rem + 1px)}\n"
	".pk span,.sk span{display:block;width:var(--pk-width);white-space:pre-wrap;overflow-wrap:anywhere}"
	".sk span{width:var(--sk-width)}\n"
	"tbody .pk{background:var(--pk)}tbody .pk span{position:sticky;top:4.2rem}tbody .sk{background:var(--sk)}\n"
	"td{padding:0}.sk{vertical-align:middle}td b,td span{display:block;padding:.15rem .5rem}\n"
	"td b{background:var(--name);color:var(--dim);font-weight:normal;border-bottom:1px dotted var(--line)}\n"
	"td i{color:var(--type);font-style:normal;font-size:.8em;margin-left:.6em}\n"
	"@media print{thead,.pk,.sk,tbody .pk span{position:static}}\n"
	"</style>\n";

/* Return: number of cells of a row without its keys. */
static size_t
cells_of(const struct picture_row *row)
{
	return row->n + (row->left_out > 0);
}

static size_t
picture_html_widest(const struct picture *p)
{
	size_t most = 1;

	for (size_t i = 0; i < p->n; i++) {
		most = max_of(most, cells_of(&p->rows[i]));
	}
	return most;
}

/* Key columns are as wide as the longest key, but at most a quarter of the window each; longer keys are wrapped. */
static void
put_widths(struct buf *out, const struct picture *p)
{
	size_t pk = escape_columns(p->pk) + sizeof("Partition key: ");
	size_t sk = escape_columns(p->sk) + sizeof("Sort key: ");

	for (size_t i = 0; i < p->n; i++) {
		pk = max_of(pk, escape_columns(p->rows[i].pk));
		sk = max_of(sk, escape_columns(p->rows[i].sk));
	}
	buf_fmt(out,
		"<div class=\"box\">\n<table style=\"--pk-width:min(%zupx,25vw);--sk-width:min(%zupx,25vw)\">\n",
		pk * COLUMN, sk * COLUMN);
}

static void
picture_html_put_row(struct buf *out, const struct picture *p, const struct picture_row *row,
		     size_t columns)
{
	buf_str(out, row->span > 0 ? "<tbody>\n<tr>" : "<tr>");
	if (row->span > 0) {
		buf_fmt(out, "<th class=\"pk\" scope=\"rowgroup\" rowspan=\"%zu\"><span>",
			row->span);
		escape_markup(out, row->pk);
		buf_str(out, "</span></th>");
	}
	if (p->sk.len > 0) {
		buf_str(out, "<th class=\"sk\" scope=\"row\"><span>");
		escape_markup(out, row->sk);
		buf_str(out, "</span></th>");
	}
	for (size_t i = 0; i < row->n; i++) {
		buf_str(out, "<td><b>");
		escape_markup(out, row->cells[i].name);
		if (*row->cells[i].type != '\0') {
			buf_fmt(out, "<i>%s</i>", row->cells[i].type);
		}
		buf_str(out, "</b><span>");
		escape_markup(out, row->cells[i].value);
		buf_str(out, "</span></td>");
	}
	if (row->left_out > 0) {
		buf_fmt(out, "<td><b>and</b><span>%zu more attributes</span></td>", row->left_out);
	}
	if (cells_of(row) < columns) {
		buf_fmt(out, "<td class=\"rest\" colspan=\"%zu\"></td>", columns - cells_of(row));
	}
	buf_str(out, "</tr>\n");
}

static void
picture_html_put_head(struct buf *out, const struct picture *p, size_t number, size_t columns)
{
	struct buf note;

	buf_init(&note, p->arena);
	picture_note(p, &note);
	buf_fmt(out, "<section id=\"p%zu\">\n<h2>", number);
	escape_markup(out, p->title);
	buf_str(out, "</h2>\n<p>");
	escape_markup(out, buf_view(&note));
	buf_str(out, "</p>\n");
	put_widths(out, p);
	buf_fmt(out,
		"<thead>\n<tr><th class=\"pk\" colspan=\"%d\">Primary key</th>"
		"<th rowspan=\"2\" colspan=\"%zu\">Attributes</th></tr>\n"
		"<tr><th class=\"pk\"><span>Partition key: ",
		p->sk.len > 0 ? 2 : 1, columns);
	escape_markup(out, p->pk);
	if (p->sk.len > 0) {
		buf_str(out, "</span></th><th class=\"sk\"><span>Sort key: ");
		escape_markup(out, p->sk);
	}
	buf_str(out, "</span></th></tr>\n</thead>\n");
}

void
picture_style(struct buf *out)
{
	buf_str(out, style);
}

bool
picture_section(struct buf *out, const struct picture *p, size_t number, picture_drain_fn *drain,
		void *arg)
{
	size_t columns = picture_html_widest(p);

	picture_html_put_head(out, p, number, columns);
	for (size_t i = 0; i < p->n; i++) {
		picture_html_put_row(out, p, &p->rows[i], columns);
		if (i + 1 == p->n || p->rows[i + 1].span > 0) {
			buf_str(out, "</tbody>\n");
		}
		if (drain != NULL && !drain(out, arg)) {
			return false;
		}
	}
	buf_str(out, "</table>\n</div>\n</section>\n");
	return true;
}
