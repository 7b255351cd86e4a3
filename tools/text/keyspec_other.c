/* keyspec_other - translates keys and indexes from notations of other tools, see keyspec.h; splits a text into words, whose meaning depends on the separators around them */
#include "store/model/value.h"

#include "tools/text/keyspec.h"
#include "tools/text/words.h"

enum { OTHER_NAMES_MAX = 3 }; /* the names of an index and of two key attributes */

struct other_name {
	struct slice text;
	struct slice type; /* or empty */
	char after;        /* separates it from the next word */
	bool is_sort;
	bool labelled; /* as in pk=NAME */
	bool primary;  /* SQL's PRIMARY KEY: it is the whole key */
};

struct other {
	struct slice rest;
	struct slice word;
	char before; /* separates @word from the previous one: the first character that is not a blank, else a blank */
	char after;
	bool is_json;
	struct other_name names[OTHER_NAMES_MAX];
	size_t n;
	struct slice index; /* the name of the index, from a label */
	struct slice include[32];
	size_t n_include;
	const char *projection; /* or NULL */
	enum keyspec_meaning meaning;
};

/* The meaning that a label, a word before "=" or ":", gives to the next word */
enum other_label { LABEL_NONE, LABEL_NAME, LABEL_PARTITION, LABEL_SORT, LABEL_INDEX, LABEL_REST };

static enum other_label
other_label(struct slice word)
{
	static const struct {
		const char *words;
		enum other_label label;
	} rows[] = {
		{"AttributeName", LABEL_NAME},
		{"pk hash partition partitionkey partition_key hashkey hash_key", LABEL_PARTITION},
		{"sk range sort sortkey sort_key rangekey range_key", LABEL_SORT},
		{"IndexName index name", LABEL_INDEX},
		{"KeyType AttributeType KeySchema Projection ProjectionType NonKeyAttributes type",
		 LABEL_REST},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (words_in_any_case(rows[i].words, word)) {
			return rows[i].label;
		}
	}
	return LABEL_NONE;
}

/* Read the next word into o->word; false if it is empty. */
static bool
other_next(struct other *o)
{
	size_t n = 0;

	o->before = o->after;
	while (n < o->rest.len && !keyspec_separates(o->rest.at[n])) {
		n++;
	}
	o->word = slice_of(o->rest.at, n);
	o->rest = slice_skip(o->rest, n);
	o->after = ' ';
	for (n = 0; n < o->rest.len && keyspec_separates(o->rest.at[n]); n++) {
		char ch = o->rest.at[n];

		/* A separator after a closing quote counts more than the quote. */
		if (o->after == ' ' && !ascii_blank(ch) && ch != '"' && ch != '\'') {
			o->after = ch;
		}
	}
	o->rest = slice_skip(o->rest, n);
	return o->word.len > 0;
}

static bool
other_is(struct slice word, const char *text)
{
	return ascii_same(word, slice_from(text));
}

/* The label that o->word is, or LABEL_NONE. "pk" may also be a name: PK:S, PK:SK. */
static enum other_label
other_labels(const struct other *o)
{
	enum other_label label =
		o->after == '=' || o->after == ':' ? other_label(o->word) : LABEL_NONE;
	struct other next = *o;

	if (label == LABEL_NONE || label == LABEL_REST || label == LABEL_NAME) {
		return label;
	}
	enum other_label second = other_next(&next) ? other_label(next.word) : LABEL_NONE;
	bool typed = label != LABEL_INDEX && value_is_ordered(keyspec_type(next.word));

	return typed || (o->after == ':' && !o->is_json && label != LABEL_INDEX) ||
			       (second != LABEL_NONE && second != label)
		       ? LABEL_NONE
		       : label;
}

