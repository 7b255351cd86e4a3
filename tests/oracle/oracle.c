/*
 * oracle - send random requests to two endpoints and compare their answers
 *
 *   oracle [--seeds FIRST..LAST] [--steps N] [--broken PERCENT] [--updates] [--capacity]
 *          [--legacy] [--statements] [--tables] [--known FILE]... [--all] LEFT-URL RIGHT-URL
 *
 * A seed is a case: two tables ("oracle-0", "oracle-1", dropped before and after), requests, and a scan of both
 * tables.  The first difference that no rule of FILE explains is minimized and printed in the format of
 * tests/engine/scripts; --all goes on and prints one difference of each sort.
 * Exit status: 0 no difference, 1 differences, 2 it could not be run.
 */
#include <getopt.h>

#include "tests/oracle/send.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { BUDGET = 1 << 30 };

static struct {
	unsigned long first;
	unsigned long last;
	struct make_options make;
	bool all;
	void *left;
	void *right;
	struct call memory; /* lives as long as the program */
	struct slice *seen; /* digests of the differences that were printed */
	size_t n_seen;
	size_t cap_seen;
	unsigned long requests; /* number of requests sent to each endpoint */
} o = {.first = 1, .last = 100, .make = {.steps = 40, .broken = 10}};

/* The first request of a list whose answers differ. */
struct difference {
	size_t at; /* index of the request; the number of requests: none */
	struct slice digest;
	struct answer left;
	struct answer right;
};

/* ------------------------------------------------------------ running */

static const char *const tables[] = {"oracle-0", "oracle-1"};

static void
settle(struct call *c)
{
	for (size_t i = 0; i < COUNT(tables); i++) {
		send_settle(c, o.left, tables[i]);
		send_settle(c, o.right, tables[i]);
	}
}

static void
unprotect(struct call *c, const char *table)
{
	struct request r = {.op = "UpdateTable"};
	struct buf b;

	buf_init(&b, &c->arena);
	buf_fmt(&b, "{\"TableName\":\"%s\",\"DeletionProtectionEnabled\":false}", table);
	r.body = buf_view(&b);
	(void)send_one(c, o.left, &r);
	(void)send_one(c, o.right, &r);
	settle(c);
}

static void
drop_tables(struct call *c)
{
	for (size_t i = 0; i < COUNT(tables); i++) {
		struct buf b;

		buf_init(&b, &c->arena);
		buf_fmt(&b, "{\"TableName\":\"%s\"}", tables[i]);
		struct request drop = {.op = "DeleteTable", .body = buf_view(&b)};

		if (o.make.tables) {
			unprotect(c, tables[i]);
		}
		(void)send_one(c, o.left, &drop);
		(void)send_one(c, o.right, &drop);
	}
}

static bool
was_seen(struct slice digest)
{
	for (size_t i = 0; i < o.n_seen; i++) {
		if (slice_eq(o.seen[i], digest)) {
			return true;
		}
	}
	return false;
}

static bool
is_write(const struct request *r)
{
	return strstr(r->op, "Put") != NULL || strstr(r->op, "Write") != NULL ||
	       strstr(r->op, "Delete") != NULL || strstr(r->op, "Update") != NULL ||
	       strstr(r->op, "Create") != NULL || strstr(r->op, "Execute") != NULL;
}

/* A known or already printed difference is skipped, unless only one endpoint has executed the request. */
static bool
goes_on(struct call *c, const struct request *r, const struct difference *d, bool same)
{
	if (known_end(c, r, &d->left, &d->right)) {
		return false;
	}
	/* A batch of statements answers 200 even if some of them fail. */
	return same || !is_write(r) ||
	       ((d->left.status == 200) == (d->right.status == 200) &&
		strcmp(r->op, "BatchExecuteStatement") != 0);
}

static struct difference
run(struct call *c, const struct requests *list)
{
	struct difference d = {0};

	drop_tables(c);
	for (d.at = 0; d.at < list->n; d.at++) {
		const struct request *r = &list->at[d.at];

		o.requests++;
		d.left = send_one(c, o.left, r);
		d.right = send_one(c, o.right, r);
		if (strcmp(r->op, "UpdateTable") == 0) {
			settle(c);
		}
		bool same = answers_same(c, r, &d.left, &d.right);

		d.digest = answers_digest(c, r, &d.left, &d.right);
		if (!same && !known_difference(c, r, &d.left, &d.right) && !was_seen(d.digest)) {
			return d;
		}
		if (!goes_on(c, r, &d, same)) {
			d.at = list->n;
			break;
		}
	}
	return d;
}

/* ------------------------------------------------------------ shrinking */

/* Does the last request still show the same difference? */
static bool
still(const struct requests *list, struct slice digest)
{
	struct call c;

	call_open(&c, 0, BUDGET);

	struct difference d = run(&c, list);
	bool same = d.at + 1 == list->n && slice_eq(d.digest, digest);

	call_close(&c);
	return same;
}

