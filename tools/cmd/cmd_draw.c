/*
 * cmd_draw - draw: item collections as pictures, of the table and then of each index
 *
 * It sends Scans, or a Query for each --partition to the table and to each index whose key has the right type.
 */
#include "store/model/key_text.h"
#include "store/model/schema.h"
#include "store/model/value.h"
#include "store/page/picture.h"

#include "tools/cmd/cmd.h"
#include "tools/out/sink.h"
#include "tools/picture/excerpt.h"
#include "tools/picture/picture_form.h"
#include "tools/session/ctl.h"
#include "tools/session/streams.h"
#include "tools/system/target.h"
#include "tools/system/viewer.h"

struct draw_opts {
	struct words partitions;
	const char *output;
	const char *form;
};

static const struct opt draw_opts[] = {
	{"partition", 0, OPT_LIST, "PK", offsetof(struct draw_opts, partitions),
	 "only the collections with this partition key, of the table and of indexes"},
	{"output", 'o', OPT_TEXT, "FILE", offsetof(struct draw_opts, output),
	 "FILE.html, .svg, .png, .mmd, .md or .txt; default: standard output, or a browser"},
	{"format", 0, OPT_TEXT, "FORM", offsetof(struct draw_opts, form),
	 "html, svg, png, mermaid, markdown or text; default: by the file's name, else html"},
	OPTS_END(struct draw_opts),
};

/* One picture and its requests */
struct drawing {
	struct picture picture;
	struct op_in *requests;
	size_t *of; /* index of the request for each --partition; NO_REQUEST: not a key of this table or index */
	size_t n;
};

#define NO_REQUEST SIZE_MAX

/* All pictures */
struct gallery {
	struct picture *pictures;
	size_t n;
	bool *seen; /* for each --partition: an item was found */
};

/* ------------------------------------------------------------ requests */

/* Parse a key value.  Return: false if it does not have the type of the key, which is no error: then no item has it */
static bool
value_fits(struct call *c, const struct key_attr *attr, const char *text, struct value *out)
{
	call_scope(own, c->now_ms);
	bool fits = key_text_parse(&own, attr, slice_from(text), out) == 0;

	if (fits) {
		*out = value_copy(&c->arena, out);
	}
	return fits;
}

static struct op_in
query_of(struct call *c, const struct read_in *read, const struct key_attr *pk, struct value *v)
{
	struct name_alias *name = arena_new(&c->arena, struct name_alias, 1);
	struct attr *value = arena_new(&c->arena, struct attr, 1);
	struct op_in in = {.type = OP_QUERY, .query.read = *read};

	*name = (struct name_alias){SLICE("#p"), pk->name};
	*value = (struct attr){SLICE(":p"), *v};
	in.query.key_condition = SLICE("#p = :p");
	in.query.read.ph = (struct placeholders){.names = name,
						 .n_names = 1,
						 .values = {value, 1},
						 .names_given = true,
						 .values_given = true};
	return in;
}

/* Index of the first of @n values that is equal to @v, else @n; 1 and 1.0 are equal */
static size_t
find_value(const struct value *values, size_t n, const struct value *v)
{
	size_t i = 0;

	while (i < n && !value_eq(&values[i], v)) {
		i++;
	}
	return i;
}

static void
cmd_draw_plan(struct call *c, const struct draw_opts *o, struct drawing *d)
{
	const struct picture *p = &d->picture;
	const struct key_schema *key = schema_key(p->schema, p->index);
	struct read_in read = {.table = p->schema->table,
			       .index = p->index == NULL ? SLICE("") : p->index->name};
	struct value *values = arena_new(&c->arena, struct value, o->partitions.n + 1);

	d->picture.chosen = o->partitions.n > 0;
	d->requests = arena_new(&c->arena, struct op_in, o->partitions.n + 1);
	d->of = arena_new(&c->arena, size_t, o->partitions.n + 1);
	if (o->partitions.n == 0) {
		d->requests[d->n++] = (struct op_in){.type = OP_SCAN, .scan.read = read};
	}
	for (size_t i = 0; i < o->partitions.n; i++) {
		struct value *v = &values[d->n];

		d->of[i] = NO_REQUEST;
		if (value_fits(c, &key->pk[0], o->partitions.at[i], v)) {
			d->of[i] = find_value(values, d->n, v);
		}
		if (d->of[i] == d->n) {
			d->requests[d->n++] = query_of(c, &read, &key->pk[0], v);
		}
	}
}

