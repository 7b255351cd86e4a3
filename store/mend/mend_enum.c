/* mend_enum - values that are one of a fixed set of words, such as KeyType and ReturnValues */
#include "store/base/text/json.h"
#include "store/base/text/near.h"
#include "store/mend/mend_int.h"

/* Alternatives that people and other tools use, and the words of DynamoDB. */
static const char *const mend_enums[][2] = {
	{"ON_DEMAND ONDEMAND on-demand PAYPERREQUEST", "PAY_PER_REQUEST"},
	{"PARTITION PARTITION_KEY PRIMARY", "HASH"},
	{"SORT SORT_KEY", "RANGE"},
	{"STRING STR TEXT", "S"},
	{"NUMBER INT INTEGER", "N"},
	{"BINARY", "B"},
	{"LIST", "L"},
	{"BOOLEAN", "BOOL"},
	{"MAP", "M"},
	{"ALL", "ALL_ATTRIBUTES"},
	{"KEYS", "KEYS_ONLY"},
	{"NEW_AND_OLD", "NEW_AND_OLD_IMAGES"},
	{"EQUALS = ==", "EQ"},
	{"!= <>", "NE"},
	{"<", "LT"},
	{"<=", "LE"},
	{">", "GT"},
	{">=", "GE"},
};

bool
mend_stands_for(struct slice word, const char *ours)
{
	for (size_t i = 0; i < sizeof(mend_enums) / sizeof(mend_enums[0]); i++) {
		bool is = strcmp(mend_enums[i][1], ours) == 0;

		for (struct slice rest = slice_from(is ? mend_enums[i][0] : ""); rest.len > 0;) {
			if (ascii_same(word, slice_take(&rest, ' '))) {
				return true;
			}
		}
	}
	return ascii_same(word, slice_from(ours));
}

/* A string of the request and its replacement. */
struct mend_word {
	struct slice member; /* its name: the last part of its path in the message */
	struct slice from;
	struct slice to;
};

static bool
mend_put_word(struct mend *m, struct json_writer *w, const struct json *json, const void *arg)
{
	const struct mend_word *word = arg;
	bool is = json->type == JSON_STRING && ascii_same(json->name, word->member) &&
		  slice_eq(json->text, word->from);

	(void)m;
	if (is) {
		json_string(w, word->to);
	}
	return is;
}

/* The word of @set that @word means, or the most similar one; empty: none. @set: "A, B, C]". */
static struct slice
mend_choice(struct mend *m, struct slice word, const char *set)
{
	size_t end = strcspn(set, "]");
	struct near near = near_start(word);

	for (size_t at = 0; at < end;) {
		size_t n = strcspn(set + at, ", ]");

		struct slice ours = slice_of(set + at, n);

		if (mend_stands_for(word, slice_cstr(&m->c->arena, ours))) {
			return ours;
		}
		near_try(&near, ours);
		at += n + strspn(set + at + n, ", ");
	}
	return near.best;
}

/* The replacement for a KeyType that has a word of AttributeType, or the reverse; empty: neither. */
static struct slice
mend_swapped(struct mend *m, const char *path, struct slice member, struct slice word)
{
	bool key = ascii_same(member, SLICE("KeyType"));

	if (key && word.len == 1 && strchr("SNB", word.at[0]) != NULL) {
		mend_why(m, "KeyType and AttributeType are swapped");
		return strstr(path, "chema.1.") == path + strcspn(path, ".") - 5 ? SLICE("HASH")
										 : SLICE("RANGE");
	}
	if (!ascii_same(member, SLICE("AttributeType")) ||
	    mend_nearest(word, "HASH RANGE").len == 0) {
		return SLICE("");
	}
	for (const char *at = m->message; (at = strstr(at, "Value '")) != NULL; at++) {
		if (at[7] != '\0' && strchr("SNB", at[7]) != NULL && at[8] == '\'') {
			return slice_of(at + 7, 1);
		}
	}
	return SLICE("S");
}

/* The message is "Value 'a' at 'b.1.member.c' failed ... enum value set: [D, E]". */
void
mend_choices(struct mend *m)
{
	static const char set[] = "enum value set: [";

	for (const char *at = m->message; (at = strstr(at, "Value '")) != NULL;) {
		const char *path = strstr(at, "' at '");
		const char *end = path == NULL ? NULL : strchr(path + 6, '\'');
		const char *next = strstr(at + 1, "; Value ");
		const char *choices = strstr(at, set);

		if (end == NULL) {
			return;
		}
		if (choices != NULL && (next == NULL || choices < next)) {
			const char *dot = memrchr(path + 6, '.', (size_t)(end - path - 6));
			const char *name = dot == NULL ? path + 6 : dot + 1;
			struct mend_word word = {
				.member = slice_of(name, (size_t)(end - name)),
				.from = slice_of(at + 7, (size_t)(path - at - 7)),
			};

			word.to = mend_swapped(m, path + 6, word.member, word.from);
			word.to = word.to.len > 0
					  ? word.to
					  : mend_choice(m, word.from, choices + sizeof(set) - 1);
			if (word.to.len > 0) {
				mend_each(m, mend_put_word, &word);
			}
		}
		at = end;
	}
}

void
mend_returns(struct mend *m)
{
	if (mend_refused(m, "ReturnValues can only be ALL_OLD or NONE")) {
		mend_why(m, "only an update returns new values");
		mend_set_text(m, SLICE("ReturnValues"), SLICE("ALL_OLD"));
	} else if (mend_refused(m, "[ALL_OLD, UPDATED_OLD, ALL_NEW")) {
		struct slice to = mend_nearest(mend_text(m, "ReturnValues"),
					       "ALL_NEW UPDATED_NEW ALL_OLD UPDATED_OLD NONE");

		if (to.len > 0) {
			mend_set_text(m, SLICE("ReturnValues"), to);
		}
	}
}
