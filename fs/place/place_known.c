/* place_known - see place_known.h */
#include "fs/place/place_known.h"

#include "fs/core/inode.h"
#include "fs/core/mount_int.h"
#include "fs/place/place.h"

struct known_place {
	struct call call; /* has the memory of the place, and holds its schema */
	struct place place;
	struct node *node; /* while a slot has the place: one reference */
	uint64_t moves;    /* mount.inodes.moves and mount.schemas.drops before it was made */
	uint64_t drops;
	atomic_uint holders; /* the calls that use it, and the slot */
};

static void
known_let_go(void *what)
{
	struct known_place *k = what;

	if (atomic_fetch_sub_explicit(&k->holders, 1, memory_order_acq_rel) == 1) {
		call_close(&k->call);
		free(k);
	}
}

static struct known_place **
known_slot(struct mount *m, const struct node *dir)
{
	uintptr_t at = (uintptr_t)dir;

	/* Nodes are at least 64 bytes apart. */
	return &m->known_places.slots[(at >> 6 ^ at >> 10) % KNOWN_PLACES];
}

static bool
known_is_valid(struct mount *m, const struct known_place *k)
{
	return k->moves == m->inodes.moves && k->drops == m->schemas.drops;
}

bool
place_known_find(struct mount *m, struct call *c, const struct node *dir, struct place *out)
{
	struct known_place *k;

	{
		lock_scope(&m->known_places.lock);
		k = *known_slot(m, dir);
		if (k == NULL || k->node != dir || !known_is_valid(m, k)) {
			return false;
		}
		(void)atomic_fetch_add_explicit(&k->holders, 1, memory_order_relaxed);
	}
	arena_hold(&c->arena, known_let_go, k);
	*out = k->place;
	return true;
}

/* Put @k, or nothing, into a slot instead of what is there. */
static void
known_put(struct mount *m, struct known_place **slot, struct known_place *k)
{
	struct known_place *before;

	{
		lock_scope(&m->known_places.lock);
		before = *slot;
		*slot = k;
	}
	if (before != NULL) {
		inode_unref(&m->inodes, before->node);
		known_let_go(before);
	}
}

/* Return: whether @n is a directory whose files are named often */
static bool
known_is_kept(const struct mount *m, const struct node *n)
{
	bool is_dir = n->kind == NODE_ROOT || n->kind == NODE_TABLE || n->kind == NODE_INDEX ||
		      n->kind == NODE_PARTITION;

	return is_dir && !mount_is_remote(m);
}

bool
place_known_make(struct mount *m, struct call *c, struct node *n, place_maker *make,
		 struct place *out)
{
	if (!known_is_kept(m, n)) {
		return false;
	}
	struct known_place *k = mem_new(struct known_place);

	*k = (struct known_place){
		.node = n, .moves = m->inodes.moves, .drops = m->schemas.drops, .holders = 1};
	call_open(&k->call, c->now_ms, c->arena.budget);
	call_for(&k->call, c);
	arena_hold(&c->arena, known_let_go, k);
	if (make(m, &k->call, n, &k->place) != 0) {
		return false;
	}
	*out = k->place;
	k->holders++;
	inode_ref(&m->inodes, n);
	known_put(m, known_slot(m, n), k);
	return true;
}

void
place_known_release(struct mount *m)
{
	for (size_t i = 0; i < KNOWN_PLACES; i++) {
		known_put(m, &m->known_places.slots[i], NULL);
	}
}
