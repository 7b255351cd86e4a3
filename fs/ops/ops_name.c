/*
 * ops_name - names to nodes, nodes to attributes, names away.
 */
#include <errno.h>
#include <sys/statvfs.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/clock.h"
#include "store/engine/engine.h"
#include "store/model/schema.h"

#include "fs/core/absent_names.h"
#include "fs/core/hub.h"
#include "fs/core/inode.h"
#include "fs/core/mount_int.h"
#include "fs/core/reopens.h"
#include "fs/core/shed.h"
#include "fs/file/handle.h"
#include "fs/file/hidden.h"
#include "fs/file/missed.h"
#include "fs/file/request.h"
#include "fs/file/scratch.h"
#include "fs/made/special.h"
#include "fs/ops/ops.h"
#include "fs/place/place.h"

enum { BLOCK = 4096 };

static const uint64_t ENDPOINT_BYTES = (uint64_t)1 << 50; /* shown as free */

int
ops_stat_child(struct request *rq, struct node *dir, const struct child *child, struct facts *out,
	       bool *unstable)
{
	*unstable = false;
	if (child->place.role == ROLE_SPECIAL) {
		*unstable = true;
		return special_stat(rq->m, &rq->c, child->place.shown, out);
	}
	if (place_is_fleeting(&child->place)) {
		*unstable = true;
		return place_stat(rq->m, &rq->c, &child->place, NULL, out);
	}
	struct node *n = inode_find(&rq->m->inodes, dir, child->stem);
	bool hidden = child->kind == NODE_ITEM && hidden_is(rq->m, dir, child->stem);
	int r = PLACE_ABSENT;

	if (n == NULL) {
		return hidden ? r : place_stat(rq->m, &rq->c, &child->place, NULL, out);
	}
	/* Of a hidden item there is only what is being written in its place. */
	if (!hidden || ops_is_new_file(rq, n)) {
		r = attr_get(rq, n, &child->place, out, unstable);
	}

	inode_unref(&rq->m->inodes, n);
	return r;
}

struct node *
ops_entry(struct request *rq, struct node *dir, const struct child *child,
	  const struct facts *facts, bool unstable, struct fuse_entry_param *out)
{
	struct mount *m = rq->m;
	struct node *n = inode_look(&m->inodes, dir, child->kind, child->stem, child->full);
	double timeout = unstable ? 0 : request_timeout(rq);

	*out = (struct fuse_entry_param){
		.ino = node_id(m, n), .attr_timeout = timeout, .entry_timeout = timeout};
	attr_fill(m, facts, place_ino(&child->place), &out->attr);
	if (child->place.index != NULL || child->kind == NODE_INDEXES) {
		m->index_known = true;
	}
	shed_look(m);
	return n;
}

/*
 * The kernel may remember that there is nothing, but not of a query.  Of a partition that came and
 * went while somebody has it open there is a node, and the answer to its name is nothing all the same.
 */
static void
reply_absent(struct request *rq, int r, struct node *dir, const struct place *dir_place,
	     const char *name)
{
	struct node *n = inode_find(&rq->m->inodes, dir, slice_from(name));

	if (n != NULL) {
		n->flags |= NODE_MISSED;
		inode_unref(&rq->m->inodes, n);
	}
	absent_add(&rq->m->absent, dir, slice_from(name));
	/* What one user does not see below .itemfs another may. */
	bool fleeting = place_is_fleeting(dir_place) || dir_place->role == ROLE_SPECIAL ||
			slice_ends(slice_from(name), SLICE(SCRATCH_REFUSED));
	struct fuse_entry_param none = {.entry_timeout = fleeting ? 0 : request_timeout(rq)};

	missed_note(rq, dir, dir_place, slice_from(name),
		    r == PLACE_ODD); /* before somebody can ask */
	(void)fuse_reply_entry(rq->fuse, &none);
}

static void
reply_entry(struct request *rq, struct node *dir, const struct child *child,
	    const struct facts *facts, bool unstable)
{
	struct fuse_entry_param entry;
	struct node *n = ops_entry(rq, dir, child, facts, unstable, &entry);

	if (fuse_reply_entry(rq->fuse, &entry) != 0) {
		inode_forget(&rq->m->inodes, n, 1);
	}
}