static void
drop_requests(struct requests *list, struct slice digest)
{
	for (size_t i = list->n - 1; i-- > 0;) {
		struct request taken = list->at[i];
		size_t behind = list->n - 1 - i;

		memmove(&list->at[i], &list->at[i + 1], behind * sizeof(taken));
		list->n--;
		if (!still(list, digest)) {
			memmove(&list->at[i + 1], &list->at[i], behind * sizeof(taken));
			list->at[i] = taken;
			list->n++;
		}
	}
}

static void
cut_request(struct call *c, struct requests *list, size_t i, struct slice digest)
{
	const struct json *tree;
	size_t k = 1;

	while (json_parse(c, list->at[i].body, JSON_LAST_WINS, &tree) == 0) {
		struct slice whole = make_without(c, tree, SIZE_MAX, SLICE(""));
		struct slice less = make_without(c, tree, k, SLICE(""));
		struct slice before = list->at[i].body;

		if (slice_eq(whole, less)) {
			break;
		}
		list->at[i].body = less;
		if (!still(list, digest)) {
			list->at[i].body = before;
			k++;
		}
	}
}

static void
show(struct call *c, unsigned long seed, struct requests *list, struct difference *d)
{
	d->digest = slice_copy(&o.memory.arena, d->digest);
	list->n = d->at + 1;
	drop_requests(list, d->digest);
	for (size_t i = list->n; i-- > 0;) {
		cut_request(c, list, i, d->digest);
	}
	*d = run(c, list);
	printf("seed %lu\n", seed);
	for (size_t i = 0; i < list->n; i++) {
		printf("%s %.*s\n", list->at[i].op, SLICE_ARG(list->at[i].body));
	}
	printf("left  %ld %.*s\n", d->left.status, SLICE_ARG(d->left.body));
	printf("right %ld %.*s\n\n", d->right.status, SLICE_ARG(d->right.body));
	(void)fflush(stdout);
}

/* ------------------------------------------------------------ the program */

static unsigned
run_seed(unsigned long seed)
{
	unsigned found = 0;

	for (;;) {
		struct call c;
		struct requests list = {0};

		call_open(&c, 0, BUDGET);
		make_requests(&c, seed, &o.make, &list);

		struct difference d = run(&c, &list);
		bool differs = d.at < list.n;

		if (differs) {
			show(&c, seed, &list, &d);
			o.seen = arena_room(&o.memory.arena, o.seen, o.n_seen, &o.cap_seen);
			o.seen[o.n_seen++] = slice_copy(&o.memory.arena, d.digest);
			found++;
		}
		call_close(&c);
		if (!differs || !o.all) {
			return found;
		}
	}
}

static int
usage(void)
{
	(void)fputs(
		"usage: oracle [--seeds FIRST..LAST] [--steps N] [--broken PERCENT] [--updates] "
		"[--capacity]\n              [--legacy] [--statements] [--tables] [--known FILE]... [--all] LEFT-URL RIGHT-URL\n",
		stderr);
	return 2;
}

static bool
read_options(int argc, char **argv)
{
	static const struct option options[] = {{"seeds", required_argument, NULL, 's'},
						{"steps", required_argument, NULL, 'n'},
						{"broken", required_argument, NULL, 'b'},
						{"updates", no_argument, NULL, 'u'},
						{"capacity", no_argument, NULL, 'c'},
						{"known", required_argument, NULL, 'k'},
						{"all", no_argument, NULL, 'a'},
						{"legacy", no_argument, NULL, 'l'},
						{"statements", no_argument, NULL, 'p'},
						{"tables", no_argument, NULL, 't'},
						{NULL, 0, NULL, 0}};
	bool readable = true;
	int got;

	while ((got = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (got == 's') {
			int n = sscanf(optarg, "%lu..%lu", &o.first, &o.last);

			o.last = n == 1 ? o.first : o.last;
		} else if (got == 'n') {
			o.make.steps = (unsigned)strtoul(optarg, NULL, 10);
		} else if (got == 'b') {
			o.make.broken = (unsigned)strtoul(optarg, NULL, 10);
		} else if (got == 'k') {
			readable = readable && known_read(&o.memory, optarg);
		} else if (got == '?') {
			return false;
		}
		o.make.updates = o.make.updates || got == 'u';
		o.make.capacity = o.make.capacity || got == 'c';
		o.make.legacy = o.make.legacy || got == 'l';
		o.make.tables = o.make.tables || got == 't';
		o.make.statements = o.make.statements || got == 'p';
		o.all = o.all || got == 'a';
	}
	return readable && argc - optind == 2 && o.first <= o.last;
}

int
main(int argc, char **argv)
{
	unsigned found = 0;

	call_open(&o.memory, 0, BUDGET);
	if (!read_options(argc, argv)) {
		return usage();
	}
	o.left = send_open(argv[optind]);
	o.right = send_open(argv[optind + 1]);
	for (unsigned long seed = o.first; seed <= o.last && (found == 0 || o.all); seed++) {
		found += run_seed(seed);
	}
	drop_tables(&o.memory);
	send_close(o.left);
	send_close(o.right);
	printf("%lu requests, %u differences\n", o.requests, found);
	call_close(&o.memory);
	return found > 0;
}
