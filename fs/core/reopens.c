/*
 * reopens - see reopens.h
 *
 * Replies of ESTALE add threads, LOOKUP reads the list, CREATE removes threads.
 */
#include "fs/core/reopens.h"

#include "fs/core/inode.h"

void
reopens_begin(struct reopens *r, pid_t thread, const struct node *dir, struct slice name,
	      uint64_t now_ms)
{
	if (thread == 0) {
		return;
	}
	lock_scope(&r->lock);
	r->at[r->next++ % REOPENS_MAX] =
		(struct reopen){thread, inode_hash(dir, name), REOPENS_LOOKUPS, now_ms};
}

bool
reopens_look(struct reopens *r, pid_t thread, const struct node *dir, struct slice name,
	     uint64_t now_ms)
{
	uint32_t hash = inode_hash(dir, name);
	bool found = false;

	lock_scope(&r->lock);
	for (size_t i = 0; thread != 0 && !found && i < REOPENS_MAX; i++) {
		struct reopen *o = &r->at[i];

		found = o->thread == thread && o->name == hash && o->left > 0 &&
			now_ms - o->since_ms < REOPENS_MS;
		o->left -= found;
	}
	return found;
}

void
reopens_end(struct reopens *r, pid_t thread)
{
	lock_scope(&r->lock);
	for (size_t i = 0; i < REOPENS_MAX; i++) {
		if (r->at[i].thread == thread) {
			r->at[i].thread = 0;
		}
	}
}
