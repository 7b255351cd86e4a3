#include "fs/core/inode.h"

#include "tests/support/unit.h"

static struct inodes t;
static struct arena a;

static void
setup(void)
{
	inodes_init(&t);
	arena_init(&a, SIZE_MAX);
}

static void
teardown(void)
{
	inodes_release(&t);
	arena_drop(&a);
}

static struct node *
look(struct node *parent, const char *name)
{
	return inode_look(&t, parent, NODE_ITEM, slice_from(name), (struct slice){0});
}

/* Return the node if the name is known, without a reference. */
static struct node *
found(struct node *parent, const char *name)
{
	struct node *n = inode_find(&t, parent, slice_from(name));

	if (n != NULL) {
		inode_unref(&t, n);
	}
	return n;
}

static void
gives_one_name_one_node(void)
{
	struct node *n = look(t.root, "a");

	CU_ASSERT_PTR_EQUAL(look(t.root, "a"), n);
	CU_ASSERT_PTR_EQUAL(found(t.root, "a"), n);
	CU_ASSERT_PTR_NULL(found(t.root, "b"));
	CU_ASSERT_PTR_NOT_EQUAL(look(n, "a"), n);
	CU_ASSERT_EQUAL(t.n, 2);
}

static void
forgets_when_every_lookup_is_returned(void)
{
	struct node *n = look(t.root, "a");

	(void)look(t.root, "a");
	inode_forget(&t, n, 1);
	CU_ASSERT_PTR_EQUAL(found(t.root, "a"), n);
	inode_forget(&t, n, 1);
	CU_ASSERT_PTR_NULL(found(t.root, "a"));
	CU_ASSERT_EQUAL(t.n, 0);
}

static void
keeps_parents_as_long_as_their_children(void)
{
	struct node *dir = look(t.root, "d");
	struct node *file = look(dir, "f");

	inode_forget(&t, dir, 1);
	CU_ASSERT_PTR_EQUAL(found(t.root, "d"), dir);
	inode_forget(&t, file, 1);
	CU_ASSERT_EQUAL(t.n, 0);
}

static void
a_ref_keeps_a_node_that_the_kernel_forgot(void)
{
	struct node *n = look(t.root, "a");

	inode_ref(&t, n);
	inode_forget(&t, n, 1);
	CU_ASSERT_PTR_EQUAL(found(t.root, "a"), n);
	inode_unref(&t, n);
	CU_ASSERT_EQUAL(t.n, 0);
}

static void
an_unlinked_name_can_be_another_file(void)
{
	struct node *old = look(t.root, "a");

	inode_detach(&t, old);
	CU_ASSERT_PTR_NULL(found(t.root, "a"));
	struct node *later = look(t.root, "a");

	CU_ASSERT_PTR_NOT_EQUAL(later, old);
	inode_forget(&t, old, 1);
	CU_ASSERT_PTR_EQUAL(found(t.root, "a"), later);
}

static void
a_name_of_another_kind_gets_another_node(void)
{
	struct node *n = look(t.root, "a");
	struct node *dir = inode_look(&t, t.root, NODE_PARTITION, SLICE("a"), (struct slice){0});

	CU_ASSERT_PTR_NOT_EQUAL(dir, n);
	CU_ASSERT_PTR_EQUAL(found(t.root, "a"), dir);
}

static void
a_moved_node_replaces_the_target(void)
{
	struct node *p = look(t.root, "p"), *q = look(t.root, "q");
	struct node *from = look(p, "a"), *there = look(q, "b");

	inode_move(&t, from, NODE_ITEM, q, SLICE("b"), SLICE(""));
	CU_ASSERT_PTR_NULL(found(p, "a"));
	CU_ASSERT_PTR_EQUAL(found(q, "b"), from);
	CU_ASSERT_TRUE(inode_is_child(&t, from, q) && !inode_is_child(&t, from, p));
	inode_forget(&t, p, 1);
	CU_ASSERT_PTR_NULL(found(t.root, "p"));
	inode_forget(&t, there, 1);
	CU_ASSERT_PTR_EQUAL(found(q, "b"), from);
	inode_move(&t, from, NODE_ITEM, q, SLICE("b"), SLICE(""));
	CU_ASSERT_PTR_EQUAL(found(q, "b"), from);
}

