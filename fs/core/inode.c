/*
 * inode - see inode.h
 *
 * This file knows names and counts. It does not know what a node represents (place.c), nor the store.
 */
#include "fs/core/inode.h"

enum { SLOTS_MIN = 256 };

/* Marks a slot as taken, in addition to the hash; tables use the low bits of a hash. */
#define SLOT_TAKEN 0x80000000u

static char *
inode_copy(struct slice s)
{
	char *at = mem_zeroed(1, s.len + 1);

	if (s.len > 0) {
		memcpy(at, s.at, s.len);
	}
	return at;
}

uint32_t
inode_hash(const struct node *parent, struct slice name)
{
	uint64_t h = 0xcbf29ce484222325 ^ (uint64_t)(uintptr_t)parent;

	for (size_t i = 0; i < name.len; i++) {
		h = (h ^ (unsigned char)name.at[i]) * 0x100000001b3;
	}
	h ^= h >> 29;
	h *= 0x9e3779b97f4a7c15;
	return (uint32_t)(h >> 32);
}

static struct slice
inode_name_of(const struct node *n)
{
	return slice_of(n->name, n->name_len);
}

/* ------------------------------------------------------------ slots */

/* The slot at which the search for a hash starts; the slot after another one is that of i + 1. */
static size_t
inode_slot(const struct inodes *t, size_t i)
{
	return i & (t->n_slots - 1);
}

static void
inode_slot_put(struct inodes *t, uint32_t mark, struct node *n)
{
	size_t i = inode_slot(t, mark);

	while (t->marks[i] != 0) {
		i = inode_slot(t, i + 1);
	}
	t->marks[i] = mark;
	t->slots[i] = n;
}

static void
inode_slots_make(struct inodes *t, size_t n)
{
	assert(n < SLOT_TAKEN);
	t->n_slots = n;
	t->marks = mem_array(uint32_t, n);
	t->slots = mem_array(struct node *, n);
}

static void
inode_grow(struct inodes *t)
{
	size_t n_old = t->n_slots;
	uint32_t *marks = t->marks;
	struct node **slots = t->slots;

	inode_slots_make(t, 2 * n_old);
	for (size_t i = 0; i < n_old; i++) {
		if (marks[i] != 0) {
			inode_slot_put(t, marks[i], slots[i]);
		}
	}
	free(marks);
	free(slots);
}

/* Free a slot. Nodes after it move back, as far as their search allows, so that a search may end at a free slot. */
static void
inode_slot_free(struct inodes *t, size_t hole)
{
	size_t mask = t->n_slots - 1;

	for (size_t i = inode_slot(t, hole + 1); t->marks[i] != 0; i = inode_slot(t, i + 1)) {
		if (((i - inode_slot(t, t->marks[i])) & mask) >= ((i - hole) & mask)) {
			t->marks[hole] = t->marks[i];
			t->slots[hole] = t->slots[i];
			hole = i;
		}
	}
	t->marks[hole] = 0;
	t->slots[hole] = NULL;
}

/* How many nodes it counts as, by the bytes of the component and of the whole component. */
static size_t
weight_of(const struct node *n)
{
	size_t full = n->full == NULL ? 0 : strlen(n->full);

	return 1 + (n->name_len + full) / INODE_NAME_BYTES;
}

static void
table_put(struct inodes *t, struct node *n)
{
	assert(lock_held(&t->lock));
	if (4 * t->n >= 3 * t->n_slots) {
		inode_grow(t);
	}
	inode_slot_put(t, n->hash | SLOT_TAKEN, n);
	t->n++;
	t->weight += weight_of(n);
}

static void
table_drop(struct inodes *t, struct node *n)
{
	assert(lock_held(&t->lock));
	size_t i = inode_slot(t, n->hash);

	while (t->slots[i] != n) {
		i = inode_slot(t, i + 1);
	}
	inode_slot_free(t, i);
	t->n--;
	t->weight -= weight_of(n);
}

static bool
is_detached(const struct node *n)
{
	return (n->flags & NODE_DETACHED) != 0;
}

/* Detached nodes stay in their slot, so that inodes_release() finds them. */
static struct node *
table_find(struct inodes *t, const struct node *parent, struct slice name)
{
	assert(lock_held(&t->lock));
	uint32_t mark = inode_hash(parent, name) | SLOT_TAKEN;

	for (size_t i = inode_slot(t, mark); t->marks[i] != 0; i = inode_slot(t, i + 1)) {
		struct node *n = t->slots[i];

		if (t->marks[i] == mark && n->parent == parent && !is_detached(n) &&
		    slice_eq(inode_name_of(n), name)) {
			return n;
		}
	}
	return NULL;
}

