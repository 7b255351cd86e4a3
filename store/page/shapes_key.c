/*
 * shapes_key - the fixed words and the placeholders of keys
 *
 * A key is cut at '#', '|', '/' and ':'; dates, UUIDs, addresses and the like are recognised first.  All
 * keys are walked together, segment by segment, so that a word is judged beside the others in its place:
 *
 *   - the first word is fixed where a separator or a number stands behind it;
 *   - what stands behind a fixed word varies;
 *   - behind what varies, a word in capitals is fixed, and one that recurs;
 *   - a word that an attribute of the item repeats varies;
 *   - of many different words in one place only those that recur are fixed.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "store/base/ascii.h"
#include "store/page/shapes_int.h"

enum {
	STEPS_MOST = 24,  /* pieces of one key attribute; the rest is one */
	WORD_MOST = 64,   /* bytes of a fixed word */
	TAGS_MOST = 64,   /* different words in one place, of which each is fixed */
	LAST_MOST = 16,   /* likewise at the end of keys */
	RECUR_LEAST = 8,  /* keys that have a word that recurs */
	RECUR_SHARE = 50, /* likewise: one key of so many */
};

/* What stands before a place in a key. */
enum state { STATE_START, STATE_FIXED, STATE_VARIES };

enum token_kind {
	TOKEN_EMPTY,    /* an empty segment */
	TOKEN_TAG,      /* a word before a separator */
	TOKEN_NUMBERED, /* capitals before digits: "EMPLOYEE" of "EMPLOYEE7" */
	TOKEN_PREFIX,   /* other letters before '-', '_' or digits, at the start: "user-" */
	TOKEN_WORD,     /* a word at the end */
	TOKEN_VARIES,   /* recognised */
};

struct token {
	enum token_kind kind;
	enum shapes_piece piece; /* when it varies */
	unsigned looks;
	struct slice text;
	size_t end;         /* offset behind the token and its separator */
	size_t segment_end; /* likewise of its segment */
	char separator;     /* behind the token */
	char segment_separator;
};

/* One key on its way. */
struct walk {
	struct shapes_item *item;
	enum value_type type;
	struct slice text;
	size_t at;
	uint32_t said;
	unsigned segment;
	unsigned weight; /* 0: the same partition key was counted already */
	struct token token;
};

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

/* How many digits stand at @at? */
static size_t
digits(struct slice s, size_t at)
{
	return at < s.len ? ascii_digits_end(s, at) - at : 0;
}

static bool
is_hexadecimal(char ch)
{
	return ascii_digit(ch) || (ascii_lower(ch) >= 'a' && ascii_lower(ch) <= 'f');
}

static bool
ends(struct slice s, size_t at)
{
	return at == s.len || is_separator(s.at[at]);
}

/* Does @s match? 'd': digit, 'x': hexadecimal; others stand for themselves. */
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

/* "T10:15", "T10:15:00.123+01:00" behind a date; Return: the offset behind it */
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
	if (end < s.len && (s.at[end] == '.' || s.at[end] == ',') && digits(s, end + 1) > 0) {
		end += 1 + digits(s, end + 1);
	}
	if (end < s.len && s.at[end] == 'Z') {
		return end + 1;
	}
	if (matches(s, end, "+dd:dd") || matches(s, end, "-dd:dd")) {
		return end + 6;
	}
	return matches(s, end, "+dddd") || matches(s, end, "-dddd") ? end + 5 : end;
}

/* Are two digits a month? */
static bool
is_month(struct slice s, size_t at)
{
	return s.at[at] == '0' ? s.at[at + 1] != '0' : s.at[at] == '1' && s.at[at + 1] <= '2';
}

/* Return: bytes of the date at the start, or 0 */
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

	return end > 0 && ends(s, end) && century ? end : 0;
}

