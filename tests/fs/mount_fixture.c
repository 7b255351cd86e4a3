#include "tests/fs/mount_fixture.h"

#include "fs/daemon/mount.h"
#include "fs/daemon/options.h"
#include "fs/file/file.h"
#include "fs/file/handle.h"
#include "fs/ops/listing.h"
#include "fs/ops/ops.h"

#include "tests/support/unit.h"

enum { BUDGET = 1 << 20 };

struct mount_fixture mount_fixture;

void
mount_fixture_open(void)
{
	const struct options o = {.kernel = ""};

	fixture_open();
	(void)fixture_table("tab pk:S sk:S | +gsi G:S H:S ALL");
	(void)fixture_table("sim pk:S");
	unit_make_folder(mount_fixture.dir, "stage");
	mount_fixture.hub =
		hub_new(fixture.e, mount_fixture.dir, mount_fixture.dir, mount_fixture.dir);

	int r = mount_new(mount_fixture_clean(), mount_fixture.hub, &o, "/m", &mount_fixture.m);

	if (r == 0) {
		r = mount_new(&fixture.c, mount_fixture.hub, &o, "/m", &mount_fixture.other);
	}
	if (r != 0) {
		abort();
	}
	mount_fixture.m->backoff_ms = mount_fixture.other->backoff_ms = 0;
}

void
mount_fixture_close(void)
{
	struct slice *names;
	size_t n;
	char path[512];

	mount_stop(mount_fixture.m);
	mount_stop(mount_fixture.other);
	mount_free(mount_fixture.m);
	mount_free(mount_fixture.other);
	n = rejected_list(&mount_fixture.hub->rejected, &mount_fixture_clean()->arena,
			  &(struct refused_reader){0}, &names);
	for (size_t i = 0; i < n; i++) {
		(void)snprintf(path, sizeof(path), "%s/rejected/%s", mount_fixture.dir,
			       names[i].at);
		(void)unlink(path);
	}
	(void)snprintf(path, sizeof(path), "%s/rejected", mount_fixture.dir);
	(void)rmdir(path);
	hub_free(mount_fixture.hub);
	(void)rmdir(mount_fixture.dir);
	fixture_close();
}

struct call *
mount_fixture_clean(void)
{
	call_close(&fixture.c);
	call_open(&fixture.c, 1795251662345, SIZE_MAX);
	return &fixture.c;
}

struct node *
mount_fixture_node(struct mount *m, const char *path)
{
	struct node *n = m->inodes.root;
	char copy[1024];
	char *save = NULL;

	(void)snprintf(copy, sizeof(copy), "%s", path);
	for (char *name = strtok_r(copy, "/", &save); name != NULL;
	     name = strtok_r(NULL, "/", &save)) {
		struct place dir;
		struct child child;
		int r = place_of(m, mount_fixture_clean(), n, &dir);

		if (r == 0) {
			r = place_child(m, &fixture.c, &dir, slice_from(name), &child);
		}
		if (r != 0) {
			return NULL;
		}
		n = inode_look(&m->inodes, n, child.kind, child.stem, child.full);
	}
	return n;
}

const char *
mount_fixture_names(struct mount *m, const char *path)
{
	struct node *n = mount_fixture_node(m, path);
	struct call *c = mount_fixture_clean();
	struct listing *l = listing_new(m, &fixture.c, n);
	struct buf out;
	int r = listing_begin(l, c);

	buf_init(&out, &c->arena);
	for (uint64_t i = LISTING_FIRST; r == 0; i++) {
		struct listed listed;
		struct buf component;

		buf_init(&component, &c->arena);
		r = listing_get(l, c, i, &component, &listed);
		if (r == 0) {
			(void)path_put_name(&out, buf_view(&component),
					    slice_from(listed.kind == NODE_ITEM ? m->suffix : ""));
			buf_char(&out, '\n');
		}
	}
	listing_free(l);
	buf_char(&out, '\0');
	return r == LISTING_END ? out.at : "failed";
}

const char *
mount_fixture_text(struct mount *m, const char *path)
{
	struct node *n = mount_fixture_node(m, path);
	struct handle *h = handle_open(m, &fixture.c, n, false);
	struct slice text;
	int r = file_read(m, mount_fixture_clean(), h, false, 0, 1 << 20, &text);

	handle_close(m, h);
	return r == 0 ? slice_cstr(&fixture.c.arena, text) : r == PLACE_ABSENT ? "-" : "failed";
}

int
mount_fixture_rename(const char *from_dir, const char *from, const char *to_dir, const char *to,
		     unsigned flags)
{
	struct request rq = {.m = mount_fixture.m};
	char path[64];
	struct move mv = {
		.from_dir = mount_fixture_node(mount_fixture.m, from_dir),
		.to_dir = mount_fixture_node(mount_fixture.m, to_dir),
		.from_name = from,
		.to_name = to,
		.flags = flags,
	};

	(void)snprintf(path, sizeof(path), "%s/%s", from_dir, from);
	(void)mount_fixture_node(mount_fixture.m, path);
	(void)snprintf(path, sizeof(path), "%s/%s", to_dir, to);
	(void)mount_fixture_node(mount_fixture.m, path);
	call_open(&rq.c, 1795251662345, BUDGET);
	int r = ops_move_ends(&rq, &mv);

	if (r == 0) {
		r = ops_move(&rq, &mv);
	}
	CU_ASSERT_TRUE(r >= 0 || r == -(int)rq.c.error.code);
	call_close(&rq.c);
	return r;
}

int
mount_fixture_unlink(const char *dir, const char *name)
{
	struct request rq = {.m = mount_fixture.m};
	struct node *n = mount_fixture_node(mount_fixture.m, dir);
	struct place place;
	struct child child;

	call_open(&rq.c, 1795251662345, BUDGET);
	int r = place_below(rq.m, &rq.c, n, name, &place, &child);

	if (r == 0) {
		r = child.kind == NODE_SCRATCH ? ops_unlink_scratch(&rq, n, &child)
					       : ops_unlink_item(&rq, n, &child);
	}
	call_close(&rq.c);
	return r;
}