/* Take HASH or RANGE after a name, and words of SQL's "primary key" and "not null". */
static bool
other_take_role(struct other *o)
{
	struct other_name *last = o->n == 0 ? NULL : &o->names[o->n - 1];
	bool range = other_is(o->word, "range");

	if (last == NULL) {
		return other_is(o->word, "primary") ||
		       (other_is(o->word, "key") && o->after == '(');
	}
	if (range || other_is(o->word, "hash")) {
		last->is_sort = range;
		last->labelled = true;
		o->meaning = KEYSPEC_CERTAIN;
		return true;
	}
	last->primary |= o->before == ' ' && other_is(o->word, "primary");
	return o->before == ' ' && (other_is(o->word, "primary") || other_is(o->word, "key") ||
				    other_is(o->word, "not") || other_is(o->word, "null"));
}

static bool
other_take_type(struct other *o)
{
	struct other_name *last = o->n == 0 ? NULL : &o->names[o->n - 1];

	struct other next = *o;
	bool role = last != NULL && last->labelled && o->before == ',' &&
		    !(other_next(&next) && keyspec_is_role(next.word)); /* Id,HASH,S */

	if (last == NULL || last->type.len > 0 || (strchr(" :=(", o->before) == NULL && !role) ||
	    !value_is_ordered(keyspec_type(o->word))) {
		return false;
	}
	last->type = o->word;
	return true;
}

static bool
other_take_projection(struct other *o)
{
	static const char *const rows[][2] = {{"all", "ALL"},
					      {"keys_only keys-only keysonly keys", "KEYS_ONLY"},
					      {"include", "INCLUDE"}};

	for (size_t i = 0; o->n > 0 && i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (words_in_any_case(rows[i][0], o->word)) {
			o->projection = rows[i][1];
			return true;
		}
	}
	return false;
}

/* Return true for the name of a type, also of a type that no key has. */
static bool
other_is_type(struct slice word)
{
	return words_in_any_case("bool boolean date datetime timestamp json map list object array",
				 word) ||
	       value_type_from_name(word) != VALUE_TYPES;
}

/* Take the name of a projected attribute. */
static void
other_take_include(struct other *o)
{
	if (other_label(o->word) != LABEL_REST &&
	    o->n_include < sizeof(o->include) / sizeof(o->include[0])) {
		o->include[o->n_include++] = o->word;
	}
}

/* Take one word, or a label and its word; false if the text cannot be understood. */
static bool
other_take(struct other *o, bool index)
{
	enum other_label label = other_labels(o);

	if (index && o->projection != NULL) {
		if (o->projection[0] == 'I') {
			other_take_include(o);
		}
		return true;
	}
	if (label == LABEL_REST) {
		return true;
	}
	if (label != LABEL_NONE && !other_next(o)) {
		return false;
	}
	if (label == LABEL_INDEX) {
		o->index = o->word;
		return true;
	}
	if (label == LABEL_NONE &&
	    (other_take_role(o) || other_take_type(o) || (index && other_take_projection(o)))) {
		return true;
	}
	if (o->n == OTHER_NAMES_MAX) {
		return false;
	}
	bool typed = o->n > 0 && o->names[o->n - 1].type.len > 0;

	if (label == LABEL_NONE && o->before == ':' && !o->is_json &&
	    (typed || other_is_type(o->word))) {
		return false;
	}
	o->names[o->n++] = (struct other_name){.text = o->word,
					       .after = o->after,
					       .is_sort = label == LABEL_SORT,
					       .labelled = label != LABEL_NONE};
	return true;
}

static void
other_put_name(struct buf *out, const struct other_name *name)
{
	buf_slice(out, name->text);
	if (name->type.len > 0) {
		buf_char(out, ':');
		buf_slice(out, name->type);
	}
}

/* Append a name for an index: "GSI1" for GSI1PK, else "by-ATTRIBUTE". */
static void
other_put_index(struct buf *out, struct slice attribute)
{
	enum { SUFFIX = 2, LEAST = 3 };
	struct slice stem =
		slice_of(attribute.at, attribute.len - (attribute.len >= SUFFIX ? SUFFIX : 0));
	bool paired = stem.len >= LEAST && other_is(slice_skip(attribute, stem.len), "pk");

	buf_fmt(out, "%s%.*s", paired ? "" : "by-", SLICE_ARG(paired ? stem : attribute));
}

/*
 * Return true if the first name is that of the index. With two names it is in ByYear=Year and ByYear(Year), but not in
 * Year,Song.
 */
