/* opts_value - see opts_value.h; also opts_count() of opts.h */
#include "tools/cli/opts_value.h"

#include <math.h>

#include "tools/cli/opts.h"
#include "tools/text/fill.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

bool
opts_count(const char *text, uint64_t *out)
{
	const double most =
		9007199254740992.0; /* 2^53: above it, a double cannot represent every whole number */
	char *end = NULL;

	if (!ascii_digit(text[0])) {
		return false;
	}
	errno = 0;
	double v = strtod(text, &end);

	if (errno != 0 || strpbrk(text, "eEpPxX") != NULL) {
		return false;
	}
	double scale = *end == 'k' || *end == 'K' ? 1e3 : *end == 'M' ? 1e6 : *end == 'G' ? 1e9 : 1;

	end += scale > 1;
	v *= scale;
	if (*end != '\0' || v > most || v != floor(v)) {
		return false;
	}
	*out = (uint64_t)v;
	return true;
}

static enum fill_as
fill_as(enum opt_kind kind)
{
	return kind == OPT_EXPR    ? FILL_EXPRESSION
	       : kind == OPT_JSON  ? FILL_JSON
	       : kind == OPT_PATHS ? FILL_NOTHING
				   : FILL_WORD;
}

/* An example of a value: the first one of "on|off", else one of the kind; empty if there is none */
static struct slice
example(const char *arg)
{
	static const char *const rows[][2] = {{"N", "10"},
					      {"V", "2024"},
					      {"VIEW", "NEW_AND_OLD_IMAGES"},
					      {"A B", "2024-01 2024-12"},
					      {"EXPR", "'Total > 10'"},
					      {"LIST", "Id,Name"}};
	const char *bar = strchr(arg, '|');

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(rows[i][0], arg) == 0) {
			return slice_from(rows[i][1]);
		}
	}
	return slice_of(arg, bar == NULL ? 0 : (size_t)(bar - arg));
}

static int
without_value(struct call *c, const struct opts_walk *w, struct slice name, const char *arg)
{
	assert(arg != NULL);
	bool choice = strchr(arg, '|') != NULL;
	struct slice value = example(arg);
	struct buf b = {.arena = &c->arena};

	buf_str(&b, choice ? ": " : ", for example: ");
	if (value.len == 0 || w->targets[0].fill != NULL ||
	    !typed_line_with(&b, SLICE(""), SLICE(""))) {
		b.len = 0;
	} else if (strcmp(arg, "A B") == 0 && strncmp(w->argv[w->argc - 1], "--", 2) != 0) {
		buf_str(&b, " 2024-12"); /* the first one of the pair was given */
	} else {
		buf_fmt(&b, " %.*s", SLICE_ARG(value));
	}
	return call_fail(c, ERR_USAGE, "--%.*s needs %s%s%.*s", SLICE_ARG(name),
			 choice ? "one of " : "", arg, SLICE_ARG(buf_view(&b)));
}

int
opts_take_text(struct call *c, struct opts_walk *w, struct slice name, const char *arg,
	       const char **inlined, const char **out)
{
	*out = *inlined;
	*inlined = NULL;
	if (*out == NULL && w->next >= w->argc) {
		return without_value(c, w, name, arg);
	}
	if (*out == NULL) {
		*out = w->argv[w->next++];
	}
	return 0;
}

/* Take the value of an option and fill in its parameters. */
static int
value(struct call *c, struct opts_walk *w, const struct opt *o, const struct fill *fill,
      const char **inlined, const char **out)
{
	const char *text;
	int r = opts_take_text(c, w, slice_from(o->name), o->arg, inlined, &text);

	return r < 0 ? r : fill_string(c, fill, fill_as(o->kind), text, out);
}

static int
store_count(struct call *c, const struct opt *o, const char *text, struct opt_count *out)
{
	const char *colon = strcmp(o->name, "port") == 0 ? strrchr(text, ':') : NULL;

	out->given = true;
	if (colon != NULL && opts_count(colon + 1, &out->n) &&
	    strspn(text, "0123456789") == (size_t)(colon - text)) { /* docker's HOST:CONTAINER */
		text = slice_cstr(&c->arena, slice_of(text, (size_t)(colon - text)));
	}
	if (!opts_count(text, &out->n)) {
		return call_fail(c, ERR_USAGE, "--%s needs a whole number, not \"%s\"", o->name,
				 text);
	}
	return 0;
}

bool
opts_is_keys(const struct opt *o)
{
	return strcmp(o->name, "key") == 0 && o->kind == OPT_TEXT;
}

/* Record that the option was given; fail if it has a value and was given before. */
static int
only_once(struct call *c, const struct opt *o, struct opt_target *target)
{
	assert(o >= target->opts && o - target->opts < OPT_ROWS_MAX);
	uint64_t bit = UINT64_C(1) << (o - target->opts);

	if ((target->given & bit) != 0 && o->arg != NULL && o->kind != OPT_LIST) {
		return call_fail(c, ERR_USAGE, "--%s is given twice%s", o->name,
				 o->kind == OPT_EXPR ? ": join them with AND"
				 : opts_is_keys(o)   ? ": give both keys as PK,SK"
						     : "");
	}
	target->given |= bit;
	return 0;
}

/* Split "A,B" into a pair, unless another value follows. */
static bool
split_pair(struct call *c, const struct opts_walk *w, const char *text, const char **at)
{
	const char *comma = strchr(text, ',');

	if (comma == NULL || comma[1] == '\0' ||
	    (w->next < w->argc && strncmp(w->argv[w->next], "--", 2) != 0)) {
		return false;
	}
	at[0] = slice_cstr(&c->arena, slice_of(text, (size_t)(comma - text)));
	at[1] = comma + 1;
	return true;
}

int
opts_store(struct call *c, struct opts_walk *w, const struct opt *o, struct opt_target *target,
	   const char *inlined)
{
	void *at = (char *)target->into + o->at;
	const char *text = "";
	int r = only_once(c, o, target);

	r = r == 0 && o->arg != NULL ? value(c, w, o, target->fill, &inlined, &text) : r;
	if (r < 0) {
		return r;
	}
	switch (o->kind) {
	case OPT_FLAG:
		*(bool *)at = true;
		break;
	case OPT_TEXT:
	case OPT_EXPR:
	case OPT_PATHS:
	case OPT_JSON:
		*(const char **)at = text;
		break;
	case OPT_LIST:
		words_add(c, at, text);
		break;
	case OPT_COUNT:
		r = store_count(c, o, text, at);
		break;
	case OPT_PAIR:
		((const char **)at)[0] = text;
		if (split_pair(c, w, text, at)) {
			break;
		}
		r = value(c, w, o, target->fill, &inlined, &((const char **)at)[1]);
		break;
	}
	if (r == 0 && inlined != NULL) {
		return call_fail(c, ERR_USAGE, "--%s takes no value", o->name);
	}
	return r;
}