static void
a_referenced_parent_outlives_the_names_below_it(void)
{
	struct node *p = look(t.root, "p"), *q = look(t.root, "q");
	struct node *n = look(p, "a");
	struct node *dir = inode_parent(&t, n);

	CU_ASSERT_PTR_EQUAL(dir, p);
	inode_move(&t, n, NODE_ITEM, q, SLICE("a"), SLICE(""));
	inode_forget(&t, p, 1);
	CU_ASSERT_PTR_EQUAL(found(t.root, "p"), p);
	inode_unref(&t, dir);
	CU_ASSERT_PTR_NULL(found(t.root, "p"));
	CU_ASSERT_PTR_NULL(inode_parent(&t, t.root));
}

static void
a_node_is_within_itself_and_its_ancestors(void)
{
	struct node *p = look(t.root, "p"), *q = look(t.root, "q");
	struct node *n = look(p, "a");

	CU_ASSERT_TRUE(inode_is_within(&t, n, n) && inode_is_within(&t, n, p));
	CU_ASSERT_TRUE(inode_is_within(&t, n, t.root));
	CU_ASSERT_FALSE(inode_is_within(&t, n, q) || inode_is_within(&t, p, n));
}

static void
children_stay_below_a_moved_directory(void)
{
	struct node *p = look(t.root, "p");
	struct node *file = look(p, "a");

	inode_move(&t, p, NODE_PARTITION, t.root, SLICE("q"), SLICE(""));
	CU_ASSERT_PTR_EQUAL(found(t.root, "q"), p);
	CU_ASSERT_PTR_EQUAL(found(p, "a"), file);
}

static void
two_nodes_exchange_their_names(void)
{
	struct node *p = look(t.root, "p"), *q = look(t.root, "q");
	struct node *x = look(p, "x"), *y = look(q, "y");

	inode_swap(&t, x, y);
	CU_ASSERT_PTR_EQUAL(found(p, "x"), y);
	CU_ASSERT_PTR_EQUAL(found(q, "y"), x);
	inode_forget(&t, x, 1);
	inode_forget(&t, y, 1);
	inode_forget(&t, p, 1);
	inode_forget(&t, q, 1);
	CU_ASSERT_EQUAL(t.n, 0);
}

static void
gives_the_path_from_the_root(void)
{
	struct inode_step steps[INODE_DEPTH_MAX];
	struct node *p = inode_look(&t, t.root, NODE_PARTITION, SLICE("short%~"), SLICE("whole"));
	struct node *file = look(p, "a");
	size_t n = inode_way(&t, &a, file, steps);

	CU_ASSERT_EQUAL(n, 2);
	CU_ASSERT_TRUE(slice_is(steps[0].name, "short%~") && slice_is(steps[0].full, "whole"));
	CU_ASSERT_TRUE(slice_is(steps[1].name, "a") && steps[1].full.len == 0);
	CU_ASSERT_PTR_EQUAL(steps[1].node, file);
	inode_set_full(&t, file, SLICE("later"));
	inode_set_full(&t, file, SLICE("never"));
	(void)inode_way(&t, &a, file, steps);
	CU_ASSERT_TRUE(slice_is(steps[1].full, "later"));
}

enum { MANY = 20000 };

static void
holds_many_names_and_frees_all_of_them(void)
{
	static struct node *nodes[MANY];
	size_t n;

	for (int i = 0; i < MANY; i++) {
		char name[16];

		(void)snprintf(name, sizeof(name), "%d", i);
		nodes[i] = look(t.root, name);
	}
	struct node **all = inode_all(&t, &n);

	CU_ASSERT_EQUAL(n, MANY);
	for (size_t i = 0; i < n; i++) {
		inode_unref(&t, all[i]);
	}
	free(all);
	for (int i = 0; i < MANY; i++) {
		inode_forget(&t, nodes[i], 1);
	}
	CU_ASSERT_EQUAL(t.n, 0);
}

/* The table must find each remaining name after any removal, also where searches pass the slots that became free. */
static void
finds_the_names_that_remain(void)
{
	static struct node *nodes[MANY];
	static char names[MANY][16];
	size_t left = MANY, wrong = 0;

	for (size_t i = 0; i < MANY; i++) {
		(void)snprintf(names[i], sizeof(names[i]), "%zu", i);
		nodes[i] = look(t.root, names[i]);
	}
	/* 7 and MANY have no common factor, so each round removes other names, spread over the table. */
	for (size_t round = 0; round < MANY; round++) {
		size_t i = round * 7 % MANY;

		inode_forget(&t, nodes[i], 1);
		nodes[i] = round % 3 == 0 ? look(t.root, names[i]) : NULL;
		left -= nodes[i] == NULL;
		for (size_t k = round % 97; k < MANY; k += 97) {
			wrong += found(t.root, names[k]) != nodes[k];
		}
	}
	CU_ASSERT_EQUAL(left, t.n);
	CU_ASSERT_EQUAL(wrong, 0);
}

