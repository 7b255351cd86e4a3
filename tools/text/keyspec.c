/* keyspec - see keyspec.h */
#include "tools/text/keyspec.h"

#include "store/model/schema.h"
#include "store/model/value.h"

#include "tools/text/typed_line.h"
#include "tools/text/words.h"

/* The type of a key attribute that was typed without a type, until settle_types() */
enum { KEYSPEC_TYPE_OPEN = VALUE_TYPES };

/* Take the text before @separator off @rest; without one take all, and rest->at becomes NULL. */
static struct slice
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

/*
 * Parse PK[:T][,SK[:T]]; messages quote @spec, the whole option.
 * @several: the key of a GSI: each part is A[:T]+B[:T]..., with up to KEY_PART_MAX attributes
 * @out: the caller has set it to zeros
 */
static int
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

/* Parse [PK[:T],]SK[:T], the key of a local index; @pk: the partition key of the table, which is also that of the index */
static int
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

/* ------------------------------------------------------------ definitions */

static int
include(struct call *c, const char *spec, struct slice names, struct index *out)
{
	size_t room = 0;

	out->projection = PROJECTION_INCLUDE;
	while (names.len > 0) {
		out->include = arena_room(&c->arena, out->include, out->n_include, &room);
		out->include[out->n_include] = keyspec_cut(&names, ',');
		if (out->include[out->n_include++].len == 0) {
			return call_fail(c, ERR_USAGE, "\"%s\": an attribute has no name", spec);
		}
	}
	if (out->n_include == 0) {
		return call_fail(c, ERR_USAGE, "\"%s\": INCLUDE: needs attribute names", spec);
	}
	return 0;
}

static int
keyspec_projection(struct call *c, const char *spec, struct slice text, struct index *out)
{
	if (slice_is(text, "ALL") || slice_is(text, "KEYS_ONLY")) {
		out->projection = text.at[0] == 'A' ? PROJECTION_ALL : PROJECTION_KEYS_ONLY;
		return 0;
	}
	if (slice_starts(text, SLICE("INCLUDE:"))) {
		return include(c, spec, slice_skip(text, strlen("INCLUDE:")), out);
	}
	return call_fail(c, ERR_USAGE,
			 "\"%s\": a projection must be ALL, KEYS_ONLY or INCLUDE:a,b, not \"%.*s\"",
			 spec, SLICE_ARG(text));
}

/* NAME=KEY[/PROJECTION] */
static int
keyspec_strict_index(struct call *c, const char *spec, const struct key_attr *pk, struct index *out)
{
	struct slice rest = slice_from(spec);

	out->name = keyspec_cut(&rest, '=');
	if (out->name.len == strlen(spec) || out->name.len == 0) {
		return call_fail(c, ERR_USAGE, "\"%s\": write an index as NAME=KEY", spec);
	}
	struct slice text = keyspec_cut(&rest, '/');
	bool projects = rest.at != NULL;
	int r = out->global ? keyspec_key(c, spec, text, true, &out->key)
			    : keyspec_key_local(c, spec, text, pk, &out->key);
	if (r < 0 || !projects) {
		return r;
	}
	return keyspec_projection(c, spec, rest, out);
}

/*
 * Translate @spec from another notation. If it is certain, clear the call's error and return the translation. If it is
 * only likely, add it to the error as a suggestion and return NULL. The call has the error of parsing @spec as ours.
 */
static const char *
keyspec_meant(struct call *c, const char *spec, bool index)
{
	assert(c->error.code != 0);
	struct buf meant = {.arena = &c->arena};
	struct buf line = {.arena = &c->arena};

	enum keyspec_meaning meaning = keyspec_other(&meant, slice_from(spec), index);

	if (meaning == KEYSPEC_CERTAIN) {
		c->error = (struct error){0};
		return slice_cstr(&c->arena, buf_view(&meant));
	}
	if (meaning == KEYSPEC_LIKELY && !slice_is(buf_view(&meant), spec)) {
		struct slice said = slice_copy(&c->arena, slice_from(c->error.message));

		buf_str(&line, "did you mean: ");
		if (!typed_line_change(spec, buf_view(&meant)) ||
		    !typed_line_with(&line, SLICE(""), SLICE(""))) {
			buf_slice(&line, buf_view(&meant));
		}
		c->error = (struct error){0};
		(void)!call_fail(c, ERR_USAGE, "%.*s; %.*s", SLICE_ARG(said),
				 SLICE_ARG(buf_view(&line)));
	}
	return NULL;
}

/* Parse the table's key, in our notation or in another one. */
static int
keyspec_table_key(struct call *c, const char *spec, struct key_schema *out)
{
	int r = keyspec_key(c, spec, slice_from(spec), false, out);
	const char *meant = r < 0 ? keyspec_meant(c, spec, false) : NULL;

	if (meant != NULL) {
		*out = (struct key_schema){0};
		r = keyspec_key(c, meant, slice_from(meant), false, out);
	}
	return r;
}

static int
index_spec(struct call *c, const char *spec, bool global, const struct key_attr *pk,
	   struct index *out)
{
	*out = (struct index){.global = global};
	int r = keyspec_strict_index(c, spec, pk, out);
	const char *meant = r < 0 ? keyspec_meant(c, spec, true) : NULL;