/* Does the thread look once more for a new file that it could not open? See reopens.h. */
static bool
is_reopened(struct request *rq, struct node *dir, const struct child *child)
{
	if (!reopens_look(&rq->m->reopens, fuse_req_ctx(rq->fuse)->pid, dir, child->stem,
			  clock_steady_ms())) {
		return false;
	}
	struct node *n = inode_find(&rq->m->inodes, dir, child->stem);
	bool is_new = ops_is_new_file(rq, n);

	inode_unref(&rq->m->inodes, n);
	return is_new;
}

void
ops_lookup(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	struct request rq;
	struct place dir_place;
	struct child child;
	struct facts facts;
	bool unstable = false;

	request_open(&rq, req);
	request_heed(&rq, true);
	struct node *dir = node_of(rq.m, parent);
	int r = place_of(rq.m, &rq.c, dir, &dir_place);

	dir_place.age = PLACE_RECENT;
	r = r == 0 ? place_child(rq.m, &rq.c, &dir_place, slice_from(name), &child) : r;
	if (r == 0) {
		r = ops_stat_child(&rq, dir, &child, &facts, &unstable);
	}
	request_heed(&rq, false);
	if (r == 0 && dir_place.clauses.awaits == CLAUSE_FILTER) {
		missed_quotes(&rq, dir, slice_from(name));
	}
	if (r == 0 && unstable && is_reopened(&rq, dir, &child)) {
		(void)fuse_reply_err(req, ENOENT); /* which the kernel does not keep */
	} else if (r == 0) {
		reply_entry(&rq, dir, &child, &facts, unstable);
	} else if (r == PLACE_ABSENT || r == PLACE_ODD) {
		reply_absent(&rq, r, dir, &dir_place, name);
	} else {
		request_fail(&rq, r, dir, name);
	}
	request_close(&rq);
}

void
ops_forget(fuse_req_t req, fuse_ino_t ino, uint64_t nlookup)
{
	struct mount *m = fuse_req_userdata(req);

	if (ino != FUSE_ROOT_ID) {
		inode_forget(&m->inodes, node_of(m, ino), nlookup);
	}
	fuse_reply_none(req);
}

void
ops_forget_multi(fuse_req_t req, size_t count, struct fuse_forget_data *forgets)
{
	struct mount *m = fuse_req_userdata(req);

	for (size_t i = 0; i < count; i++) {
		if (forgets[i].ino != FUSE_ROOT_ID) {
			inode_forget(&m->inodes, node_of(m, forgets[i].ino), forgets[i].nlookup);
		}
	}
	fuse_reply_none(req);
}

void
ops_getattr(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	struct request rq;
	struct place place;
	struct facts facts;
	bool unstable = false;
	struct stat st;

	(void)fi;
	request_open(&rq, req);
	request_heed(&rq, true);
	struct node *n = node_of(rq.m, ino);
	int r = place_of(rq.m, &rq.c, n, &place);

	place.age = PLACE_RECENT;
	if (r == PLACE_ABSENT && n->kind == NODE_TABLE_FILE) {
		/* Its table is gone; who has it open reads what was said before that. */
		unstable = true;
		facts = (struct facts){.mtime_ns = 0};
		r = 0;
	} else if (r == 0 && place.role == ROLE_SPECIAL) {
		unstable = true;
		r = special_stat(rq.m, &rq.c, place.shown, &facts);
	} else if (r == 0) {
		r = attr_get(&rq, n, &place, &facts, &unstable);
	}
	request_heed(&rq, false);
	if (r == PLACE_ABSENT && n->kind == NODE_ITEM) {
		/* The kernel may still have the name: it looks that up again. */
		r = PLACE_GONE;
	}
	if (r == 0) {
		attr_fill(rq.m, &facts, place_ino(&place), &st);
		(void)fuse_reply_attr(req, &st, unstable ? 0 : request_timeout(&rq));
	} else {
		request_fail(&rq, r, n, NULL);
	}
	request_close(&rq);
}

/* ------------------------------------------------------------ statfs */

