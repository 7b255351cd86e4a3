/* mask_rules - see mask.h: the parser of the file of rules */
#include "store/base/text/sha256.h"
#include "store/model/number.h"

#include "tools/mask/mask_int.h"
#include "tools/session/ctl.h"
#include "tools/text/text_lines.h"

enum { KEY_BYTES_MIN = 16 };

/* ------------------------------------------------------------ words of a line */

/* Take the next word, without its quotes; *@out is empty at the end, and at a comment if @comment is true. */
static int
mask_word(struct call *c, struct slice *line, bool comment, struct slice *out)
{
	struct slice s = ascii_trim(*line);
	size_t n = 0;

	*out = slice_of(s.at, 0);
	*line = s;
	if (s.len == 0 || (comment && s.at[0] == '#')) {
		return 0;
	}
	if (s.at[0] == '\'' || s.at[0] == '"') {
		const char *end = memchr(s.at + 1, s.at[0], s.len - 1);

		if (end == NULL) {
			return call_fail(c, ERR_USAGE, "a quote is not closed");
		}
		*out = slice_of(s.at + 1, (size_t)(end - s.at) - 1);
		*line = slice_skip(s, out->len + 2);
		return out->len > 0 ? 0 : call_fail(c, ERR_USAGE, "a word is empty");
	}
	while (n < s.len && !ascii_blank(s.at[n])) {
		n++;
	}
	*out = slice_of(s.at, n);
	*line = slice_skip(s, n);
	return 0;
}

static int
mask_wanted(struct call *c, struct slice *line, const char *behind, const char *what, bool comment,
	    struct slice *out)
{
	int r = mask_word(c, line, comment, out);

	return r < 0 || out->len > 0 ? r : call_fail(c, ERR_USAGE, "%s needs %s", behind, what);
}

/* ------------------------------------------------------------ paths */

static struct mask_node *
mask_node_below(struct mask *m, struct mask_node *n, struct slice name)
{
	struct mask_node **at = &n->child;

	if (name.len == 1 && name.at[0] == '*') {
		at = &n->any;
	} else {
		while (*at != NULL && !slice_eq((*at)->name, name)) {
			at = &(*at)->next;
		}
	}
	if (*at == NULL) {
		*at = arena_new(&m->arena, struct mask_node, 1);
		(*at)->name = slice_copy(&m->arena, name);
	}
	return *at;
}

/* Take one name of a path and the "[]" after it from *@s, and go to its node. */
static int
mask_path_name(struct call *c, struct mask *m, struct slice *s, struct mask_node **n)
{
	bool quoted = s->len > 0 && s->at[0] == '`';
	const char *end = quoted ? memchr(s->at + 1, '`', s->len - 1) : NULL;
	size_t len = 0;

	if (quoted && end != NULL) {
		*n = mask_node_below(m, *n, slice_of(s->at + 1, (size_t)(end - s->at) - 1));
		len = (size_t)(end - s->at) + 1;
	} else {
		while (len < s->len && s->at[len] != '.' && s->at[len] != '[' &&
		       s->at[len] != '`' && !ascii_blank(s->at[len])) {
			len++;
		}
		*n = mask_node_below(m, *n, slice_of(s->at, len));
	}
	if (len == 0 || (quoted && len == 2)) {
		return call_fail(c, ERR_USAGE, "a path must be names separated by \".\"");
	}
	*s = slice_skip(*s, len);
	while (slice_starts(*s, SLICE("[]"))) {
		if ((*n)->each == NULL) {
			(*n)->each = arena_new(&m->arena, struct mask_node, 1);
		}
		*n = (*n)->each;
		*s = slice_skip(*s, 2);
	}
	return 0;
}

static int
mask_path(struct call *c, struct mask *m, struct slice *line, struct mask_node **out,
	  struct slice *path)
{
	struct slice s = ascii_trim(*line);
	const char *begin = s.at;
	int r;

	*out = &m->root;
	do {
		r = mask_path_name(c, m, &s, out);
		if (r < 0 || s.len == 0 || s.at[0] != '.') {
			break;
		}
		s = slice_skip(s, 1);
	} while (true);
	if (r == 0 && s.len > 0 && !ascii_blank(s.at[0])) {
		r = call_fail(c, ERR_USAGE,
			      "a path must be names separated by \".\", with \"[]\" for each "
			      "element of a list");
	}
	*path = slice_of(begin, (size_t)(s.at - begin));
	*line = s;
	return r;
}

/* ------------------------------------------------------------ rules */

