/* shapes_token - finds the tokens of keys, and classifies each by its text alone */
#include "store/page/shapes_int.h"

enum { WORD_MOST = 64 }; /* bytes of a fixed word */

/* ------------------------------------------------------------ recognising */

static bool
is_separator(char ch)
{
	return ch == '#' || ch == '|' || ch == '/' || ch == ':';
}

static bool
is_capital(char ch)
{
	return ch >= 'A' && ch <= 'Z';
}

/* Return: number of digits from @at on. */
static size_t
shapes_token_digits(struct slice s, size_t at)
{
	return at < s.len ? ascii_digits_end(s, at) - at : 0;
}

static bool
is_hexadecimal(char ch)
{
	return ascii_digit(ch) || (ascii_lower(ch) >= 'a' && ascii_lower(ch) <= 'f');
}

static bool
shapes_token_ends(struct slice s, size_t at)
{
	return at == s.len || is_separator(s.at[at]);
}

/* Return: whether @form matches at @at; 'd': a digit, 'x': a hexadecimal digit, others: themselves. */
static bool
matches(struct slice s, size_t at, const char *form)
{
	for (size_t i = 0; form[i] != '\0'; i++) {
		if (at + i >= s.len) {
			return false;
		}
		char ch = s.at[at + i];
		bool fits = form[i] == 'd'   ? ascii_digit(ch)
			    : form[i] == 'x' ? is_hexadecimal(ch)
					     : form[i] == ch;

		if (!fits) {
			return false;
		}
	}
	return true;
}

/* Return: offset after a time at @at, such as "T10:15" or "T10:15:00.123+01:00"; @at: there is none. */
static size_t
time_end(struct slice s, size_t at)
{
	size_t end = at;

	if (at == s.len || (s.at[at] != 'T' && s.at[at] != ' ') || !matches(s, at + 1, "dd:dd")) {
		return at;
	}
	end = at + 6;
	if (matches(s, end, ":dd")) {
		end += 3;
	}
	if (end < s.len && (s.at[end] == '.' || s.at[end] == ',') &&
	    shapes_token_digits(s, end + 1) > 0) {
		end += 1 + shapes_token_digits(s, end + 1);
	}
	if (end < s.len && s.at[end] == 'Z') {
		return end + 1;
	}
	if (matches(s, end, "+dd:dd") || matches(s, end, "-dd:dd")) {
		return end + 6;
	}
	return matches(s, end, "+dddd") || matches(s, end, "-dddd") ? end + 5 : end;
}

/* Return: whether the two digits at @at are a month. */
static bool
is_month(struct slice s, size_t at)
{
	return s.at[at] == '0' ? s.at[at + 1] != '0' : s.at[at] == '1' && s.at[at + 1] <= '2';
}

/* Return: length of the date at the start, or 0. */
static size_t
date_length(struct slice s)
{
	size_t end = 0;

	if (matches(s, 0, "dddd-dd-dd") || matches(s, 0, "dddd/dd/dd")) {
		end = is_month(s, 5) ? time_end(s, 10) : 0;
	} else if (matches(s, 0, "ddddddddTdddddd")) {
		end = 15 + (s.len > 15 && s.at[15] == 'Z');
	} else if (matches(s, 0, "dddd-Qd") || (matches(s, 0, "dddd-dd") && is_month(s, 5))) {
		end = 7;
	} else if (matches(s, 0, "dddd-Wdd")) {
		end = 8;
	}
	bool century = slice_starts(s, SLICE("19")) || slice_starts(s, SLICE("20"));

	return end > 0 && shapes_token_ends(s, end) && century ? end : 0;
}