static bool
other_is_index(struct other *o)
{
	const struct other_name *first = &o->names[0];
	bool pk =
		first->text.len > 2 && other_is(slice_skip(first->text, first->text.len - 2), "pk");

	if (o->index.len > 0 || o->n < 2 || first->labelled || first->type.len > 0) {
		return false;
	}
	if (o->n == 2 && strchr("=(", first->after) == NULL) {
		o->meaning = KEYSPEC_LIKELY;
		return strchr(": ", first->after) != NULL && !pk;
	}
	return true;
}

/* Lower the meaning to LIKELY if a separator may be a part of a name. */
static void
other_doubt(struct other *o, size_t at)
{
	bool colons = at == 1 && o->n == 3 && o->names[0].after == ':' && o->names[1].after == ':';

	for (size_t i = 0; !colons && i + 1 < o->n; i++) { /* INDEX:PK:SK is unambiguous */
		const char *doubtful = i < at ? " ;/|" : " ;/|=:";

		if (strchr(doubtful, o->names[i].after) != NULL && !o->names[i].labelled &&
		    o->names[i].type.len == 0 && !o->is_json) {
			o->meaning = KEYSPEC_LIKELY;
		}
	}
}

/* Return true if something is missing: there is a separator at an end, or there are two in a row. */
static bool
other_is_ragged(struct slice text)
{
	static const char separators[] = ",:=/";
	bool was = true;

	for (size_t i = 0; i < text.len; i++) {
		bool is = strchr(separators, text.at[i]) != NULL;

		if (is && was) {
			return true;
		}
		was = is;
	}
	return was;
}

/* Append the key, whose names begin at @at, and the projection. */
static void
other_put_key(struct buf *out, const struct other *o, size_t at)
{
	assert(at < o->n && o->n - at <= 2);
	bool pair = o->n - at == 2;
	bool turned = pair && o->names[at].is_sort && !o->names[at + 1].is_sort;

	other_put_name(out, &o->names[at + turned]);
	if (pair) {
		buf_char(out, ',');
		other_put_name(out, &o->names[at + !turned]);
	}
	for (size_t i = 0; i < o->n_include; i++) {
		buf_fmt(out, "%s%.*s", i == 0 ? "/INCLUDE:" : ",", SLICE_ARG(o->include[i]));
	}
	if (o->projection != NULL && o->n_include == 0) {
		buf_fmt(out, "/%s", o->projection);
	}
}

static bool
other_read(struct other *o, bool index)
{
	o->is_json = slice_chr(o->rest, '{') != NULL;
	if (slice_chr(o->rest, '+') != NULL) {
		return false;
	}
	while (o->rest.len > 0) {
		if (other_next(o) && !other_take(o, index)) {
			return false;
		}
	}
	return true;
}

enum keyspec_meaning
keyspec_other(struct buf *out, struct slice text, bool index)
{
	struct other o = {.rest = text, .after = ',', .meaning = KEYSPEC_CERTAIN};

	if (text.len == 0 || !other_read(&o, index)) {
		return KEYSPEC_UNKNOWN;
	}
	for (size_t i = 0; !index && i < o.n; i++) {
		if (o.names[i].primary) {
			o.names[0] = o.names[i];
			o.n = 1;
		}
	}
	size_t at = index && o.n > 0 && other_is_index(&o) ? 1 : 0;
	size_t n = o.n - at;

	if (n == 0 || n > 2 || (index && o.n == 1 && o.names[0].after == '=')) {
		return KEYSPEC_UNKNOWN;
	}
	other_doubt(&o, at);
	o.meaning = other_is_ragged(text) ? KEYSPEC_LIKELY : o.meaning;
	if (index && at == 0 && o.index.len == 0) {
		o.meaning = KEYSPEC_LIKELY;
		other_put_index(out, o.names[0].text);
	} else if (index) {
		buf_slice(out, at == 1 ? o.names[0].text : o.index);
	}
	buf_str(out, index ? "=" : "");
	other_put_key(out, &o, at);
	return o.meaning;
}
