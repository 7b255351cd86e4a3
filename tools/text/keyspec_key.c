/* keyspec_key - see keyspec_key.h */
#include "tools/text/keyspec_key.h"

#include "store/base/core/ascii.h"
#include "store/model/schema.h"
#include "store/model/value.h"

#include "tools/text/typed_line.h"
#include "tools/text/words.h"

struct slice
keyspec_cut(struct slice *rest, char separator)
{
	const char *at = slice_chr(*rest, separator);
	struct slice head = *rest;

	if (at == NULL) {
		*rest = slice_of(NULL, 0);
		return head;
	}
	head.len = (size_t)(at - rest->at);
	*rest = slice_skip(*rest, head.len + 1);
	return head;
}

enum value_type
keyspec_type(struct slice word)
{
	static const struct {
		const char *words;
		enum value_type type;
	} rows[] = {
		{"s string str text varchar uuid", VALUE_S},
		{"n number num int integer float double decimal numeric bigint long", VALUE_N},
		{"b binary bytes", VALUE_B},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (words_in_any_case(rows[i].words, word)) {
			return rows[i].type;
		}
	}
	return value_type_from_name(word);
}

/* Return true if @ch is rare in names, but other tools write it between or around names. */
static bool
keyspec_is_odd(char ch)
{
	return ascii_blank(ch) || (ch != '\0' && strchr(";/=|()[]{}<>\"'", ch) != NULL);
}

bool
keyspec_separates(char ch)
{
	return keyspec_is_odd(ch) || ch == ',' || ch == ':';
}

/* @text without blanks at its ends and beside separators; blanks within a name stay */
static struct slice
keyspec_without_blanks(struct call *c, struct slice text)
{
	struct buf b = {.arena = &c->arena};

	for (size_t i = 0; i < text.len; i++) {
		size_t next = i;

		while (next < text.len && ascii_blank(text.at[next])) {
			next++;
		}
		bool first = b.len == 0 || strchr(",:+", b.at[b.len - 1]) != NULL;
		bool last = next == text.len || strchr(",:+", text.at[next]) != NULL;

		if (next == i || (!first && !last)) {
			buf_char(&b, text.at[i]);
		}
	}
	return b.len == 0 ? slice_of(text.at, 0) : buf_view(&b);
}

/* Remove blanks around the names in @text, and refuse names with a character that other notations use. */
static int
keyspec_check_names(struct call *c, const char *spec, struct slice *text)
{
	*text = keyspec_without_blanks(c, *text);
	for (size_t i = 0; i < text->len; i++) {
		if (keyspec_is_odd(text->at[i])) {
			return call_fail(c, ERR_USAGE,
					 "\"%s\": give a name that contains '%c' in JSON, to "
					 "create-table --from FILE",
					 spec, text->at[i]);
		}
	}
	return 0;
}

bool
keyspec_is_role(struct slice word)
{
	return ascii_same(word, SLICE("hash")) || ascii_same(word, SLICE("range"));
}

/* "; did you mean: LINE", the typed line with @by in place of @word; empty if @word cannot be found in it */
static struct slice
keyspec_line(struct call *c, struct slice word, struct slice by)
{
	struct buf line = {.arena = &c->arena};

	(void)typed_line_said(&line, "; did you mean: ", word, by);
	return buf_view(&line);
}

static int
attribute(struct call *c, const char *spec, struct slice text, struct key_attr *out)
{
	struct slice type = text;
	struct slice name = keyspec_cut(&type, ':');

	*out = (struct key_attr){.name = name, .type = (enum value_type)KEYSPEC_TYPE_OPEN};
	if (name.len == 0) {
		return call_fail(c, ERR_USAGE, "\"%s\": an attribute has no name", spec);
	}
	if (name.len == text.len) {
		return !keyspec_is_role(name)
			       ? 0
			       : call_fail(c, ERR_USAGE,
					   "\"%s\": %.*s is the role of an attribute; for an "
					   "attribute of that name write %.*s:S",
					   spec, SLICE_ARG(name), SLICE_ARG(name));
	}
	out->type = keyspec_type(type);
	if (!value_is_ordered(out->type)) {
		/* types that DynamoDB lacks, and whose values are stored as strings */
		bool text_type = words_in_any_case("date datetime bool boolean", type);

		return call_fail(
			c, ERR_USAGE, "\"%s\": a key must have type S, N or B, not \"%.*s\"%.*s",
			spec, SLICE_ARG(type),
			SLICE_ARG(text_type ? keyspec_line(c, type, SLICE("S")) : SLICE("")));
	}
	return 0;
}

/* Parse a partition key or sort key; @several: of a GSI, A[:T]+B[:T]... */
static int
keyspec_part(struct call *c, const char *spec, struct slice text, bool several,
	     struct key_attr out[KEY_PART_MAX])
{
	int r = 0;

	if (!several && text.len > 0 && slice_chr(text, '+') != NULL) {
		return call_fail(c, ERR_USAGE,
				 "\"%s\": only a partition key or sort key of a --gsi may have "
				 "several attributes, joined with +; give a name that contains + "
				 "in JSON, with --from",
				 spec);
	}
	for (size_t i = 0; text.at != NULL && r == 0; i++) {
		if (i == KEY_PART_MAX) {
			return call_fail(c, ERR_USAGE,
					 "\"%s\": a partition key or sort key has at most %d "
					 "attributes",
					 spec, KEY_PART_MAX);
		}
		r = attribute(c, spec, keyspec_cut(&text, '+'), &out[i]);
	}
	return r;
}

int
keyspec_key(struct call *c, const char *spec, struct slice text, bool several,
	    struct key_schema *out)
{
	int r = keyspec_check_names(c, spec, &text);

	if (r < 0) {
		return r;
	}
	struct slice rest = text;
	struct slice pk = keyspec_cut(&rest, ',');

	r = keyspec_part(c, spec, pk, several, out->pk);
	if (r < 0 || pk.len == text.len) {
		return r;
	}
	if (rest.len > 0 && slice_chr(rest, ',') != NULL) {
		struct slice two = slice_of(text.at, (size_t)(slice_chr(rest, ',') - text.at));

		return call_fail(
			c, ERR_USAGE, "\"%s\": a key has at most two %s%.*s", spec,
			several ? "parts; attributes of a part are joined with +" : "attributes",
			SLICE_ARG(several ? SLICE("") : keyspec_line(c, slice_from(spec), two)));
	}
	return keyspec_part(c, spec, rest, several, out->sk);
}

int
keyspec_key_local(struct call *c, const char *spec, struct slice text, const struct key_attr *pk,
		  struct key_schema *out)
{
	int r = keyspec_check_names(c, spec, &text);

	if (r < 0) {
		return r;
	}
	struct slice rest = text;
	struct slice first = keyspec_cut(&rest, ',');

	out->pk[0] = *pk;
	if (rest.at == NULL) {
		return keyspec_part(c, spec, text, false, out->sk);
	}
	r = attribute(c, spec, first, out->pk);
	if (r == 0 && (!slice_eq(out->pk->name, pk->name) ||
		       (rest.len > 0 && slice_chr(rest, ',') != NULL))) {
		return call_fail(c, ERR_USAGE,
				 "\"%s\": a local index has the table's partition key, %.*s, and "
				 "one sort key: --lsi NAME=SK",
				 spec, SLICE_ARG(pk->name));
	}
	return r < 0 ? r : keyspec_part(c, spec, rest, false, out->sk);
}