static size_t
uuid_length(struct slice s)
{
	return matches(s, 0, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx") && shapes_token_ends(s, 36)
		       ? 36
		       : 0;
}

/* Return: whether @word has one '@', a dot in the part after it, and no space. */
static bool
is_email(struct slice word)
{
	const char *at = slice_chr(word, '@');

	if (at == NULL || at == word.at || slice_chr(word, ' ') != NULL) {
		return false;
	}
	struct slice host = slice_skip(word, (size_t)(at - word.at) + 1);
	const char *dot = slice_chr(host, '.');

	return dot != NULL && dot != host.at && dot + 1 < host.at + host.len &&
	       slice_chr(host, '@') == NULL;
}

static unsigned
number_looks(struct slice word)
{
	bool seconds = word.len == 10 || word.len == 13;

	return seconds && shapes_token_digits(word, 0) == word.len && word.at[0] == '1' ? LOOK_TIME
											: LOOK_N;
}

static bool
shapes_token_is_number(struct slice word)
{
	size_t at = word.len > 1 && word.at[0] == '-' ? 1 : 0;
	size_t n = shapes_token_digits(word, at);

	if (n > 0 && at + n + 1 < word.len && word.at[at + n] == '.') {
		n += 1 + shapes_token_digits(word, at + n + 1);
	}
	return n > 0 && at + n == word.len;
}

/* Return: LOOK_ULID, LOOK_KSUID or LOOK_HASH, else LOOK_TEXT or LOOK_WORD. */
static unsigned
word_looks(struct slice word)
{
	size_t n_digits = 0, n_upper = 0, n_lower = 0, n_hex = 0, n_odd = 0;

	for (size_t i = 0; i < word.len; i++) {
		char ch = word.at[i];

		n_digits += ascii_digit(ch);
		n_upper += is_capital(ch);
		n_lower += ch >= 'a' && ch <= 'z';
		n_hex += is_hexadecimal(ch);
		n_odd += strchr("ILOU", ch) != NULL;
	}
	size_t n = n_digits + n_upper + n_lower;

	if (n == word.len && n_digits > 0) {
		if (n == 26 && n_lower == 0 && n_odd == 0 && word.at[0] <= '7') {
			return LOOK_ULID;
		}
		if (n == 27 && n_upper > 0 && n_lower > 0) {
			return LOOK_KSUID;
		}
		if ((n == 32 || n == 40 || n == 64) && n_hex == n && n_upper + n_lower > 0) {
			return LOOK_HASH;
		}
	}
	return slice_chr(word, ' ') != NULL ? LOOK_TEXT : LOOK_WORD;
}

bool
shapes_is_caps(struct slice word)
{
	size_t letters = 0;

	for (size_t i = 0; i < word.len; i++) {
		char ch = word.at[i];

		if (!is_capital(ch) && !ascii_digit(ch) && ch != '_' && ch != '-' && ch != '.') {
			return false;
		}
		letters += is_capital(ch);
	}
	return letters > 0 && is_capital(word.at[0]) && word.len > 1;
}

bool
shapes_is_tag(struct slice word)
{
	return word.len > 0 && !ascii_digit(word.at[0]) && slice_chr(word, ' ') == NULL;
}

/* ------------------------------------------------------------ tokens */

/* Return: length of the date, UUID or URL, which may contain separators, at the start; 0: there is none. */
static size_t
special_length(struct slice rest, enum shapes_piece *piece)
{
	size_t n = date_length(rest);

	*piece = PIECE_DATE;
	if (n == 0) {
		*piece = PIECE_UUID;
		n = uuid_length(rest);
	}
	if (n == 0 &&
	    (slice_starts(rest, SLICE("https://")) || slice_starts(rest, SLICE("http://")))) {
		*piece = PIECE_URL;
		while (n < rest.len && rest.at[n] != '#' && rest.at[n] != '|') {
			n++;
		}
	}
	return n;
}

static size_t
segment_length(struct slice rest, enum shapes_piece *piece)
{
	size_t n = special_length(rest, piece);

	if (n > 0) {
		return n;
	}
	*piece = PIECE_ID;
	while (!shapes_token_ends(rest, n)) {
		n++;
	}
	return n;
}

size_t
shapes_segments(struct slice text, struct slice *out, size_t most)
{
	size_t n = 0;
	size_t at = 0;

	while (n < most && at <= text.len) {
		enum shapes_piece piece;
		struct slice rest = slice_skip(text, at);

		out[n] = slice_of(rest.at, segment_length(rest, &piece));
		at += out[n++].len + 1;
	}
	return n;
}

/* Return: length of the capitals before the digits at the end of a word, "EMPLOYEE" of "EMPLOYEE7"; 0: none. */
static size_t
numbered_length(struct slice word)
{
	size_t n = word.len;

	while (n > 0 && ascii_digit(word.at[n - 1])) {
		n--;
	}
	if (n == 0 || n == word.len || !is_capital(word.at[0])) {
		return 0;
	}
	for (size_t i = 0; i < n; i++) {
		if (!is_capital(word.at[i]) && word.at[i] != '_' && word.at[i] != '-') {
			return 0;
		}
	}
	return n;
}

/* Return: length of the letters before '-', '_' or digits at the start of a word, with '-' or '_'; 0: none. */
static size_t
prefix_length(struct slice word)
{
	size_t n = 0;

	while (n < word.len &&
	       (is_capital(word.at[n]) || (word.at[n] >= 'a' && word.at[n] <= 'z'))) {
		n++;
	}
	if (n > 0 && n + 1 < word.len && (word.at[n] == '-' || word.at[n] == '_')) {
		return n + 1;
	}
	return n > 0 && n < word.len && shapes_token_digits(word, n) == word.len - n ? n : 0;
}

/* Reduce the token to the part of @word that may be fixed, if there is one, and set its kind. */
static void
shapes_token_cut_word(struct shapes_token *t, struct slice word, enum shapes_state state,
		      bool alone)
{
	size_t n = state == STATE_FIXED ? 0 : numbered_length(word);

	t->kind = TOKEN_NUMBERED;
	if (n == 0 && state == STATE_START && alone && !shapes_is_caps(word)) {
		t->kind = TOKEN_PREFIX;
		n = prefix_length(word);
	}
	if (n > 0) {
		t->text = slice_of(word.at, n);
		t->separator = '\0';
		t->end = t->segment_end - word.len - (t->segment_separator != '\0') + n;
		return;
	}
	t->kind = t->separator == '\0' ? TOKEN_WORD : TOKEN_TAG;
}

/* Return: one token for a binary value or number, or for the rest of a key with too many tokens. */
static struct shapes_token
token_of_rest(const struct value *v)
{
	return (struct shapes_token){.kind = TOKEN_VARIES,
				     .piece = v->type == VALUE_B ? PIECE_BINARY : PIECE_ID,
				     .looks =
					     v->type == VALUE_N ? number_looks(v->text) : LOOK_TEXT,
				     .end = v->text.len,
				     .segment_end = v->text.len};
}

struct shapes_token
shapes_token_at(const struct value *v, size_t at, enum shapes_state state, bool last)
{
	if (last || v->type != VALUE_S) {
		return token_of_rest(v);
	}
	struct slice rest = slice_skip(v->text, at);
	struct shapes_token t = {.kind = TOKEN_VARIES};
	size_t n = segment_length(rest, &t.piece);
	struct slice word = slice_of(rest.at, n);

	t.text = word;
	t.separator = t.segment_separator = n < rest.len ? rest.at[n] : '\0';
	t.end = t.segment_end = at + n + (n < rest.len);
	if (t.piece != PIECE_ID) {
		return t;
	}
	if (n == 0) {
		t.kind = TOKEN_EMPTY;
	} else if (is_email(word)) {
		t.piece = PIECE_EMAIL;
	} else if (shapes_token_is_number(word)) {
		t.looks = number_looks(word);
	} else {
		t.looks = word_looks(word);
		if (t.looks <= LOOK_TEXT && n <= WORD_MOST) {
			shapes_token_cut_word(&t, word, state, at == 0 && n == rest.len);
		}
	}
	return t;
}