static size_t
uuid_length(struct slice s)
{
	return matches(s, 0, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx") && ends(s, 36) ? 36 : 0;
}

/* An address has one '@', a dot behind it, and no space. */
static bool
is_email(struct slice word)
{
	const char *at = memchr(word.at, '@', word.len);

	if (at == NULL || at == word.at || memchr(word.at, ' ', word.len) != NULL) {
		return false;
	}
	struct slice host = slice_skip(word, (size_t)(at - word.at) + 1);
	const char *dot = host.len == 0 ? NULL : memchr(host.at, '.', host.len);

	return dot != NULL && dot != host.at && dot + 1 < host.at + host.len &&
	       memchr(host.at, '@', host.len) == NULL;
}

static unsigned
number_looks(struct slice word)
{
	bool seconds = word.len == 10 || word.len == 13;

	return seconds && digits(word, 0) == word.len && word.at[0] == '1' ? LOOK_TIME : LOOK_N;
}

static bool
is_number(struct slice word)
{
	size_t at = word.len > 1 && word.at[0] == '-' ? 1 : 0;
	size_t n = digits(word, at);

	if (n > 0 && at + n + 1 < word.len && word.at[at + n] == '.') {
		n += 1 + digits(word, at + n + 1);
	}
	return n > 0 && at + n == word.len;
}

/* ULID, KSUID, hash, or what else a word looks like. */
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
	return memchr(word.at, ' ', word.len) != NULL ? LOOK_TEXT : LOOK_WORD;
}

/* Capitals, digits and what joins them, a letter among them: PROFILE, HR-CONFIDENTIAL. */
static bool
is_caps(struct slice word)
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

/* What may stand before a separator as a name: no space, and it begins with no digit. */
static bool
is_tag(struct slice word)
{
	return word.len > 0 && !ascii_digit(word.at[0]) && memchr(word.at, ' ', word.len) == NULL;
}

/* ------------------------------------------------------------ tokens */

/* A date, UUID, URL that may have separators of keys in it; Return: its bytes, or 0 */
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
	while (!ends(rest, n)) {
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

/* The part of a word before its digits: capitals at any place, other letters at the start of a key alone. */
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
	return n > 0 && n < word.len && digits(word, n) == word.len - n ? n : 0;
}

