/*
 * serve_patterns - see serve_patterns.h
 *
 * Each line is parsed twice: first with the options of its command, to find errors; then with marks in place of values,
 * and with the options that a page supports.
 */
#include "tools/patterns/serve_patterns.h"

#include "store/base/system/write_all.h"
#include "store/base/text/json.h"

#include "tools/cli/commands.h"
#include "tools/cli/opts.h"
#include "tools/patterns/patterns.h"
#include "tools/session/command.h"
#include "tools/session/ctl.h"
#include "tools/system/child.h"
#include "tools/text/fill.h"
#include "tools/text/text_lines.h"
#include "tools/text/words.h"

/* The options of query, scan and get: those that a page supports, and those for which has_page() refuses a page */
struct page_opts {
	const char *index, *filter, *limit;
	struct words eq;
	const char *lt, *le, *gt, *ge, *begins;
	const char *between[2];
	bool reverse;
	const char *project;
	bool count;
	const char *names, *values, *start, *shards, *prefix, *hash;
	bool no_flag;          /* other flags, ignored */
	struct words no_value; /* values of other options, ignored */
};

#define AT(field) offsetof(struct page_opts, field)

static const struct opt page_opts[] = {
	{"index", 0, OPT_TEXT, "NAME", AT(index), NULL},
	{"filter", 0, OPT_EXPR, "EXPR", AT(filter), NULL},
	{"limit", 'n', OPT_TEXT, "N", AT(limit), NULL},
	{"eq", 0, OPT_LIST, "V", AT(eq), NULL},
	{"lt", 0, OPT_TEXT, "V", AT(lt), NULL},
	{"le", 0, OPT_TEXT, "V", AT(le), NULL},
	{"gt", 0, OPT_TEXT, "V", AT(gt), NULL},
	{"ge", 0, OPT_TEXT, "V", AT(ge), NULL},
	{"between", 0, OPT_PAIR, "A B", AT(between), NULL},
	{"begins-with", 0, OPT_TEXT, "V", AT(begins), NULL},
	{"reverse", 'r', OPT_FLAG, NULL, AT(reverse), NULL},
	{"project", 0, OPT_PATHS, "LIST", AT(project), NULL},
	{"count", 0, OPT_FLAG, NULL, AT(count), NULL},
	{"names", 0, OPT_JSON, "JSON", AT(names), NULL},
	{"values", 0, OPT_JSON, "JSON", AT(values), NULL},
	{"start", 0, OPT_JSON, "KEYJSON", AT(start), NULL},
	{"shards", 0, OPT_TEXT, "LO..HI", AT(shards), NULL},
	{"prefix", 0, OPT_TEXT, "P", AT(prefix), NULL},
	{"hash", 0, OPT_TEXT, "ATTR=VALUE", AT(hash), NULL},
	{"select", 0, OPT_TEXT, "WHAT", AT(project), NULL},
	OPTS_END(struct page_opts),
};

/*
 * The options of @command, redirected to struct page_opts; the members no_flag and no_value get those not in page_opts
 */
static const struct opt *
page_rows(struct call *c, const struct command *command)
{
	size_t n = 0;

	while (command->opts[n].name != NULL) {
		n++;
	}
	struct opt *rows = arena_new(&c->arena, struct opt, n + 1);

	for (size_t i = 0; i < n; i++) {
		const struct opt *ours = page_opts;

		while (ours->name != NULL && strcmp(ours->name, command->opts[i].name) != 0) {
			ours++;
		}
		bool flag = command->opts[i].kind == OPT_FLAG;

		assert(ours->name != NULL || command->opts[i].kind != OPT_PAIR);
		rows[i] = command->opts[i];
		rows[i].kind = ours->name != NULL ? ours->kind : flag ? OPT_FLAG : OPT_LIST;
		rows[i].at = ours->name != NULL ? ours->at : flag ? AT(no_flag) : AT(no_value);
	}
	rows[n] = (struct opt){0};
	return rows;
}

/* ------------------------------------------------------------ values */