static int
mask_number_of(struct call *c, const char *action, struct slice word, struct mask_rule *rule)
{
	call_scope(own, c->now_ms);
	int r = number_parse(&own, word, &rule->shift);

	if (r < 0) {
		return call_fail(c, ERR_USAGE, "%s needs a number, not \"%.*s\"", action,
				 SLICE_ARG(word));
	}
	if (rule->action == MASK_SHIFT_DAYS) {
		char *end;

		rule->days = strtol(slice_cstr(&c->arena, word), &end, 10);
		if (*end != '\0' || rule->days > 3000000 || rule->days < -3000000) {
			return call_fail(c, ERR_USAGE,
					 "shift-days needs a whole number of days, not \"%.*s\"",
					 SLICE_ARG(word));
		}
	}
	return 0;
}

static int
mask_fake_kind(struct call *c, struct mask *m, struct slice *line, struct mask_rule *rule)
{
	struct slice word;
	struct slice text;
	struct buf kinds = {.arena = &c->arena};

	mask_fake_kinds(&kinds);
	int r = mask_word(c, line, true, &word);

	if (r == 0 && slice_is(word, "from")) {
		r = mask_wanted(c, line, "fake from", "a file of words", true, &word);
		r = r < 0 ? r : ctl_read_text(c, slice_cstr(&c->arena, word), &text);
		rule->fake = r < 0 ? NULL : mask_fake_of(&m->arena, text);
		return r < 0 || rule->fake != NULL
			       ? r
			       : call_fail(c, ERR_USAGE, "there is no word in %.*s",
					   SLICE_ARG(word));
	}
	rule->fake = mask_fake_find(word);
	return r < 0 || rule->fake != NULL
		       ? r
		       : call_fail(c, ERR_USAGE, "fake needs one of: %.*s, or from FILE",
				   SLICE_ARG(buf_view(&kinds)));
}

static int
mask_action(struct call *c, struct mask *m, struct slice *line, struct mask_rule *rule)
{
	struct slice word;
	size_t n = 0;
	int r = mask_wanted(c, line, "a path",
			    "an action: keep, drop, redact, hash, shift, shift-days, fake", true,
			    &word);

	while (r == 0 && n <= MASK_FAKE && !slice_is(word, mask_action_name((enum mask_action)n))) {
		n++;
	}
	if (r == 0 && n > MASK_FAKE) {
		r = call_fail(
			c, ERR_USAGE,
			"unknown action \"%.*s\": use keep, drop, redact, hash, shift, shift-days "
			"or fake",
			SLICE_ARG(word));
	}
	if (r < 0) {
		return r;
	}
	rule->action = (enum mask_action)n;
	if (rule->action == MASK_FAKE) {
		return mask_fake_kind(c, m, line, rule);
	}
	if (rule->action == MASK_SHIFT || rule->action == MASK_SHIFT_DAYS) {
		r = mask_wanted(c, line, mask_action_name(rule->action), "a number", true, &word);
		return r < 0 ? r : mask_number_of(c, mask_action_name(rule->action), word, rule);
	}
	return 0;
}

static int
mask_except(struct call *c, struct mask *m, struct slice *line, struct mask_rule *rule)
{
	size_t room = 0;
	struct slice word;
	int r = mask_wanted(c, line, "except", "values", true, &word);

	while (r == 0 && word.len > 0) {
		rule->except = arena_room(&m->arena, rule->except, rule->n_except, &room);
		rule->except[rule->n_except++] = slice_copy(&m->arena, word);
		r = mask_word(c, line, true, &word);
	}
	return r;
}

/* Parse after SEP, parts SEP, when PREFIX, except VALUE ..., or the text of redact. */
static int
mask_argument(struct call *c, struct mask *m, struct slice *line, struct slice word,
	      struct mask_rule *rule)
{
	bool parts = slice_is(word, "parts");
	int r;

	if (slice_is(word, "except")) {
		return mask_except(c, m, line, rule);
	}
	if (slice_is(word, "when")) {
		r = mask_wanted(c, line, "when", "a prefix", false, &word);
		rule->when = slice_copy(&m->arena, word);
		return r;
	}
	if (!parts && !slice_is(word, "after")) {
		if (rule->action == MASK_REDACT && slice_is(rule->text, "***")) {
			rule->text = slice_copy(&m->arena, word);
			return 0;
		}
		return call_fail(c, ERR_USAGE,
				 "unknown word \"%.*s\": use after, parts, when or except",
				 SLICE_ARG(word));
	}
	if (rule->action == MASK_KEEP || rule->action == MASK_DROP || rule->after.len > 0) {
		return call_fail(c, ERR_USAGE, "%.*s does not go with the words before it",
				 SLICE_ARG(word));
	}
	r = mask_wanted(c, line, parts ? "parts" : "after", "a separator", false, &word);
	rule->after = slice_copy(&m->arena, word);
	rule->parts = parts;
	return r;
}

