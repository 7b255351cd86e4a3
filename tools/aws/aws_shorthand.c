/* aws_shorthand - see aws_shorthand.h */
#include "tools/aws/aws_shorthand.h"

#include "store/base/text/json.h"

#include "tools/text/words.h"

enum { SHORTHAND_DEPTH = 32 };

struct shorthand {
	struct call *c;
	struct json_writer *w;
	struct slice text;
	size_t at;
};

static int shorthand_value(struct shorthand *s, struct slice name, int depth);

static int
shorthand_fault(struct shorthand *s)
{
	return call_fail(s->c, ERR_USAGE,
			 "\"%.*s\" is neither JSON nor shorthand (A=b,C=[d,e]): invalid at "
			 "byte %zu",
			 SLICE_ARG(s->text), s->at + 1);
}

static bool
shorthand_is(const struct shorthand *s, char expected)
{
	return s->at < s->text.len && s->text.at[s->at] == expected;
}

/* The text up to one of @stops or the end. */
static struct slice
shorthand_until(struct shorthand *s, const char *stops)
{
	size_t begin = s->at;

	while (s->at < s->text.len && strchr(stops, s->text.at[s->at]) == NULL) {
		s->at++;
	}
	return slice_of(s->text.at + begin, s->at - begin);
}

static bool
shorthand_is_number(struct slice name, struct slice value)
{
	return value.len > 0 && ascii_digits_end(value, 0) == value.len &&
	       (slice_ends(name, SLICE("Units")) || words_in("Limit Segment TotalSegments", name));
}

void
aws_shorthand_scalar(struct json_writer *w, struct slice name, struct slice value)
{
	bool truth = slice_ends(name, SLICE("Enabled")) &&
		     (slice_is(value, "true") || slice_is(value, "false"));

	if (truth || shorthand_is_number(name, value)) {
		json_raw(w, value);
	} else {
		json_string(w, value);
	}
}

static int
shorthand_list(struct shorthand *s, struct slice name, int depth)
{
	json_open(s->w, '[');
	for (s->at++; !shorthand_is(s, ']');) {
		int r = shorthand_value(s, name, depth + 1);

		if (r < 0) {
			return r;
		}
		if (shorthand_is(s, ',')) {
			s->at++;
		} else if (!shorthand_is(s, ']')) {
			return shorthand_fault(s);
		}
	}
	s->at++;
	json_close(s->w);
	return 0;
}

/* Convert A=b,C=d up to the end or to a closing bracket. */
static int
shorthand_pairs(struct shorthand *s, int depth)
{
	json_open(s->w, '{');
	do {
		struct slice name = ascii_trim(shorthand_until(s, "=,[]{}"));

		if (name.len == 0 || !shorthand_is(s, '=')) {
			return shorthand_fault(s);
		}
		s->at++;
		json_name_slice(s->w, name);
		int r = shorthand_value(s, name, depth + 1);

		if (r < 0) {
			return r;
		}
	} while (shorthand_is(s, ',') && s->at++ < s->text.len);
	json_close(s->w);
	return 0;
}

static int
shorthand_value(struct shorthand *s, struct slice name, int depth)
{
	if (depth > SHORTHAND_DEPTH) {
		return shorthand_fault(s);
	}
	if (shorthand_is(s, '[')) {
		return shorthand_list(s, name, depth);
	}
	if (!shorthand_is(s, '{')) {
		aws_shorthand_scalar(s->w, name, shorthand_until(s, ",]}"));
		return 0;
	}
	s->at++;
	int r = shorthand_pairs(s, depth);

	if (r == 0 && !shorthand_is(s, '}')) {
		return shorthand_fault(s);
	}
	s->at++;
	return r;
}

int
aws_shorthand(struct call *c, struct json_writer *w, struct slice text)
{
	struct shorthand s = {c, w, text, 0};
	int r = shorthand_pairs(&s, 0);

	return r == 0 && s.at < text.len ? shorthand_fault(&s) : r;
}