/* ------------------------------------------------------------ reading */

/* Read pages of one request while there is room in the picture.  @any: set to true if there is an item */
static int
cmd_draw_read_stream(struct ctl *ctl, struct call *c, struct streams *s, size_t i,
		     struct picture *p, bool *any)
{
	struct stream_page *page = NULL;
	bool room = true;
	int r = 0;

	while (room && (r = streams_next(s, c, i, &page)) == 0) {
		ctl->counted.pages++;
		ctl->counted.count += page->page.count;
		ctl->counted.scanned += page->page.scanned;
		*any = *any || page->page.count > 0;
		for (size_t k = 0; room && k < page->page.count; k++) {
			room = picture_add(p, &page->page.items[k]);
		}
	}
	return r < 0 ? r : 0;
}

static int
read_picture(struct ctl *ctl, struct call *c, const struct draw_opts *opts, struct drawing *d,
	     bool *seen)
{
	struct streams_options o = {.engine = ctl->engine,
				    .requests = d->requests,
				    .n = d->n,
				    .most = PICTURE_ROWS + 1,
				    .now_ms = c->now_ms};
	struct streams *s = streams_new(&o);
	int r = 0;

	for (size_t i = 0; r == 0 && i < d->n; i++) {
		bool any = false;

		r = cmd_draw_read_stream(ctl, c, s, i, &d->picture, &any);
		for (size_t k = 0; k < opts->partitions.n; k++) {
			seen[k] = seen[k] || (any && d->of[k] == i);
		}
	}
	streams_free(s);
	picture_end(&d->picture);
	return r;
}

/* Return true if the index can be drawn with these options; else note the reason. */
static bool
drawable(struct ctl *ctl, const struct draw_opts *o, const struct schema *s, const struct index *ix)
{
	const char *why = NULL;

	if (schema_view(s, ix->name) == NULL) {
		why = "it is not complete";
	} else if (o->partitions.n > 0 && key_part_n(ix->key.pk) > 1) {
		why = "its partition key has several attributes, of which --partition names one";
	}
	if (why != NULL) {
		ctl_note(ctl, "the index %.*s is not drawn: %s", SLICE_ARG(ix->name), why);
	}
	return why == NULL;
}

/* Make the pictures of the table and its indexes; with --partition only those that have items. */
static int
cmd_draw_read_all(struct ctl *ctl, struct call *c, const struct draw_opts *o,
		  const struct schema *s, struct gallery *out)
{
	int r = 0;

	out->pictures = arena_new(&c->arena, struct picture, s->n_index + 1);
	out->seen = arena_new(&c->arena, bool, o->partitions.n + 1);
	for (size_t i = 0; r == 0 && i <= s->n_index; i++) {
		const struct index *ix = i == 0 ? NULL : &s->index[i - 1];
		struct drawing d = {0};

		if (ix != NULL && !drawable(ctl, o, s, ix)) {
			continue;
		}
		picture_begin(&d.picture, &c->arena, s, ix);
		cmd_draw_plan(c, o, &d);
		r = read_picture(ctl, c, o, &d, out->seen);
		if (r == 0 && d.picture.more && !d.picture.chosen) {
			picture_begin(&d.picture, &c->arena, s, ix);
			r = excerpt_read(ctl, c, &d.picture);
		}
		if (d.picture.n > 0 || o->partitions.n == 0) {
			out->pictures[out->n++] = d.picture;
		}
	}
	return r;
}

/* ------------------------------------------------------------ drawing */