/* Append a rule to those of its path, which must all have a "when". */
static int
mask_add(struct call *c, struct mask *m, struct mask_node *n, struct mask_rule *rule)
{
	struct mask_rule **at = &n->rule;

	for (; *at != NULL; at = &(*at)->other) {
		if ((*at)->when.len == 0) {
			return call_fail(c, ERR_USAGE, "%.*s has a rule in line %d",
					 SLICE_ARG(rule->path), (*at)->line);
		}
	}
	*at = rule;
	*(m->last_rule == NULL ? &m->rules : &m->last_rule->next) = rule;
	m->last_rule = rule;
	rule->number = m->n_rules++;
	return 0;
}

static int
mask_line(struct call *c, struct mask *m, struct slice line, int number)
{
	struct mask_rule *rule = arena_new(&m->arena, struct mask_rule, 1);
	struct mask_node *n;
	struct slice word = {0};
	int r = mask_path(c, m, &line, &n, &rule->path);

	rule->line = number;
	rule->text = SLICE("***");
	rule->path = slice_copy(&m->arena, rule->path);
	struct slice words = ascii_trim(line);

	r = r < 0 ? r : mask_action(c, m, &line, rule);
	for (r = r < 0 ? r : mask_word(c, &line, true, &word); r == 0 && word.len > 0;
	     r = r < 0 ? r : mask_word(c, &line, true, &word)) {
		r = mask_argument(c, m, &line, word, rule);
	}
	words.len -= line.len < words.len ? line.len : 0;
	rule->words = slice_copy(&m->arena, ascii_trim(words));
	return r < 0 ? r : mask_add(c, m, n, rule);
}

/* ------------------------------------------------------------ the file */

/* Check that each path has a rule without "when". */
static int
mask_is_whole(struct call *c, struct mask *m)
{
	for (const struct mask_rule *r = m->rules; r != NULL; r = r->next) {
		if (r->when.len > 0 && r->other == NULL) {
			(void)!call_fail(c, ERR_USAGE,
					 "other values of %.*s have no rule: add one without "
					 "\"when\"",
					 SLICE_ARG(r->path));
			return text_at(c, &m->origin, r->line);
		}
	}
	return 0;
}

static int
mask_read_key(struct call *c, struct mask *m, const char *file)
{
	const char *env = getenv("ITEMFS_MASK_KEY"); /* NOLINT(concurrency-mt-unsafe) */
	struct slice key = slice_from(env);
	bool wanted = false;
	int r = file == NULL ? 0 : ctl_read_file(c, file, &key);

	for (const struct mask_rule *rule = m->rules; rule != NULL; rule = rule->next) {
		wanted = wanted || rule->action == MASK_HASH || rule->action == MASK_FAKE;
	}
	if (r < 0 || !wanted) {
		return r;
	}
	while (key.len > 0 && (key.at[key.len - 1] == '\n' || key.at[key.len - 1] == '\r')) {
		key.len--;
	}
	if (key.len == 0 && file == NULL) {
		return call_fail(c, ERR_USAGE,
				 "hash and fake need a key: --mask-key FILE, or ITEMFS_MASK_KEY");
	}
	if (key.len < KEY_BYTES_MIN) {
		return call_fail(c, ERR_USAGE, "the key of a mask must have at least %d bytes",
				 KEY_BYTES_MIN);
	}
	m->key = arena_new(&m->arena, struct sha256_keyed, 1);
	sha256_keyed_init(m->key, key);
	return 0;
}

int
mask_read(struct call *c, const char *file, const char *key, struct mask **out)
{
	struct mask *m = mem_new(struct mask);
	struct text_lines lines = {0};

	*out = m;
	arena_init(&m->arena, SIZE_MAX);
	m->origin.file = mem_string(file);
	int r = ctl_read_text(c, file, &lines.rest);

	while (r == 0 && lines.rest.len > 0) {
		struct slice line = text_lines_next(&lines);

		if (!text_is_idle(line, false)) {
			r = mask_line(c, m, line, lines.line);
			r = r < 0 ? text_at(c, &m->origin, lines.line) : 0;
		}
	}
	r = r < 0 ? r : mask_is_whole(c, m);
	r = r == 0 && m->n_rules == 0 ? call_fail(c, ERR_USAGE, "there is no rule in %s", file) : r;
	return r < 0 ? r : mask_read_key(c, m, key);
}

void
mask_free(struct mask *m)
{
	if (m != NULL) {
		free((char *)m->origin.file);
		arena_drop(&m->arena);
		free(m);
	}
}