/* Values of the parameters: marks that the page replaces, or plausible values if @sample is set */
static struct fill
fill_of(struct call *c, const struct pattern *p, bool sample)
{
	struct fill_value *values = arena_new(&c->arena, struct fill_value, p->n_params + 1);

	for (size_t i = 0; i < p->n_params; i++) {
		const struct pattern_param *param = &p->params[i];
		struct buf b = {.arena = &c->arena};

		if (!sample) {
			buf_fmt(&b, "\x01%.*s\x02", SLICE_ARG(param->name));
		} else if (param->has_preset && param->preset.len > 0) {
			buf_slice(&b, param->preset);
		} else {
			buf_char(&b, '1');
		}
		values[i] = (struct fill_value){param->name, buf_view(&b), param->number};
	}
	return (struct fill){.at = values, .n = p->n_params};
}

/* ------------------------------------------------------------ JSON */

static void
serve_patterns_put_member(struct buf *out, const char *name, struct slice text)
{
	if (text.at == NULL) {
		return;
	}
	buf_fmt(out, "%s\"%s\":", out->at[out->len - 1] == '{' ? "" : ",", name);
	json_put_string(out, text);
}

/* The text of a line and its continuations, with one blank in place of each line break and indentation */
static struct slice
one_line(struct call *c, struct slice text)
{
	struct buf b = {.arena = &c->arena};
	bool gap = false;

	for (size_t i = 0; i < text.len; i++) {
		gap = text.at[i] == '\n' || (gap && ascii_blank(text.at[i]));
		if (!gap) {
			buf_char(&b, text.at[i]);
		} else if (b.len > 0 && b.at[b.len - 1] != ' ') {
			buf_char(&b, ' ');
		}
	}
	return ascii_trim(buf_view(&b));
}

static void
serve_patterns_put_words(struct buf *out, const struct words *words, const struct words *eq)
{
	buf_str(out, ",\"words\":[");
	for (size_t i = 1; i < words->n + eq->n; i++) {
		const char *word = i < words->n ? words->at[i] : eq->at[i - words->n];

		buf_str(out, i == 1 ? "" : ",");
		json_put_string(out, slice_from(word));
	}
	buf_str(out, "]");
}

static void
serve_patterns_put_range(struct buf *out, const struct page_opts *o)
{
	const char *const values[][2] = {{"<", o->lt},
					 {"<=", o->le},
					 {">", o->gt},
					 {">=", o->ge},
					 {"begins_with", o->begins},
					 {"between", o->between[0]}};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		if (values[i][1] != NULL) {
			serve_patterns_put_member(out, "op", slice_from(values[i][0]));
			serve_patterns_put_member(out, "value", slice_from(values[i][1]));
		}
	}
	serve_patterns_put_member(out, "to", slice_from(o->between[1]));
}

/* Return true if a page can show the items that the line reads. */
static bool
has_page(const struct page_opts *o)
{
	return o->names == NULL && o->values == NULL && o->start == NULL && o->shards == NULL &&
	       o->prefix == NULL && o->hash == NULL;
}

static void
put_read(struct buf *out, const struct words *words, const struct page_opts *o)
{
	serve_patterns_put_member(out, "table", slice_from(words->at[0]));
	serve_patterns_put_words(out, words, &o->eq);
	serve_patterns_put_member(out, "index", slice_from(o->index));
	serve_patterns_put_range(out, o);
	serve_patterns_put_member(out, "filter", slice_from(o->filter));
	serve_patterns_put_member(out, "limit", slice_from(o->limit));
	serve_patterns_put_member(out, "order", o->reverse ? SLICE("desc") : slice_from(NULL));
	serve_patterns_put_member(out, "note",
				  o->count ? SLICE("The page shows the items, not their number.")
				  : o->project != NULL ? SLICE("The page shows whole items.")
						       : slice_from(NULL));
}

/* ------------------------------------------------------------ lines */

static int
parse(struct call *c, const struct words *argv, struct opt_target target, struct words *words)
{
	int r = opts_parse(c, &target, 1, (int)argv->n - 1, (char **)argv->at + 1, false, words,
			   NULL);

	for (size_t i = 0; r == 0 && i < words->n; i++) {
		r = fill_string(c, target.fill, FILL_WORD, words->at[i], &words->at[i]);
	}
	return r;
}