/* Items of a table; in the mount of an index its entries. */
static void
add_totals(struct request *rq, struct slice table, struct totals *sum)
{
	struct describe_table_in in = {.table = table};
	struct describe_table_out out = {0};

	if (engine_describe_table(rq->m->engine, &rq->c, &in, &out) != 0) {
		return;
	}
	struct totals one = out.table.totals;

	if (rq->m->index[0] != '\0') {
		const struct schema *s = out.table.schema;
		const struct index *ix = schema_index(s, slice_from(rq->m->index));

		one = ix == NULL ? (struct totals){0} : out.table.index_totals[ix - s->index];
	}
	sum->items += one.items;
	sum->bytes += one.bytes;
}

/* Of an endpoint the first hundred tables: each one is a request. */
static void
add_all_totals(struct request *rq, struct totals *sum)
{
	struct list_tables_in in = {0};
	struct list_tables_out page = {0};

	if (rq->m->table[0] != '\0') {
		add_totals(rq, slice_from(rq->m->table), sum);
		return;
	}
	do {
		if (engine_list_tables(rq->m->engine, &rq->c, &in, &page) != 0) {
			return;
		}
		for (size_t i = 0; i < page.n_names && rq->c.error.code == ERR_NONE; i++) {
			add_totals(rq, page.names[i], sum);
		}
		in.start = page.last;
	} while (in.start.len > 0 && rq->c.error.code == ERR_NONE && !mount_is_remote(rq->m));
}

/* What an endpoint takes has no end, and df wants one. */
static void
fill_room(uint64_t bytes, struct statvfs *st)
{
	st->f_bfree = st->f_bavail = ENDPOINT_BYTES / BLOCK;
	st->f_blocks = st->f_bfree + (bytes + BLOCK - 1) / BLOCK;
}

void
ops_statfs(fuse_req_t req, fuse_ino_t ino)
{
	struct request rq;
	struct statvfs st = {.f_bsize = BLOCK, .f_frsize = BLOCK};
	struct totals sum = {0};

	(void)ino;
	request_open(&rq, req);
	add_all_totals(&rq, &sum);
	if (mount_is_remote(rq.m)) {
		fill_room(sum.bytes, &st);
	} else {
		(void)statvfs(rq.m->hub->store, &st);
	}
	/* Files are items, and there is room for any number of them. */
	st.f_ffree = st.f_favail = st.f_bavail;
	st.f_files = sum.items + st.f_ffree;
	st.f_namemax = PATH_NAME_MAX;
	(void)fuse_reply_statfs(req, &st);
	request_close(&rq);
}

/* ------------------------------------------------------------ unlink */

void
ops_partition_emptied(struct request *rq, struct node *dir, const struct place *p)
{
	if (p->role == ROLE_PARTITION && rq->c.error.code == ERR_NONE &&
	    place_has_items(rq->m, &rq->c, p) == 0) {
		(void)pending_add(rq->m, dir, rq->c.uid);
	}
}

static int
delete_item(struct request *rq, const struct place *p)
{
	struct delete_item_in in = {.write = {.table = p->table, .item = p->key, .relaxed = true}};

	/* Else another's server does not tell whether there was one. */
	if (mount_is_remote(rq->m)) {
		in.write.return_values = RETURN_ALL_OLD;
	}
	struct delete_item_out out;

	if (!p->known) {
		return PLACE_ABSENT;
	}
	int r = engine_delete_item(rq->m->engine, &rq->c, &in, &out);

	place_wrote(rq->m);

	return r == 0 && !out.written.had_old ? PLACE_ABSENT : r;
}

/* Who has the file open goes on with the text it had. */
static int
unlink_known(struct request *rq, struct node *n, const struct place *p)
{
	struct mount *m = rq->m;
	struct buf text;
	write_scope(&m->names_lock);
	struct file *f = file_get(m, n);
	bool is_new = f != NULL && file_is_new(f);
	bool is_open = file_is_open(m, n);
	int r = 0;

	buf_init(&text, &rq->c.arena);
	if (is_open && !is_new) {
		r = file_render(m, &rq->c, p, &text);
	}
	if (r == 0 && !is_new) {
		r = delete_item(rq, p);
	}
	if (r == 0 && is_open) {
		file_unlinked(m, &rq->c, n, buf_view(&text));
	}
	if (r == 0) {
		inode_detach(&m->inodes, n);
	}
	file_put(m, f);
	return r;
}

