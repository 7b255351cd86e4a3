/* opened - see opened.h */
#include "fs/core/opened.h"

#include "fs/core/mount_int.h"

void
opened_add(struct mount *m, struct opened *o, opened_end_fn *end)
{
	lock_scope(&m->files_lock);
	*o = (struct opened){.next = m->opened, .link = &m->opened, .end = end};
	if (o->next != NULL) {
		o->next->link = &o->next;
	}
	m->opened = o;
}

void
opened_drop(struct mount *m, struct opened *o)
{
	lock_scope(&m->files_lock);
	*o->link = o->next;
	if (o->next != NULL) {
		o->next->link = o->link;
	}
}

void
opened_end(struct mount *m)
{
	/* No other thread opens or closes files any more. */
	while (m->opened != NULL) {
		struct call c;

		mount_call_open(m, &c);
		m->opened->end(m, &c, m->opened);
		call_close(&c);
	}
}