static int
put_command(struct call *c, struct buf *out, const struct pattern *p, const struct words *argv,
	    const struct command *command)
{
	const struct fill sample = fill_of(c, p, true);
	const struct fill marks = fill_of(c, p, false);
	void *into = opts_new(&c->arena, command->opts);
	struct page_opts *o = arena_new(&c->arena, struct page_opts, 1);
	struct words words = {0};
	int r = parse(c, argv, (struct opt_target){command->opts, into, &sample, 0, command->name},
		      &words);

	r = r < 0 ? r : command_check_words(NULL, c, command, &words);
	words = (struct words){0};
	r = r < 0 ? r
		  : parse(c, argv,
			  (struct opt_target){page_rows(c, command), o, &marks, 0, command->name},
			  &words);
	if (r == 0 && has_page(o) && (words.n > 1 || command_is(command, COMMAND_SCAN))) {
		put_read(out, &words, o);
	}
	return r;
}

static int
serve_patterns_put_line(struct call *c, struct buf *out, const struct pattern *p,
			const struct pattern_line *line)
{
	static const enum command_id readers[] = {COMMAND_QUERY, COMMAND_GET, COMMAND_SCAN};
	struct slice rest = line->text;
	struct word verb = {0};
	struct words argv = {0};
	int r = words_next(c, &rest, &verb);

	buf_char(out, '{');
	serve_patterns_put_member(out, "text", one_line(c, line->text));
	for (size_t i = 0; r == 0 && i < sizeof(readers) / sizeof(readers[0]); i++) {
		const struct command *reader = commands_get(readers[i]);

		if (!slice_is(verb.text, reader->name)) {
			continue;
		}
		r = words_split(c, line->text, &argv);
		r = r < 0 ? r : put_command(c, out, p, &argv, reader);
	}
	buf_char(out, '}');
	return r < 0 ? r : 0;
}

/* ------------------------------------------------------------ the file */

static void
put_param(struct buf *out, const struct pattern_param *param)
{
	buf_char(out, '{');
	serve_patterns_put_member(out, "name", param->name);
	serve_patterns_put_member(out, "about", param->about);
	serve_patterns_put_member(out, "value",
				  param->has_preset ? param->preset : slice_from(NULL));
	buf_fmt(out, ",\"number\":%s}", param->number ? "true" : "false");
}

static int
serve_patterns_put_pattern(struct call *c, struct buf *out, struct text_origin *origin,
			   const struct pattern *p)
{
	buf_char(out, '{');
	serve_patterns_put_member(out, "pattern", p->name);
	serve_patterns_put_member(out, "about", p->about);
	buf_str(out, ",\"parameters\":[");
	for (size_t i = 0; i < p->n_params; i++) {
		buf_str(out, i == 0 ? "" : ",");
		put_param(out, &p->params[i]);
	}
	buf_str(out, "],\"lines\":[");
	for (size_t i = 0; i < p->n_lines; i++) {
		buf_str(out, i == 0 ? "" : ",");
		if (serve_patterns_put_line(c, out, p, &p->lines[i]) < 0) {
			return text_at(c, origin, p->lines[i].line);
		}
	}
	buf_str(out, "]}\n");
	return 0;
}

/* Store the text in an anonymous file, which needs no removal.  It has no close-on-exec flag: itemfs reads it. */
static int
serve_patterns_keep(struct call *c, struct slice text, const char **path)
{
	int fd = child_memory("patterns", 0);

	if (fd < 0 || (errno = write_all(fd, text)) != 0) {
		return call_fail(c, ERR_IO, "--patterns: %s", strerrordesc_np(errno));
	}
	*path = arena_print(&c->arena, "/proc/self/fd/%d", fd);
	return 0;
}

int
serve_patterns(struct call *c, const char *file, const char **path)
{
	struct text_origin origin = {.file = file == NULL || strcmp(file, "-") == 0 ? NULL : file};
	struct patterns all = {0};
	struct slice text;
	int r = file == NULL ? 0 : ctl_read_text(c, file, &text);

	if (file == NULL || r < 0) {
		return r;
	}
	r = patterns_parse(c, &origin, text, &all);
	struct buf out = {.arena = &c->arena};
	for (size_t i = 0; r == 0 && i < all.n; i++) {
		r = serve_patterns_put_pattern(c, &out, &origin, &all.at[i]);
	}
	return r < 0 ? r : serve_patterns_keep(c, buf_view(&out), path);
}