int
ops_unlink_item(struct request *rq, struct node *dir, const struct child *child)
{
	struct node *n = inode_find(&rq->m->inodes, dir, child->stem);

	bool hidden = hidden_is(rq->m, dir, child->stem) && !ops_is_new_file(rq, n);

	/* gzip(1): what was made of the item is in a scratch file. */
	int r = hidden ? PLACE_ABSENT : scratch_save_below(rq->m, &rq->c, dir, NULL);

	if (r == 0) {
		r = n == NULL ? delete_item(rq, &child->place) : unlink_known(rq, n, &child->place);
	}
	inode_unref(&rq->m->inodes, n);
	return r;
}

/* gzip(1) of what was an item: with this name the item goes, or the durable copy of its text. */
static int
save_what_stays(struct request *rq, struct node *dir, struct file *f)
{
	return hidden_is_backup(rq->m, f) || scratch_is_durable(f)
		       ? scratch_save_below(rq->m, &rq->c, dir, f)
		       : 0;
}

int
ops_unlink_scratch(struct request *rq, struct node *dir, const struct child *child)
{
	struct node *n = inode_find(&rq->m->inodes, dir, child->stem);
	struct file *f = n == NULL ? NULL : file_get(rq->m, n);
	int r = f != NULL && scratch_is(f) ? 0 : PLACE_ABSENT;

	if (r == 0) {
		r = save_what_stays(rq, dir, f);
	}
	if (r == 0) {
		r = hidden_release(rq->m, &rq->c, f);
	}
	if (r == 0) {
		scratch_unlink(rq->m, f);
	}
	file_put(rq->m, f);
	inode_unref(&rq->m->inodes, n);
	return r;
}

void
ops_unlink(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	struct request rq;
	struct place dir_place;
	struct child child;

	request_open(&rq, req);
	struct node *dir = node_of(rq.m, parent);
	int r = place_below(rq.m, &rq.c, dir, name, &dir_place, &child);

	if (r != 0) {
		request_fail(&rq, r, dir, name);
	} else if (place_is_read_only(rq.m, &child.place)) {
		request_refuse(&rq, EROFS, dir, name, mount_read_only(rq.m));
	} else if (child.kind == NODE_SCRATCH) {
		r = ops_unlink_scratch(&rq, dir, &child);
		if (r == 0) {
			request_over(&rq, dir, name);
			place_changed(rq.m, &dir_place);
		}
		request_end(&rq, r, dir, name);
	} else if (child.kind != NODE_ITEM) {
		request_refuse(&rq, EISDIR, dir, name, "this is a directory");
	} else if (!request_deny_delete(&rq, child.place.table, dir, name)) {
		r = ops_unlink_item(&rq, dir, &child);
		if (r == 0) {
			request_over(&rq, dir, name);
			place_changed(rq.m, &dir_place);
			ops_partition_emptied(&rq, dir, &dir_place);
			hub_epoch(rq.m->hub, rq.m);
		}
		/* The item is gone, whatever asking for its partition met with. */
		request_end(&rq, r, dir, name);
	}
	request_close(&rq);
}

/* ------------------------------------------------------------ what there is not */

static void
refuse_kind(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	struct request rq;

	request_open(&rq, req);
	request_refuse(&rq, EPERM, node_of(rq.m, parent), name,
		       "there are only items and directories; cp makes another item");
	request_close(&rq);
}

void
ops_link(fuse_req_t req, fuse_ino_t ino, fuse_ino_t parent, const char *name)
{
	(void)ino;
	refuse_kind(req, parent, name);
}

void
ops_symlink(fuse_req_t req, const char *target, fuse_ino_t parent, const char *name)
{
	(void)target;
	refuse_kind(req, parent, name);
}

void
ops_mknod(fuse_req_t req, fuse_ino_t parent, const char *name, mode_t mode, dev_t rdev)
{
	(void)mode;
	(void)rdev;
	refuse_kind(req, parent, name);
}