	if (meant != NULL) {
		*out = (struct index){.global = global};
		r = keyspec_strict_index(c, meant, pk, out);
	}
	return r;
}

/* The n-th slot for a key attribute: those of the table's key, then those of each index */
static struct key_attr *
nth(struct schema *s, size_t n)
{
	size_t i = n / KEY_ATTRS_MAX;
	assert(i <= s->n_index);

	return (struct key_attr *)key_slot(i == 0 ? &s->key : &s->index[i - 1].key,
					   n % KEY_ATTRS_MAX);
}

/* Give attributes without a type the type that they have elsewhere, else S. Fail if an attribute has two types. */
static int
settle_types(struct call *c, struct schema *s)
{
	size_t n = KEY_ATTRS_MAX * (1 + s->n_index);

	for (size_t i = 0; i < n; i++) {
		struct key_attr *a = nth(s, i);

		for (size_t j = 0; j < n; j++) {
			const struct key_attr *b = nth(s, j);

			if (a->name.len == 0 || !slice_eq(a->name, b->name) ||
			    (int)b->type == KEYSPEC_TYPE_OPEN || a->type == b->type) {
				continue;
			}
			if ((int)a->type != KEYSPEC_TYPE_OPEN) {
				return call_fail(c, ERR_USAGE,
						 "the attribute %.*s is given two types, %s and %s",
						 SLICE_ARG(a->name), value_type_name(a->type),
						 value_type_name(b->type));
			}
			a->type = b->type;
		}
		if ((int)a->type == KEYSPEC_TYPE_OPEN) {
			a->type = VALUE_S;
		}
	}
	return 0;
}

int
keyspec_schema(struct call *c, const char *table, const char *spec, const struct words *gsi,
	       const struct words *lsi, struct schema *out)
{
	*out = (struct schema){.table = slice_from(table), .n_index = gsi->n + lsi->n};
	int r = keyspec_table_key(c, spec, &out->key);
	if (r < 0) {
		return r;
	}
	out->index = arena_new(&c->arena, struct index, out->n_index + 1);
	/* Backwards: the error of the first index suggests a line, where the later ones are already corrected. */
	for (size_t i = out->n_index; i-- > 0;) {
		bool global = i >= lsi->n;
		struct error later = c->error;

		c->error = (struct error){0};
		int one = index_spec(c, global ? gsi->at[i - lsi->n] : lsi->at[i], global,
				     out->key.pk, &out->index[i]);

		r = one < 0 ? one : r;
		c->error = one < 0 ? c->error : later;
	}
	return r < 0 ? r : settle_types(c, out);
}

int
keyspec_index(struct call *c, const struct schema *s, const char *spec, struct index *out)
{
	struct schema with = *s;

	with.index = arena_new(&c->arena, struct index, s->n_index + 1);
	for (size_t i = 0; i < s->n_index; i++) {
		with.index[i] = s->index[i];
	}
	int r = index_spec(c, spec, true, NULL, &with.index[with.n_index++]);

	if (r == 0) {
		r = settle_types(c, &with);
	}
	*out = with.index[s->n_index];
	return r;
}

int
keyspec_view(struct call *c, const char *word, enum stream_view *out)
{
	struct buf upper = {.arena = &c->arena};

	for (const char *at = word; at != NULL && *at != '\0'; at++) {
		bool small = *at >= 'a' && *at <= 'z';

		buf_char(&upper, small ? (char)(*at - 'a' + 'A') : *at == '-' ? '_' : *at);
	}
	*out = word == NULL                       ? STREAM_NONE
	       : slice_is(buf_view(&upper), "ON") ? STREAM_NEW_AND_OLD_IMAGES
						  : stream_view_from_name(buf_view(&upper));
	return word == NULL || *out != STREAM_NONE
		       ? 0
		       : call_fail(c, ERR_USAGE,
				   "--stream needs KEYS_ONLY, NEW_IMAGE, OLD_IMAGE or "
				   "NEW_AND_OLD_IMAGES, not \"%s\"",
				   word);
}

static void
print_attribute(struct buf *out, const struct key_attr *a)
{
	buf_fmt(out, "%.*s:%s", SLICE_ARG(a->name), value_type_name(a->type));
}

static void
print_part(struct buf *out, const struct key_attr part[KEY_PART_MAX])
{
	for (size_t i = 0; i < key_part_n(part); i++) {
		buf_str(out, i == 0 ? "" : "+");
		print_attribute(out, &part[i]);
	}
}

void
keyspec_print(struct buf *out, const struct key_schema *k)
{
	print_part(out, k->pk);
	if (key_schema_has_sort(k)) {
		buf_char(out, ',');
		print_part(out, k->sk);
	}
}

void
keyspec_print_index(struct buf *out, const struct index *ix)
{
	if (ix->global) {
		keyspec_print(out, &ix->key);
	} else {
		print_attribute(out, ix->key.sk);
	}
	if (ix->projection == PROJECTION_KEYS_ONLY) {
		buf_str(out, "/KEYS_ONLY");
	}
	for (size_t i = 0; i < ix->n_include; i++) {
		buf_str(out, i == 0 ? "/INCLUDE:" : ",");
		buf_slice(out, ix->include[i]);
	}
}
