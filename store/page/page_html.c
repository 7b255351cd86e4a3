/* page_html - style sheet, head, foot, links, texts and error messages */
#include "store/page/page_html.h"

#include <sys/random.h>

#include "store/base/core/escape.h"
#include "store/base/core/utf8.h"
#include "store/base/text/base64.h"
#include "store/model/schema.h"
#include "store/model/value.h"
#include "store/page/picture.h"

enum { HTTP_OK = 200, HTTP_NOT_FOUND = 404 };

/*
 * This is added to the style sheet of pictures, which defines the colours.  Only boxes scroll sideways; each table is
 * in one.  The field for a second value is visible only if the operator needs it.
 */
static const char style[] =
	"<style>\n"
	":root{--accent:#1a5fb4;--bad:#c0392b}@media(prefers-color-scheme:dark){:root{--accent:#78aeed;--bad:#f0796b}}\n"
	"*{box-sizing:border-box}body{margin:0 auto;padding:1.25rem 1.5rem;overflow-wrap:anywhere}a{color:var(--accent)}\n"
	":focus-visible{outline:2px solid var(--accent);outline-offset:2px}\n"
	"header{margin:0 0 1rem}h1{font-weight:normal}h1 a{color:inherit;text-decoration:none}h1 a:hover{text-decoration:underline}"
	"h1 a+b::before{content:' / ';color:var(--dim);font-weight:normal}h1 b{font-weight:600}\n"
	"nav.tabs{display:flex;flex-wrap:wrap;gap:.35rem;border-bottom:2px solid var(--heavy);margin:1rem 0}\n"
	"nav.tabs a{padding:.35rem .8rem;margin:0;border:1px solid var(--line);border-bottom:0;border-radius:4px 4px 0 0;"
	"text-decoration:none;color:var(--ink);min-width:0}nav.tabs a:hover{background:var(--name)}\n"
	"nav.tabs a.on{background:var(--pk);font-weight:600}nav.tabs small{color:var(--dim);display:block;font-weight:normal}\n"
	"p.line{margin:1.5rem 0 .6rem}p.line code{color:var(--ink)}label.value{flex:1 1 16rem;max-width:30rem;color:var(--ink)}"
	"label small{color:var(--dim);margin-left:.5em}\n"
	"nav.views a{color:var(--accent)}nav.views a.on{color:var(--ink);text-decoration:none;font-weight:600}\n"
	"form{display:flex;flex-wrap:wrap;gap:.75rem 1rem;align-items:end;margin:0 0 1.25rem}\n"
	"fieldset{display:flex;gap:.35rem;border:0;margin:0;padding:0;min-width:0;flex:1 1 13rem;max-width:22rem}"
	"fieldset.sort{flex-basis:24rem;max-width:38rem}fieldset>*{min-width:0}\n"
	"legend,label{color:var(--dim);padding:0}legend{margin:0 0 .15rem;color:var(--ink)}legend small{color:var(--dim);margin-left:.5em}"
	"label{display:flex;flex-direction:column;gap:.15rem}\n"
	"label.wide{flex:1 1 100%;max-width:61rem;color:var(--ink)}label.check{flex-direction:row;align-items:center;gap:.4rem;"
	"color:var(--ink);height:2rem}\n"
	"input,button,select{font:13px ui-monospace,monospace;color:var(--ink);background:var(--paper);border:1px solid var(--heavy);"
	"border-radius:4px;padding:.3rem .5rem;height:2rem;min-width:0}input{flex:1;width:100%}label input{flex:none}input.few{width:6rem}input::placeholder{color:var(--dim);opacity:1}\n"
	"input[type=checkbox]{width:1rem;height:1rem;margin:0}button{background:var(--pk);cursor:pointer;font:600 13px system-ui,sans-serif;"
	"padding:.3rem 1.2rem}button:hover{border-color:var(--ink)}select{flex:none;width:7.6rem}\n"
	"fieldset:not(:has(option[value=between]:checked)) .to:placeholder-shown{display:none}\n"
	".send{display:flex;gap:1rem;align-items:center;flex:1 1 100%}\n"
	".box{overflow:auto;max-width:100%;max-height:calc(100vh - 2rem);overflow-wrap:normal}\n"
	".list td,.list th{padding:.35rem .8rem;vertical-align:baseline}.list .n{text-align:right;font-variant-numeric:tabular-nums}"
	".list td.in{padding-left:2rem}.list thead{position:static}.list{margin:0 0 1rem}.list tbody tr:hover{background:var(--name)}\n"
	".list td i{margin:0 0 0 .4em}.list td.fold{white-space:normal;overflow-wrap:anywhere;min-width:16rem}\n"
	".empty{padding:1.5rem;border:1px dashed var(--line);border-radius:4px;text-align:center}code{overflow-wrap:anywhere}\n"
	".error{color:var(--ink);border-left:4px solid var(--bad);border-radius:2px;padding:.6rem 1rem;background:var(--name);"
	"white-space:pre-wrap;font-family:ui-monospace,monospace}mark{background:var(--bad);color:var(--paper)}\n"
	".INSERT{color:#2a7d3f}.MODIFY{color:#a86400}.REMOVE{color:var(--bad)}.changes td{padding:.3rem .5rem}\n"
	"del{color:var(--dim)}section h2{display:none}footer{display:flex;flex-wrap:wrap;gap:.3rem 1rem;color:var(--dim);margin:1rem 0 0}\n"
	"@media(max-width:600px){body{padding:.9rem}fieldset,fieldset.sort{flex-basis:100%;max-width:none}select{width:6.6rem}}\n"
	"@media print{.box{overflow:visible;max-height:none}form{display:none}}\n"
	"</style>\n";