/* The token of a word is a part of it, when a part may be fixed. */
static void
cut_word(struct token *t, struct slice word, enum state state, bool alone)
{
	size_t n = state == STATE_FIXED ? 0 : numbered_length(word);

	t->kind = TOKEN_NUMBERED;
	if (n == 0 && state == STATE_START && alone && !is_caps(word)) {
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

/* Binary values and numbers are one piece, and what is left of a key after many pieces. */
static struct token
token_of_rest(const struct walk *w)
{
	return (struct token){.kind = TOKEN_VARIES,
			      .piece = w->type == VALUE_B ? PIECE_BINARY : PIECE_ID,
			      .looks = w->type == VALUE_N ? number_looks(w->text) : LOOK_TEXT,
			      .end = w->text.len,
			      .segment_end = w->text.len};
}

static struct token
token_at(const struct walk *w, enum state state, bool last)
{
	if (last || w->type != VALUE_S) {
		return token_of_rest(w);
	}
	struct slice rest = slice_skip(w->text, w->at);
	struct token t = {.kind = TOKEN_VARIES};
	size_t n = segment_length(rest, &t.piece);
	struct slice word = slice_of(rest.at, n);

	t.text = word;
	t.separator = t.segment_separator = n < rest.len ? rest.at[n] : '\0';
	t.end = t.segment_end = w->at + n + (n < rest.len);
	if (t.piece != PIECE_ID) {
		return t;
	}
	if (n == 0) {
		t.kind = TOKEN_EMPTY;
	} else if (is_email(word)) {
		t.piece = PIECE_EMAIL;
	} else if (is_number(word)) {
		t.looks = number_looks(word);
	} else {
		t.looks = word_looks(word);
		if (t.looks <= LOOK_TEXT && n <= WORD_MOST) {
			cut_word(&t, word, state, w->segment == 0 && n == rest.len);
		}
	}
	return t;
}

/* ------------------------------------------------------------ judging */

static int
compare_walks(const void *a, const void *b)
{
	const struct walk *x = a;
	const struct walk *y = b;

	if (x->item->node != y->item->node) {
		return x->item->node < y->item->node ? -1 : 1;
	}
	if (x->token.kind != y->token.kind) {
		return x->token.kind < y->token.kind ? -1 : 1;
	}
	int r = slice_cmp(x->token.text, y->token.text);

	return r != 0 ? r
		      : (x->token.separator > y->token.separator) -
				(x->token.separator < y->token.separator);
}

/* What the keys of one node have in a place: how many, and how many different words of each kind. */
struct place {
	enum state state;
	size_t keys;
	size_t words[TOKEN_VARIES + 1];
};

/* Keys with one word in one place. */
struct group {
	const struct token *token;
	size_t keys;
	size_t said; /* walks, of which an attribute repeats the word */
	size_t n;    /* walks */
};

static bool
recurs(const struct place *p, const struct group *g)
{
	return g->keys >= RECUR_LEAST && g->keys * RECUR_SHARE >= p->keys;
}

/* One of few words, or one that recurs. */
static bool
is_fixed_among(const struct place *p, const struct group *g, size_t most)
{
	return p->words[g->token->kind] <= most || recurs(p, g);
}

static bool
is_fixed_first(const struct place *p, const struct group *g)
{
	struct slice word = g->token->text;

	switch (g->token->kind) {
	case TOKEN_TAG:
		return is_tag(word) ? is_fixed_among(p, g, TAGS_MOST) : recurs(p, g);
	case TOKEN_NUMBERED:
		return is_fixed_among(p, g, TAGS_MOST);
	case TOKEN_WORD:
		return g->said * 2 < g->n &&
		       (is_caps(word) ? is_fixed_among(p, g, LAST_MOST) : recurs(p, g));
	case TOKEN_PREFIX:
		return recurs(p, g);
	case TOKEN_EMPTY:
	case TOKEN_VARIES:
		break;
	}
	return false;
}

/* Behind what varies. */
static bool
is_fixed_later(const struct place *p, const struct group *g)
{
	bool caps = g->token->kind == TOKEN_NUMBERED || is_caps(g->token->text);

	return g->said * 2 < g->n && (caps ? is_fixed_among(p, g, LAST_MOST) : recurs(p, g));
}

static bool
is_fixed(const struct place *p, const struct group *g)
{
	if (g->token->kind == TOKEN_EMPTY || g->token->kind == TOKEN_VARIES) {
		return g->token->kind == TOKEN_EMPTY;
	}
	switch (p->state) {
	case STATE_START:
		return is_fixed_first(p, g);
	case STATE_FIXED: /* "APP#USER#7": all keys have it */
		return g->token->kind == TOKEN_TAG && is_caps(g->token->text) &&
		       g->keys >= RECUR_LEAST && g->keys == p->keys && g->said * 2 < g->n;
	case STATE_VARIES:
		break;
	}
	return is_fixed_later(p, g);
}

/* ------------------------------------------------------------ walking */

uint32_t
shapes_node_new(struct shapes_sample *s, struct shapes_node node)
{
	s->nodes = arena_room(&s->arena, s->nodes, s->n_nodes, &s->nodes_room);
	s->nodes[s->n_nodes] = node;
	return (uint32_t)s->n_nodes++;
}

static enum state
state_of(const struct shapes_sample *s, uint32_t node, uint8_t attribute)
{
	const struct shapes_node *n = &s->nodes[node];

	while (node != 0 && n->attribute == attribute && n->piece == PIECE_FIXED &&
	       n->text.len == 0) {
		node = n->parent;
		n = &s->nodes[node];
	}
	if (node == 0 || n->attribute != attribute) {
		return STATE_START;
	}
	return n->piece == PIECE_FIXED ? STATE_FIXED : STATE_VARIES;
}

/* The keys of one group go on to a node of their own, or to the one of all that vary alike. */
static void
advance(struct shapes_sample *s, struct walk *walks, size_t n, bool fixed, size_t first_child,
	uint8_t attribute)
{
	const struct token *t = &walks[0].token;
	uint32_t parent = walks[0].item->node;
	struct shapes_node node = {.parent = parent,
				   .attribute = attribute,
				   .piece = fixed ? PIECE_FIXED : t->piece,
				   .separator = fixed ? t->separator : t->segment_separator};
	size_t child = fixed ? s->n_nodes : first_child;

	if (fixed) {
		node.text = t->text;
	} else if (node.piece == PIECE_FIXED) {
		node.piece = PIECE_ID;
	}
	while (child < s->n_nodes &&
	       (s->nodes[child].parent != parent || s->nodes[child].piece != node.piece ||
		s->nodes[child].separator != node.separator)) {
		child++;
	}
	if (child == s->n_nodes) {
		child = shapes_node_new(s, node);
	}
	for (size_t i = 0; i < n; i++) {
		struct walk *w = &walks[i];

		s->nodes[child].looks |= w->token.looks;
		w->item->node = (uint32_t)child;
		w->segment += !fixed || w->token.separator != '\0';
		w->at = fixed ? w->token.end : w->token.segment_end;
	}
}

static size_t
group_end(const struct walk *walks, size_t at, size_t end)
{
	size_t i = at;

	while (i < end && walks[i].token.kind == walks[at].token.kind &&
	       walks[i].token.separator == walks[at].token.separator &&
	       slice_eq(walks[i].token.text, walks[at].token.text)) {
		i++;
	}
	return i;
}

static struct group
group_of(const struct walk *walks, size_t n)
{
	struct group g = {.token = &walks[0].token, .n = n};

	for (size_t i = 0; i < n; i++) {
		g.keys += walks[i].weight;
		g.said += walks[i].segment < 32 && (walks[i].said >> walks[i].segment & 1) != 0;
	}
	return g;
}

/* All keys of one node, one place further. */
static void
judge(struct shapes_sample *s, struct walk *walks, size_t n, uint8_t attribute)
{
	struct place p = {.state = state_of(s, walks[0].item->node, attribute)};
	size_t first_child = s->n_nodes;
	size_t end;

	for (size_t i = 0; i < n; i = end) {
		end = group_end(walks, i, n);
		p.words[walks[i].token.kind]++;
		p.keys += group_of(walks + i, end - i).keys;
	}
	for (size_t i = 0; i < n; i = end) {
		end = group_end(walks, i, n);

		struct group g = group_of(walks + i, end - i);

		advance(s, walks + i, end - i, is_fixed(&p, &g), first_child, attribute);
	}
}

/* One place further with all keys that go on; Return: how many do */
static size_t
step(struct shapes_sample *s, struct walk *walks, size_t n, uint8_t attribute, bool last)
{
	size_t left = 0;
	size_t end;

	for (size_t i = 0; i < n; i++) {
		walks[i].token =
			token_at(&walks[i], state_of(s, walks[i].item->node, attribute), last);
	}
	qsort(walks, n, sizeof(*walks), compare_walks);
	for (size_t i = 0; i < n; i = end) {
		uint32_t node = walks[i].item->node;

		for (end = i; end < n && walks[end].item->node == node; end++) {
		}
		judge(s, walks + i, end - i, attribute);
	}
	for (size_t i = 0; i < n; i++) {
		if (walks[i].at < walks[i].text.len) {
			walks[left++] = walks[i];
		}
	}
	return left;
}

static void
walk_attribute(struct shapes_sample *s, struct walk *walks, uint8_t attribute)
{
	bool partition = attribute < key_part_n(s->key->pk);
	size_t n = s->n;

	for (size_t i = 0; i < n; i++) {
		const struct value *v = &s->items[i].keys.at[attribute].value;

		walks[i] = (struct walk){.item = &s->items[i],
					 .type = v->type,
					 .text = v->text,
					 .said = s->items[i].said[attribute],
					 .weight = !partition || s->items[i].first};
	}
	for (int i = 0; n > 0 && i <= STEPS_MOST; i++) {
		n = step(s, walks, n, attribute, i == STEPS_MOST);
	}
}

void
shapes_split(struct shapes_sample *s)
{
	struct walk *walks = arena_new(&s->arena, struct walk, s->n + 1);

	(void)shapes_node_new(s, (struct shapes_node){.piece = PIECE_FIXED});
	for (uint8_t i = 0; i < key_schema_n(s->key); i++) {
		walk_attribute(s, walks, i);
	}
}
