/*
 * picture_mermaid - item collections as a Mermaid flow chart, which GitHub and GitLab render in Markdown
 *
 *   table or index -> partition key -> item: sort key, attributes
 */
#include "tools/out/sink.h"
#include "tools/picture/picture_form.h"

/* By default Mermaid accepts at most 500 arrows and 50,000 characters. */
enum {
	MERMAID_ARROWS = 450,
	MERMAID_BYTES = 40000,
	MERMAID_CELLS = 8, /* attributes in a box */
};

struct mermaid {
	struct buf *out;
	size_t from; /* offset in @out where the chart begins */
	size_t arrows;
	size_t left_out; /* items that are not drawn */
};

/* Append text for use in double quotes: special characters become entities. */
static void
mermaid_text(struct buf *b, struct slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		char ch = s.at[i];

		if (ch != '\0' && strchr("\"#<>&`\\;", ch) != NULL) {
			buf_fmt(b, "#%d;", (int)ch);
		} else {
			buf_char(b, ch);
		}
	}
}

static void
mermaid_named(struct buf *b, struct slice name, const char *type, struct slice value)
{
	mermaid_text(b, name);
	buf_fmt(b, "%s%s = ", type[0] == '\0' ? "" : " ", type);
	mermaid_text(b, value);
}

static void
mermaid_item(struct buf *b, const struct picture *p, const struct picture_row *row)
{
	const char *between = "";

	if (p->sk.len > 0) {
		mermaid_named(b, p->sk, "", row->sk);
		between = "<br>";
	}
	for (size_t i = 0; i < row->n && i < MERMAID_CELLS; i++) {
		buf_str(b, between);
		mermaid_named(b, row->cells[i].name, row->cells[i].type, row->cells[i].value);
		between = "<br>";
	}
	size_t more = row->left_out + (row->n > MERMAID_CELLS ? row->n - MERMAID_CELLS : 0);

	if (more > 0) {
		buf_fmt(b, "%sand %zu more", between, more);
	}
}

static bool
mermaid_is_full(const struct mermaid *m)
{
	return m->arrows >= MERMAID_ARROWS || m->out->len - m->from > MERMAID_BYTES;
}

static void
mermaid_rows(struct mermaid *m, const struct picture *p, size_t number)
{
	size_t collection = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct picture_row *row = &p->rows[i];

		if (mermaid_is_full(m)) {
			m->left_out += p->n - i;
			return;
		}
		if (row->span > 0) {
			collection = i;
			buf_fmt(m->out, "    p%zuc%zu([\"", number, i);
			mermaid_named(m->out, p->pk, "", row->pk);
			buf_str(m->out, "\"])\n");
		}
		if (p->sk.len == 0 && row->n == 0) {
			continue; /* the item has only its key */
		}
		buf_fmt(m->out, "    p%zuc%zu --> p%zui%zu[\"", number, collection, number, i);
		mermaid_item(m->out, p, row);
		buf_str(m->out, "\"]\n");
		m->arrows++;
	}
}

bool
picture_mermaid(struct sink *out, const struct picture *pictures, size_t n)
{
	struct mermaid m = {.out = &out->buf, .from = out->buf.len};

	buf_str(m.out, "flowchart LR\n");
	for (size_t i = 0; i < n; i++) {
		if (mermaid_is_full(&m)) {
			m.left_out += pictures[i].n;
			continue;
		}
		buf_fmt(m.out, "  subgraph p%zu[\"", i);
		mermaid_text(m.out, pictures[i].title);
		buf_str(m.out, "\"]\n");
		mermaid_rows(&m, &pictures[i], i);
		buf_str(m.out, "  end\n");
	}
	if (m.left_out > 0) {
		buf_fmt(m.out, "  more[\"%zu more items: a flow chart has no room for them\"]\n",
			m.left_out);
	}
	return sink_flush(out);
}

bool
picture_markdown(struct sink *out, const struct picture *pictures, size_t n)
{
	buf_str(&out->buf, "```mermaid\n");
	if (!picture_mermaid(out, pictures, n)) {
		return false;
	}
	buf_str(&out->buf, "```\n");
	return sink_flush(out);
}