static int
draw(struct ctl *ctl, struct call *c, const char *output, const struct picture_form *form,
     const struct gallery *g)
{
	struct target target = {0};
	struct sink sink;

	int r = target_open(c, output, &target);
	if (r < 0) {
		return r;
	}
	sink_init(&sink, target.fd);
	if (form->draw == NULL) {
		r = picture_png(c, &sink, g->pictures, g->n);
	}
	if (r == 0 &&
	    !(form->draw == NULL ? sink_flush(&sink) : form->draw(&sink, g->pictures, g->n))) {
		r = call_fail(c, ERR_IO, "writing the picture: %s", strerrordesc_np(sink.failed));
	}
	sink_release(&sink);
	ctl->out.sink.failed = target.name == NULL ? sink.failed : 0;
	return target_close(c, &target, r);
}

/* Note what was drawn, and which partitions do not exist.  Return: exit status, 1 if one does not exist */
static int
cmd_draw_tell(const struct ctl *ctl, struct call *c, const struct draw_opts *o,
	      const struct gallery *g)
{
	int status = 0;

	for (size_t i = 0; i < g->n; i++) {
		struct slice title = g->pictures[i].title;
		struct buf b = {.arena = &c->arena};

		picture_note(&g->pictures[i], &b);
		ctl_note(ctl, "%.*s: %.*s", SLICE_ARG(title), SLICE_ARG(buf_view(&b)));
	}
	for (size_t i = 0; i < o->partitions.n; i++) {
		if (!g->seen[i]) {
			ctl_note(ctl, "there is no partition \"%s\", in the table or in an index",
				 o->partitions.at[i]);
			status = 1;
		}
	}
	return status;
}

/* Write HTML to a temporary file and open it, instead of printing it on a terminal. */
static int
draw_to_viewer(struct ctl *ctl, struct call *c, const struct gallery *g)
{
	const char *path = NULL;
	int r = viewer_file(c, "draw.html", &path);

	r = r < 0 ? r : draw(ctl, c, path, picture_form_named("html"), g);
	if (r == 0) {
		buf_fmt(&ctl->out.sink.buf, "%s %s\n", viewer_open(path) ? "opened" : "written to",
			path);
	}
	return r;
}

static int
run_draw(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct draw_opts *o = opts;
	const struct schema *schema = NULL;
	struct gallery g = {0};
	const struct picture_form *form = NULL;

	int r = picture_form_find(c, o->form, o->output, &form);
	r = r != 0 ? r : ctl_schema(ctl, c, slice_from(words->at[0]), &schema);
	if (r < 0) {
		return r;
	}
	assert(schema != NULL);
	if (form->draw == NULL && (o->output == NULL || strcmp(o->output, "-") == 0) &&
	    isatty(STDOUT_FILENO)) {
		return call_fail(c, ERR_USAGE,
				 "a PNG cannot be printed on a terminal: -o FILE.png");
	}
	r = cmd_draw_read_all(ctl, c, o, schema, &g);
	if (r == 0 && g.n > 0) {
		bool shown = o->output == NULL && o->form == NULL && isatty(STDOUT_FILENO);

		r = shown ? draw_to_viewer(ctl, c, &g) : draw(ctl, c, o->output, form, &g);
	}
	return r < 0 ? r : cmd_draw_tell(ctl, c, o, &g);
}

const struct command cmd_draw = {
	.name = "draw",
	.usage =
		"TABLE [--partition PK]... [-o FILE] [--format html|svg|png|mermaid|markdown|text]",
	.summary = "draw item collections: keys, attributes, one picture per index",
	.details =
		"HTML and SVG are single files without external resources, for light and dark screens.\n"
		"Mermaid is a flow chart that GitHub and GitLab show in Markdown. PNG needs an installed\n"
		"Chromium, Chrome or Firefox. A redirection >FILE.svg selects the form as -o FILE.svg\n"
		"does. Collections are in order of their partition keys, at most 2,000 items per picture;\n"
		"of a larger table, one or two collections of each kind are shown. Long values are cut\n"
		"and show their length. With --partition, indexes with a multi-attribute partition key\n"
		"are not drawn.",
	.examples = "itemctl draw music -o music.svg\n"
		    "itemctl draw music --partition Acme -o acme.html\n"
		    "itemctl draw music --partition Acme --format mermaid\n",
	.opts = draw_opts,
	.min_words = 1,
	.max_words = 1,
	.run = run_draw,
};
