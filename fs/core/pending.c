/* pending - see pending.h */
#include "fs/core/pending.h"

#include "fs/core/inode.h"
#include "fs/core/memory_account.h"
#include "fs/core/mount_int.h"

enum { PENDING_BYTES = 256 }; /* the cost of one, in addition to its name */

bool
pending_add(struct mount *m, struct node *n, uint32_t uid)
{
	struct usage usage = {.account = account_of(&m->accounts, uid)};
	lock_scope(&m->pending_lock);

	if (pending_is(n)) {
		return true;
	}
	if (!usage_resize(&usage, PENDING_BYTES + n->name_len)) {
		return false;
	}
	if (m->n_pending == m->cap_pending) {
		m->cap_pending = m->cap_pending == 0 ? 16 : 2 * m->cap_pending;
		m->pending = mem_resized(m->pending, m->cap_pending, sizeof(*m->pending));
	}
	inode_ref(&m->inodes, n);
	n->flags |= NODE_PENDING;
	m->pending[m->n_pending++] = (struct pending){n, usage};
	return true;
}

bool
pending_drop(struct mount *m, struct node *n)
{
	/* Called at every commit; usually there is nothing to drop. */
	if (!pending_is(n)) {
		return false;
	}
	lock_scope(&m->pending_lock);
	for (size_t i = 0; i < m->n_pending; i++) {
		if (m->pending[i].node == n) {
			usage_end(&m->pending[i].usage);
			m->pending[i] = m->pending[--m->n_pending];
			n->flags &= (uint8_t)~NODE_PENDING;
			inode_unref(&m->inodes, n);
			return true;
		}
	}
	return false;
}

size_t
pending_list(struct mount *m, struct arena *a, const struct node *dir, struct node ***out)
{
	lock_scope(&m->pending_lock);
	size_t n = 0;

	*out = arena_new(a, struct node *, m->n_pending);
	for (size_t i = 0; i < m->n_pending; i++) {
		struct node *node = m->pending[i].node;

		if (inode_is_child(&m->inodes, node, dir)) {
			inode_ref(&m->inodes, node);
			(*out)[n++] = node;
		}
	}
	return n;
}

void
pending_release(struct mount *m)
{
	for (size_t i = 0; i < m->n_pending; i++) {
		usage_end(&m->pending[i].usage);
		inode_unref(&m->inodes, m->pending[i].node);
	}
	free(m->pending);
	m->pending = NULL;
	m->n_pending = 0;
	m->cap_pending = 0;
}