/* Such nodes have no names below them and are known to the kernel. */
static void
finds_the_nodes_that_nothing_holds(void)
{
	struct node *dir = look(t.root, "dir"), *below = look(dir, "below");
	const struct node *out[4];
	size_t hand = 0, n;

	inode_detach(&t, look(t.root, "unlinked"));
	CU_ASSERT_FALSE(inode_idle(&t, &hand, out, 4, &n));
	CU_ASSERT_EQUAL(n, 1);
	CU_ASSERT_PTR_EQUAL(out[0], below);
	CU_ASSERT_EQUAL(hand, 0);
	inode_forget(&t, below, 1);
	CU_ASSERT_FALSE(inode_idle(&t, &hand, out, 4, &n));
	CU_ASSERT_EQUAL(n, 1);
	CU_ASSERT_PTR_EQUAL(out[0], dir);
	(void)look(t.root, "another");
	(void)inode_idle(&t, &hand, out, 1, &n);
	CU_ASSERT_EQUAL(n, 1);
}

/* Each call holds the lock for a part of a large table only. */
static void
finds_them_in_parts_of_a_large_table(void)
{
	static const struct node *out[2 * INODE_WALK];
	size_t hand = 0, found_nodes = 0, calls = 1, n;
	char name[16];

	for (size_t i = 0; i < INODE_WALK; i++) {
		(void)snprintf(name, sizeof(name), "n%zu", i);
		(void)look(t.root, name);
	}
	while (inode_idle(&t, &hand, out, 2 * INODE_WALK, &n)) {
		found_nodes += n;
		calls++;
	}
	CU_ASSERT_EQUAL(found_nodes + n, INODE_WALK);
	CU_ASSERT_TRUE(calls > 1);
}

static void
a_node_takes_at_most_56_bytes_and_its_name(void)
{
	CU_ASSERT_TRUE(sizeof(struct node) <= 56);
}

static void
the_bytes_of_long_names_are_counted(void)
{
	char name[4000];

	memset(name, 'k', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	struct node *dir = look(t.root, "dir");
	struct node *other = look(t.root, name);

	CU_ASSERT_EQUAL(t.n, 2);
	CU_ASSERT_EQUAL(t.weight, 2 + 3999 / INODE_NAME_BYTES);
	inode_set_full(&t, dir, slice_from(name));
	CU_ASSERT_EQUAL(t.weight, 2 + 3999 / INODE_NAME_BYTES + 4002 / INODE_NAME_BYTES);
	inode_swap(&t, dir, other);
	inode_move(&t, other, NODE_ITEM, t.root, SLICE("short"), (struct slice){0});
	CU_ASSERT_EQUAL(t.weight, 2 + 3999 / INODE_NAME_BYTES);
	inode_forget(&t, other, 1);
	inode_forget(&t, dir, 1);
	CU_ASSERT_EQUAL(t.weight, t.n);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(gives_one_name_one_node),
	UNIT_TEST(forgets_when_every_lookup_is_returned),
	UNIT_TEST(the_bytes_of_long_names_are_counted),
	UNIT_TEST(keeps_parents_as_long_as_their_children),
	UNIT_TEST(a_ref_keeps_a_node_that_the_kernel_forgot),
	UNIT_TEST(an_unlinked_name_can_be_another_file),
	UNIT_TEST(a_name_of_another_kind_gets_another_node),
	UNIT_TEST(a_moved_node_replaces_the_target),
	UNIT_TEST(a_referenced_parent_outlives_the_names_below_it),
	UNIT_TEST(a_node_is_within_itself_and_its_ancestors),
	UNIT_TEST(children_stay_below_a_moved_directory),
	UNIT_TEST(two_nodes_exchange_their_names),
	UNIT_TEST(gives_the_path_from_the_root),
	UNIT_TEST(holds_many_names_and_frees_all_of_them),
	UNIT_TEST(finds_the_names_that_remain),
	UNIT_TEST(finds_the_nodes_that_nothing_holds),
	UNIT_TEST(finds_them_in_parts_of_a_large_table),
	UNIT_TEST(a_node_takes_at_most_56_bytes_and_its_name),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(inode, setup, teardown, tests);