static struct node *
inode_node_new(struct node *parent, enum node_kind kind, struct slice name, struct slice full)
{
	struct node *n = mem_zeroed(1, sizeof(*n) + name.len + 1);

	assert(name.len <= UINT16_MAX);
	if (name.len > 0) {
		memcpy(n->inline_name, name.at, name.len);
	}
	n->parent = parent;
	n->name = n->inline_name;
	n->name_len = (uint16_t)name.len;
	n->kind = (uint8_t)kind;
	n->hash = inode_hash(parent, name);
	n->full = full.len > 0 ? inode_copy(full) : NULL;
	return n;
}

static void
node_free(struct node *n)
{
	if (n->name != n->inline_name) {
		free(n->name);
	}
	free(n->full);
	free(n);
}

/* Free @n if nothing holds it, then its ancestors likewise. */
static void
inode_settle(struct inodes *t, struct node *n)
{
	assert(lock_held(&t->lock));
	while (n != NULL && n->parent != NULL && n->lookups == 0 && n->refs == 0) {
		struct node *parent = n->parent;

		table_drop(t, n);
		node_free(n);
		assert(parent->refs > 0);
		parent->refs--;
		n = parent;
	}
}

/* Put a node that is in no slot into the table under another name. Takes ownership of @name and @full. */
static void
inode_place(struct inodes *t, struct node *n, struct node *parent, char *name, size_t len,
	    char *full)
{
	if (n->name != n->inline_name) {
		free(n->name);
	}
	free(n->full);
	n->name = name;
	n->name_len = (uint16_t)len;
	n->full = full;
	n->parent = parent;
	n->hash = inode_hash(parent, inode_name_of(n));
	table_put(t, n);
	t->moves++;
}

/* Set the whole component of a node in the table. */
static void
learn_full(struct inodes *t, struct node *n, struct slice full)
{
	assert(lock_held(&t->lock) && n->full == NULL);
	t->moves++;
	t->weight -= weight_of(n);
	n->full = inode_copy(full);
	t->weight += weight_of(n);
}

/* ------------------------------------------------------------ */

void
inodes_init(struct inodes *t)
{
	*t = (struct inodes){0};
	(void)pthread_mutex_init(&t->lock, NULL);
	inode_slots_make(t, SLOTS_MIN);
	t->root = inode_node_new(NULL, NODE_ROOT, SLICE(""), SLICE(""));
}

void
inodes_release(struct inodes *t)
{
	for (size_t i = 0; i < t->n_slots; i++) {
		if (t->slots[i] != NULL) {
			node_free(t->slots[i]);
		}
	}
	free(t->marks);
	free(t->slots);
	node_free(t->root);
	(void)pthread_mutex_destroy(&t->lock);
	*t = (struct inodes){0};
}

struct node *
inode_look(struct inodes *t, struct node *parent, enum node_kind kind, struct slice name,
	   struct slice full)
{
	lock_scope(&t->lock);
	struct node *n = table_find(t, parent, name);

	/* The table was dropped and created again with another key. */
	if (n != NULL && n->kind != kind) {
		n->flags |= NODE_DETACHED;
		n = NULL;
	}
	if (n == NULL) {
		n = inode_node_new(parent, kind, name, full);
		parent->refs++;
		table_put(t, n);
	} else if (n->full == NULL && full.len > 0) {
		learn_full(t, n, full);
	}
	n->lookups++;
	return n;
}

struct node *
inode_find(struct inodes *t, struct node *parent, struct slice name)
{
	lock_scope(&t->lock);
	struct node *n = table_find(t, parent, name);

	if (n != NULL) {
		n->refs++;
	}
	return n;
}

bool
inode_is_known(struct inodes *t, const struct node *n)
{
	lock_scope(&t->lock);
	return n == t->root || n->lookups > 0;
}

void
inode_ref(struct inodes *t, struct node *n)
{
	lock_scope(&t->lock);
	n->refs++;
}

void
inode_unref(struct inodes *t, struct node *n)
{
	if (n == NULL) {
		return;
	}
	lock_scope(&t->lock);
	assert(n->refs > 0);
	n->refs--;
	inode_settle(t, n);
}

void
inode_forget(struct inodes *t, struct node *n, uint64_t count)
{
	lock_scope(&t->lock);
	n->lookups = count > n->lookups ? 0 : n->lookups - count;
	inode_settle(t, n);
}

void
inode_detach(struct inodes *t, struct node *n)
{
	lock_scope(&t->lock);
	n->flags |= NODE_DETACHED;
}