void
page_head(struct buf *out, struct slice title, const char *script)
{
	char bytes[16] = {0};
	struct buf nonce = {0};

	buf_str(out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'");
	if (script != NULL && getrandom(bytes, sizeof(bytes), 0) == (ssize_t)sizeof(bytes)) {
		base64_encode(&nonce, slice_of(bytes, sizeof(bytes)));
		buf_fmt(out, "; connect-src 'self'; script-src 'nonce-%.*s'",
			SLICE_ARG(buf_view(&nonce)));
	}
	buf_str(out,
		"\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
		"<link rel=\"icon\" href=\"data:,\">\n<title>");
	escape_markup(out, title.len == 0 ? SLICE("itemfs") : title);
	buf_str(out, "</title>\n");
	picture_style(out);
	buf_str(out, style);
	if (nonce.len > 0) {
		buf_fmt(out, "<script nonce=\"%.*s\">\n", SLICE_ARG(buf_view(&nonce)));
		buf_str(out, script);
		buf_str(out, "</script>\n");
	}
	buf_str(out, "</head>\n<body>\n<header>\n<h1><a href=\"./\">itemfs</a>");
	if (title.len > 0) {
		buf_str(out, "<b>");
		escape_markup(out, title);
		buf_str(out, "</b>");
	}
	buf_str(out, "</h1>\n");
	buf_release(&nonce);
}

unsigned
page_foot(struct buf *out, const struct error *e)
{
	buf_str(out, "</body>\n</html>\n");
	if (e->code == ERR_NONE) {
		return HTTP_OK;
	}
	return e->code == ERR_NO_TABLE ? HTTP_NOT_FOUND : (unsigned)error_http(e->code);
}

/* ------------------------------------------------------------ links */

void
page_link_begin(struct buf *out, struct slice path)
{
	buf_str(out, "<a href=\"");
	buf_slice(out, path.len == 0 ? SLICE("./") : path);
	buf_str(out, "?");
}

void
page_link_arg(struct buf *out, struct slice name, struct slice value)
{
	if (value.len == 0) {
		return;
	}
	assert(out->len > 0);
	buf_str(out, out->at[out->len - 1] == '?' ? "" : "&amp;");
	escape_percent(out, name, escape_unreserved);
	buf_char(out, '=');
	escape_percent(out, value, escape_unreserved);
}

void
page_link_mark(struct buf *out, bool on)
{
	assert(out->len > 0);
	if (out->at[out->len - 1] == '?') {
		out->len--;
	}
	buf_str(out, on ? "\" class=\"on\" aria-current=\"page\">" : "\">");
}

void
page_link_end(struct buf *out, struct slice text)
{
	page_link_mark(out, false);
	buf_slice(out, text);
	buf_str(out, "</a>");
}

/* ------------------------------------------------------------ texts */

void
page_text(struct buf *out, struct slice text)
{
	struct buf shown;

	buf_init(&shown, NULL);
	(void)escape_put(&shown, text, SIZE_MAX);
	escape_markup(out, buf_view(&shown));
	buf_release(&shown);
}

void
page_count(struct buf *out, uint64_t n, const char *what)
{
	buf_fmt(out, "%llu %s%s", (unsigned long long)n, what, n == 1 ? "" : "s");
}

void
page_bytes(struct buf *out, uint64_t n)
{
	static const char *const units[] = {"KB", "MB", "GB", "TB"};
	double size = (double)n / 1024;
	size_t i = 0;

	if (n < 1024) {
		page_count(out, n, "byte");
		return;
	}
	for (; size >= 1024 && i < 3; i++) {
		size /= 1024;
	}
	buf_fmt(out, "%.1f %s", size, units[i]);
}

void
page_keys(struct buf *out, const struct key_schema *k)
{
	const char *between = "";

	key_each (attr, k) {
		buf_str(out, between);
		page_text(out, attr->name);
		if (attr->type != VALUE_S) {
			buf_fmt(out, " (%s)", value_type_name(attr->type));
		}
		between = ", ";
	}
}

/* Append @typed with a mark at the character at 1 + offset @place, which may be just after the last one. */
static void
page_put_marked(struct buf *out, struct slice typed, size_t place)
{
	assert(place > 0 && place <= typed.len + 1);

	struct slice rest = slice_skip(typed, place - 1);
	size_t n = rest.len > 0 ? 1 : 0;

	while (n > 0 && n < rest.len && !utf8_begins(rest.at[n])) {
		n++;
	}
	page_text(out, slice_of(typed.at, place - 1));
	buf_str(out, "<mark>");
	page_text(out, n > 0 ? slice_of(rest.at, n) : SLICE(" "));
	buf_str(out, "</mark>");
	page_text(out, slice_skip(rest, n));
}

void
page_error(struct buf *out, const char *message, struct slice typed, size_t place)
{
	buf_str(out, "<p class=\"error\" role=\"alert\">");
	page_text(out, slice_from(message));
	if (typed.len > 0 && place > 0 && place <= typed.len + 1) {
		buf_str(out, "\n\n");
		page_put_marked(out, typed, place);
	}
	buf_str(out, "</p>\n");
}
