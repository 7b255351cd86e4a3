/*
 * shapes_key - divides keys into fixed words and placeholders
 *
 * A key is divided at '#', '|', '/' and ':'; dates, UUIDs, e-mail addresses and the like are recognised first.  All
 * keys are walked together, token by token, so that a word can be compared with the others at its position:
 *
 *   - the first word is fixed if a separator or a number follows it;
 *   - a segment after a fixed word varies;
 *   - after a segment that varies, words in capitals and words that recur are fixed;
 *   - a word that is also the value of an attribute of the item varies;
 *   - if there are many different words at one position, only those that recur are fixed.
 */
#include "store/page/shapes_int.h"

enum {
	STEPS_MOST = 24,  /* tokens of a key attribute; the rest is one token */
	TAGS_MOST = 64,   /* up to this number of different words at one position, all are fixed */
	LAST_MOST = 16,   /* likewise at the end of keys */
	RECUR_LEAST = 8,  /* a word recurs if at least this number of keys has it, */
	RECUR_SHARE = 50, /* and at least one key in this number */
};

/* A key attribute of an item that is being divided. */
struct walk {
	struct shapes_item *item;
	const struct value *value;
	size_t at;
	uint32_t said;
	unsigned segment;
	unsigned weight; /* 0: this partition key has been counted already; else 1 */
	struct shapes_token token;
};

/* ------------------------------------------------------------ fixed words */

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

/* The position after one node. */
struct place {
	enum shapes_state state;
	size_t keys;                    /* number of keys */
	size_t words[TOKEN_VARIES + 1]; /* number of different words of each kind */
};

/* Keys with the same token at one position. */
struct group {
	const struct shapes_token *token;
	size_t keys;
	size_t said; /* number of walks whose word is also the value of an attribute */
	size_t n;    /* number of walks */
};

static bool
recurs(const struct place *p, const struct group *g)
{
	return g->keys >= RECUR_LEAST && g->keys * RECUR_SHARE >= p->keys;
}

/* Return: whether the word is one of at most @most words, or recurs. */
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
		return shapes_is_tag(word) ? is_fixed_among(p, g, TAGS_MOST) : recurs(p, g);
	case TOKEN_NUMBERED:
		return is_fixed_among(p, g, TAGS_MOST);
	case TOKEN_WORD:
		return g->said * 2 < g->n &&
		       (shapes_is_caps(word) ? is_fixed_among(p, g, LAST_MOST) : recurs(p, g));
	case TOKEN_PREFIX:
		return recurs(p, g);
	case TOKEN_EMPTY:
	case TOKEN_VARIES:
		break;
	}
	return false;
}

/* The same for words after a segment that varies. */
static bool
is_fixed_later(const struct place *p, const struct group *g)
{
	bool caps = g->token->kind == TOKEN_NUMBERED || shapes_is_caps(g->token->text);

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
		return g->token->kind == TOKEN_TAG && shapes_is_caps(g->token->text) &&
		       g->keys >= RECUR_LEAST && g->keys == p->keys && g->said * 2 < g->n;
	case STATE_VARIES:
		break;
	}
	return is_fixed_later(p, g);
}

/* ------------------------------------------------------------ walking */

/* Return: the number of the new node. */
static uint32_t
shapes_node_new(struct shapes_sample *s, struct shapes_node node)
{
	s->nodes = arena_room(&s->arena, s->nodes, s->n_nodes, &s->nodes_room);
	s->nodes[s->n_nodes] = node;
	return (uint32_t)s->n_nodes++;
}

static enum shapes_state
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

/* Move the keys of one group to a new node, or, if they vary, to the node that they share with similar groups. */
static void
shapes_key_advance(struct shapes_sample *s, struct walk *walks, size_t n, bool fixed,
		   size_t first_child, uint8_t attribute)
{
	assert(n > 0);

	const struct shapes_token *t = &walks[0].token;
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

/* Move all keys of one node by one token. */
static void
shapes_key_judge(struct shapes_sample *s, struct walk *walks, size_t n, uint8_t attribute)
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

		shapes_key_advance(s, walks + i, end - i, is_fixed(&p, &g), first_child, attribute);
	}
}

/* Move all keys by one token;  Return: number of keys that are not at their end; they come first in @walks */
static size_t
shapes_key_step(struct shapes_sample *s, struct walk *walks, size_t n, uint8_t attribute, bool last)
{
	size_t left = 0;
	size_t end;

	for (size_t i = 0; i < n; i++) {
		walks[i].token = shapes_token_at(walks[i].value, walks[i].at,
						 state_of(s, walks[i].item->node, attribute), last);
	}
	qsort(walks, n, sizeof(*walks), compare_walks);
	for (size_t i = 0; i < n; i = end) {
		uint32_t node = walks[i].item->node;

		for (end = i; end < n && walks[end].item->node == node; end++) {
		}
		shapes_key_judge(s, walks + i, end - i, attribute);
	}
	for (size_t i = 0; i < n; i++) {
		if (walks[i].at < walks[i].value->text.len) {
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
					 .value = v,
					 .said = s->items[i].said[attribute],
					 .weight = !partition || s->items[i].first};
	}
	for (int i = 0; n > 0 && i <= STEPS_MOST; i++) {
		n = shapes_key_step(s, walks, n, attribute, i == STEPS_MOST);
	}
}

void
shapes_split(struct shapes_sample *s)
{
	struct walk *walks = arena_new(&s->arena, struct walk, s->n + 1);

	(void)shapes_node_new(s, (struct shapes_node){.piece = PIECE_FIXED});
	for (size_t i = 0; i < key_schema_n(s->key); i++) {
		walk_attribute(s, walks, (uint8_t)i);
	}
}