void
inode_move(struct inodes *t, struct node *n, enum node_kind kind, struct node *parent,
	   struct slice name, struct slice full)
{
	lock_scope(&t->lock);
	struct node *there = table_find(t, parent, name);
	struct node *before = n->parent;

	if (there == n) {
		return;
	}
	if (there != NULL) {
		there->flags |= NODE_DETACHED;
	}
	table_drop(t, n);
	n->kind = (uint8_t)kind;
	n->flags &= (uint8_t)~NODE_DETACHED;
	parent->refs++;
	inode_place(t, n, parent, inode_copy(name), name.len,
		    full.len > 0 ? inode_copy(full) : NULL);
	before->refs--;
	inode_settle(t, before);
}

void
inode_swap(struct inodes *t, struct node *a, struct node *b)
{
	lock_scope(&t->lock);
	struct node *a_parent = a->parent, *b_parent = b->parent;
	struct slice a_name = inode_name_of(a), b_name = inode_name_of(b);
	char *a_copy = inode_copy(a_name), *b_copy = inode_copy(b_name);
	char *a_full = a->full, *b_full = b->full;

	if (a == b || is_detached(a) || is_detached(b)) {
		free(a_copy);
		free(b_copy);
		return;
	}
	table_drop(t, a);
	table_drop(t, b);
	a->full = NULL;
	b->full = NULL;
	inode_place(t, a, b_parent, b_copy, b_name.len, b_full);
	inode_place(t, b, a_parent, a_copy, a_name.len, a_full);
}

void
inode_set_full(struct inodes *t, struct node *n, struct slice full)
{
	lock_scope(&t->lock);
	if (n->full == NULL && n->parent != NULL) {
		learn_full(t, n, full);
	}
}

struct node *
inode_parent(struct inodes *t, const struct node *n)
{
	lock_scope(&t->lock);
	if (n->parent != NULL) {
		n->parent->refs++;
	}
	return n->parent;
}

void
inode_flag_parent(struct inodes *t, const struct node *n, enum node_flags flags)
{
	lock_scope(&t->lock);
	if (n->parent != NULL) {
		n->parent->flags |= (uint8_t)flags;
	}
}

bool
inode_is_child(struct inodes *t, const struct node *n, const struct node *dir)
{
	lock_scope(&t->lock);
	return n->parent == dir;
}

bool
inode_is_within(struct inodes *t, const struct node *n, const struct node *top)
{
	lock_scope(&t->lock);
	while (n != NULL && n != top) {
		n = n->parent;
	}
	return n == top;
}

struct slice
inode_name(struct inodes *t, struct arena *a, const struct node *n)
{
	lock_scope(&t->lock);
	return slice_copy(a, inode_name_of(n));
}

size_t
inode_way(struct inodes *t, struct arena *a, struct node *n,
	  struct inode_step steps[INODE_DEPTH_MAX])
{
	lock_scope(&t->lock);
	size_t depth = 0;

	for (const struct node *up = n; up->parent != NULL; up = up->parent) {
		depth++;
	}
	assert(depth <= INODE_DEPTH_MAX);
	for (size_t i = depth; i > 0; i--, n = n->parent) {
		struct slice name = slice_copy(a, inode_name_of(n));
		struct slice full =
			n->full == NULL ? (struct slice){0} : slice_copy(a, slice_from(n->full));

		steps[i - 1] = (struct inode_step){
			.node = n, .kind = (enum node_kind)n->kind, .name = name, .full = full};
	}
	return depth;
}

static bool
inode_is_idle(const struct node *n)
{
	return n->refs == 0 && n->lookups > 0 && !is_detached(n);
}

bool
inode_idle(struct inodes *t, size_t *hand, const struct node **out, size_t max, size_t *n)
{
	lock_scope(&t->lock);
	size_t end = *hand + INODE_WALK;

	*n = 0;
	for (; *hand < t->n_slots && *hand < end && *n < max; (*hand)++) {
		const struct node *node = t->slots[*hand];

		if (node != NULL && inode_is_idle(node)) {
			out[(*n)++] = node;
		}
	}
	*hand = *hand < t->n_slots ? *hand : 0;
	return *hand != 0;
}

struct node **
inode_all(struct inodes *t, size_t *n)
{
	lock_scope(&t->lock);
	struct node **all = mem_array(struct node *, t->n + 1);

	*n = 0;
	for (size_t i = 0; i < t->n_slots; i++) {
		if (t->slots[i] != NULL) {
			t->slots[i]->refs++;
			all[(*n)++] = t->slots[i];
		}
	}
	return all;
}
