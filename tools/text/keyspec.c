/* keyspec - text of --key, --gsi, --lsi into a schema; limits are the engine's to check */
#include "tools/text/keyspec.h"

#include "store/base/core/ascii.h"
#include "store/model/schema.h"
#include "store/model/value.h"

#include "tools/text/keyspec_other.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

/* Marks a key attribute that was typed without a type. */
enum { TYPE_OPEN = VALUE_TYPES };

/* Cut @rest at the first @separator; without one, all of it. */
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

/* What hardly any attribute's name has, but what other tools write between two names or around them. */
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

/* Blanks at the ends, and beside what separates names and types, are of no name. */
static struct slice
keyspec_without_blanks(struct call *c, struct slice text)
{
	struct buf b;

	buf_init(&b, &c->arena);
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

/* Does each name look like one?  @text without blanks around names. */
static int
keyspec_check_names(struct call *c, const char *spec, struct slice *text)
{
	*text = keyspec_without_blanks(c, *text);
	for (size_t i = 0; i < text->len; i++) {
		if (keyspec_is_odd(text->at[i])) {
			return call_fail(c, ERR_USAGE,
					 "\"%s\": a name that has '%c' is given in JSON, to "
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

/* Does DynamoDB have no such type, and keep its values as texts? */
static bool
keyspec_is_text(struct slice type)
{
	return words_in_any_case("date datetime bool boolean", type);
}

/* "; did you mean: LINE", with @by for @word of the typed line; empty if that is not known */
static struct slice
keyspec_line(struct call *c, struct slice word, struct slice by)
{
	struct buf line;

	buf_init(&line, &c->arena);
	(void)typed_line_said(&line, "; did you mean: ", word, by);
	return buf_view(&line);
}

static int
attribute(struct call *c, const char *spec, struct slice text, struct key_attr *out)
{
	struct slice type = text;
	struct slice name = keyspec_cut(&type, ':');

	*out = (struct key_attr){.name = name, .type = (enum value_type)TYPE_OPEN};
	if (name.len == 0) {
		return call_fail(c, ERR_USAGE, "\"%s\": an attribute has no name", spec);
	}
	if (name.len == text.len) {
		return !keyspec_is_role(name)
			       ? 0
			       : call_fail(c, ERR_USAGE,
					   "\"%s\": %.*s is what an attribute is for; one of that "
					   "name is %.*s:S",
					   spec, SLICE_ARG(name), SLICE_ARG(name));
	}
	out->type = keyspec_type(type);
	if (!value_is_ordered(out->type)) {
		return call_fail(c, ERR_USAGE,
				 "\"%s\": a key is of type S, N or B, not \"%.*s\"%.*s", spec,
				 SLICE_ARG(type),
				 SLICE_ARG(keyspec_is_text(type) ? keyspec_line(c, type, SLICE("S"))
								 : SLICE("")));
	}
	return 0;
}

/* The one attribute of a partition key or sort key, unless it is of a GSI. */
static int
single(struct call *c, const char *spec, struct slice text, struct key_attr *out)
{
	if (text.len > 0 && slice_chr(text, '+') != NULL) {
		return call_fail(c, ERR_USAGE,
				 "\"%s\": only a partition key or sort key of a --gsi has several "
				 "attributes, joined with +; an attribute whose name has a + is "
				 "named in JSON, with --from",
				 spec);
	}
	return attribute(c, spec, text, out);
}

/* Partition key or sort key; @several: of a GSI, A[:T]+B[:T]... */
static int
keyspec_part(struct call *c, const char *spec, struct slice text, bool several,
	     struct key_attr out[KEY_PART_MAX])
{
	int r = 0;

	if (!several) {
		return single(c, spec, text, &out[0]);
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

/* PK[:T][,SK[:T]] */
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

/* [PK[:T],]SK[:T] of a local index; PK is the table's, @pk. */
static int
local_key(struct call *c, const char *spec, struct slice text, const struct key_attr *pk,
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
		return single(c, spec, text, out->sk);
	}
	r = attribute(c, spec, first, out->pk);
	if (r == 0 && (!slice_eq(out->pk->name, pk->name) ||
		       (rest.len > 0 && slice_chr(rest, ',') != NULL))) {
		return call_fail(c, ERR_USAGE,
				 "\"%s\": a local index has the table's partition key, %.*s, and "
				 "one sort key: --lsi NAME=SK",
				 spec, SLICE_ARG(pk->name));
	}
	return r < 0 ? r : single(c, spec, rest, out->sk);
}

static int
include(struct call *c, const char *spec, struct slice names, struct index *out)
{
	size_t n = 1;

	for (size_t i = 0; i < names.len; i++) {
		n += names.at[i] == ',';
	}
	out->projection = PROJECTION_INCLUDE;
	out->include = arena_new(&c->arena, struct slice, n);
	while (names.len > 0) {
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
	if (slice_is(text, "ALL")) {
		out->projection = PROJECTION_ALL;
		return 0;
	}
	if (slice_is(text, "KEYS_ONLY")) {
		out->projection = PROJECTION_KEYS_ONLY;
		return 0;
	}
	if (slice_starts(text, SLICE("INCLUDE:"))) {
		return include(c, spec, slice_skip(text, strlen("INCLUDE:")), out);
	}
	return call_fail(c, ERR_USAGE,
			 "\"%s\": a projection is ALL, KEYS_ONLY or INCLUDE:a,b, not \"%.*s\"",
			 spec, SLICE_ARG(text));
}

/* NAME=KEY[/PROJECTION] */
static int
keyspec_strict_index(struct call *c, const char *spec, const struct key_attr *pk, struct index *out)
{
	struct slice rest = slice_from(spec);

	out->name = keyspec_cut(&rest, '=');
	if (out->name.len == strlen(spec) || out->name.len == 0) {
		return call_fail(c, ERR_USAGE, "\"%s\": an index is written NAME=KEY", spec);
	}
	struct slice text = keyspec_cut(&rest, '/');
	bool projects = rest.at != NULL;
	int r = out->global ? keyspec_key(c, spec, text, true, &out->key)
			    : local_key(c, spec, text, pk, &out->key);
	if (r < 0 || !projects) {
		return r;
	}
	return keyspec_projection(c, spec, rest, out);
}

/*
 * What was typed in another notation, in ours, or NULL; what is only likely is suggested.
 * The call has the error of reading it in ours.
 */
static const char *
keyspec_meant(struct call *c, const char *spec, bool index)
{
	struct buf meant;
	struct buf line;

	buf_init(&meant, &c->arena);
	enum keyspec_meaning meaning = keyspec_other(&meant, slice_from(spec), index);

	if (meaning == KEYSPEC_CERTAIN) {
		c->error = (struct error){0};
		return slice_cstr(&c->arena, buf_view(&meant));
	}
	if (meaning == KEYSPEC_LIKELY && !slice_is(buf_view(&meant), spec)) {
		struct slice said = slice_copy(&c->arena, slice_from(c->error.message));

		buf_init(&line, &c->arena);
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

/* The table's key; in another notation, too. */
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

/* The n-th slot for a key attribute of a definition. */
static struct key_attr *
nth(struct schema *s, size_t n)
{
	size_t i = n / KEY_ATTRS_MAX;
	size_t slot = n % KEY_ATTRS_MAX;
	struct key_schema *k = i == 0 ? &s->key : &s->index[i - 1].key;

	return slot < KEY_PART_MAX ? &k->pk[slot] : &k->sk[slot - KEY_PART_MAX];
}

/* Give attributes without a type the one they have elsewhere, and find contradictions. */
static int
settle_types(struct call *c, struct schema *s)
{
	size_t n = KEY_ATTRS_MAX * (1 + s->n_index);

	for (size_t i = 0; i < n; i++) {
		struct key_attr *a = nth(s, i);

		for (size_t j = 0; j < n; j++) {
			const struct key_attr *b = nth(s, j);

			if (a->name.len == 0 || !slice_eq(a->name, b->name) ||
			    (int)b->type == TYPE_OPEN || a->type == b->type) {
				continue;
			}
			if ((int)a->type != TYPE_OPEN) {
				return call_fail(c, ERR_USAGE,
						 "the attribute %.*s is given two types, %s and %s",
						 SLICE_ARG(a->name), value_type_name(a->type),
						 value_type_name(b->type));
			}
			a->type = b->type;
		}
		if ((int)a->type == TYPE_OPEN) {
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
	for (size_t i = out->n_index;
	     i-- > 0;) { /* the line that the first one suggests has the others corrected */
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
	struct buf upper;

	buf_init(&upper, &c->arena);
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
	buf_slice(out, a->name);
	buf_char(out, ':');
	buf_str(out, value_type_name(a->type));
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
