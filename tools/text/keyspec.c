/* keyspec - see keyspec.h */
#include "tools/text/keyspec.h"

#include <assert.h>

#include "store/model/schema.h"
#include "store/model/value.h"

#include "tools/text/keyspec_key.h"
#include "tools/text/keyspec_other.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

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
	struct buf line;

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
