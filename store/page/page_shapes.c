/* page_shapes - the page of the kinds of items of a table or index, each with a link to an example */
#include "store/base/core/escape.h"
#include "store/model/item.h"
#include "store/model/key_text.h"
#include "store/page/page.h"
#include "store/page/page_html.h"
#include "store/page/page_key.h"
#include "store/page/picture.h"
#include "store/page/shapes.h"

enum {
	SHAPES_READ = 5000, /* items of the sample: few, so that the page loads fast */
	SHAPES_ATTRS = 40,  /* attributes that are shown of a kind */
};

static void
page_shapes_put_part(struct call *c, struct buf *out, const struct key_attr part[KEY_PART_MAX],
		     bool sort, const struct item *key)
{
	for (size_t i = 0; i < key_part_n(part); i++) {
		const struct value *v = item_get(key, part[i].name);

		if (v != NULL) {
			page_link_arg(out, slice_from(page_key_names(sort, i)->value),
				      key_text_of(&c->arena, v));
		}
	}
}

/* Append the template of the partition key, as a link to the first example. */
static void
put_example(struct call *c, struct buf *out, const struct shapes *all, const struct shape *s,
	    struct slice text)
{
	const struct key_schema *key = schema_key(all->schema, all->index);

	if (s->n_keys == 0) {
		escape_markup(out, text);
		return;
	}
	page_link_begin(out, all->schema->table);
	page_link_arg(out, SLICE("index"), all->index == NULL ? SLICE("") : all->index->name);
	page_shapes_put_part(c, out, key->pk, false, &s->keys[0]);
	page_shapes_put_part(c, out, key->sk, true, &s->keys[0]);
	buf_str(out, "\" title=\"an example");
	page_link_mark(out, false);
	escape_markup(out, text);
	buf_str(out, "</a>");
}

static void
put_attributes(struct call *c, struct buf *out, const struct shape *s)
{
	size_t shown = s->n_attrs < SHAPES_ATTRS ? s->n_attrs : SHAPES_ATTRS;
	size_t more = s->n_attrs - shown + s->attrs_left_out;
	struct buf how;

	buf_init(&how, NULL);
	for (size_t i = 0; i < shown; i++) {
		buf_str(out, i == 0 ? "" : ", ");
		escape_markup(out, picture_text(&c->arena, s->attrs[i].name, s->attrs[i].name.len));
		buf_clear(&how);
		shape_put_attr(s, &s->attrs[i], &how);
		buf_str(out, "<i>");
		escape_markup(out, buf_view(&how));
		buf_str(out, "</i>");
	}
	if (more > 0) {
		buf_str(out, " and ");
		page_count(out, more, "more attribute");
	}
	buf_release(&how);
}

/* Names of indexes need no escaping. */
static void
page_shapes_put_indexes(struct buf *out, const struct shapes *all, const struct shape *s)
{
	const char *between = "";

	for (size_t i = 0; s->in_index != NULL && i < all->schema->n_index; i++) {
		if (s->in_index[i] > 0) {
			buf_str(out, between);
			buf_slice(out, all->schema->index[i].name);
			shape_put_share(out, s->in_index[i], s->items);
			between = ", ";
		}
	}
}

/* The optional columns of the list. */
struct columns {
	bool sort;
	bool names;
	bool indexes;
};

static struct columns
columns_of(const struct shapes *all)
{
	struct columns has = {.sort = key_schema_has_sort(schema_key(all->schema, all->index))};

	for (size_t i = 0; i < all->n; i++) {
		has.names = has.names || all->at[i].name.len > 0;
		has.indexes =
			has.indexes || (all->at[i].in_index != NULL && all->schema->n_index > 0);
	}
	return has;
}

static void
put_shape(struct call *c, struct buf *out, const struct shapes *all, const struct shape *s,
	  struct columns has)
{
	buf_str(out, "<tr><td>");
	if (has.names) {
		escape_markup(out, picture_text(&c->arena, s->name, s->name.len));
		buf_str(out, "</td><td>");
	}
	put_example(c, out, all, s, picture_text(&c->arena, s->pk, s->pk.len));
	if (has.sort) {
		buf_str(out, "</td><td>");
		escape_markup(out, picture_text(&c->arena, s->sk, s->sk.len));
	}
	buf_fmt(out, "</td><td class=\"n\">%llu</td><td class=\"fold\">",
		(unsigned long long)s->items);
	put_attributes(c, out, s);
	if (has.indexes) {
		buf_str(out, "</td><td>");
		page_shapes_put_indexes(out, all, s);
	}
	buf_str(out, "</td></tr>\n");
}

static void
put_shapes(struct call *c, struct buf *out, const struct shapes *all)
{
	struct columns has = columns_of(all);
	struct buf note;

	buf_init(&note, &c->arena);
	shapes_note(all, &note);
	buf_str(out, "<p>");
	page_text(out, buf_view(&note));
	buf_fmt(out,
		"</p>\n<div class=\"box\">\n<table class=\"list\">\n<thead><tr>%s<th>Partition key</th>%s"
		"<th class=\"n\">Items</th><th>Attributes</th>%s</tr></thead>\n<tbody>\n",
		has.names ? "<th>Kind</th>" : "", has.sort ? "<th>Sort key</th>" : "",
		has.indexes ? "<th>Indexes</th>" : "");
	for (size_t i = 0; i < all->n; i++) {
		put_shape(c, out, all, &all->at[i], has);
	}
	buf_str(out, "</tbody>\n</table>\n</div>\n");
}

unsigned
page_shapes(struct call *c, struct engine *e, const struct page_request *rq,
	    const struct table_info *table, struct buf *out)
{
	struct shapes_options o = {.index = page_argument(rq, "index"), .sample = SHAPES_READ};
	struct shapes all = {0};
	int r = shapes_find(c, e, table, &o, &all);

	page_head(out, table->schema->table, NULL);
	page_table_head(out, table, all.index, true);
	if (r < 0) {
		page_error(out, c->error.message, SLICE(""), 0);
	} else if (all.n == 0) {
		buf_str(out, "<p class=\"empty\">There are no items here.</p>\n");
	} else {
		put_shapes(c, out, &all);
	}
	return page_foot(out, &c->error);
}
