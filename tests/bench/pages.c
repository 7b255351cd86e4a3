/*
 * pages - measures the cost of a page of a Query, without HTTP
 *
 *   pages STORE TABLE PK RUNS      prints two processor times in us: the query and its answer as JSON, the JSON alone
 *
 * STORE must have no owner.  For "the JSON alone", an existing answer is written repeatedly into the same memory:
 * nothing is read, copied or allocated.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "store/own.h"
#include "store/wire/codec/codec.h"

enum { BUDGET = 256 * 1024 * 1024 };

static void
die(const char *what, const char *why)
{
	(void)fprintf(stderr, "pages: %s: %s\n", what, why);
	exit(1);
}

struct question {
	struct call c; /* memory of the request */
	struct op_in in;
};

static void
ask(struct question *q, const char *table, const char *pk)
{
	struct buf body;

	call_open(&q->c, 0, BUDGET);
	q->in.type = OP_QUERY;
	buf_init(&body, &q->c.arena);
	buf_fmt(&body,
		"{\"TableName\":\"%s\",\"KeyConditionExpression\":\"PK = :p\","
		"\"ExpressionAttributeValues\":{\":p\":{\"S\":\"%s\"}}}",
		table, pk);
	if (codec_decode_in(&q->c, CODEC_FOREIGN, buf_view(&body), &q->in) < 0) {
		die(table, q->c.error.message);
	}
}

static void
query(struct engine *e, struct question *q, struct buf *body, struct call *c, struct op_out *out)
{
	q->in.query.read.text.out = NULL;
	if (body != NULL) {
		codec_encode_ahead(body, &q->in);
	}
	call_open(c, 0, BUDGET);
	*out = (struct op_out){.type = OP_QUERY};
	if (engine_execute(e, c, &q->in, out) < 0) {
		die("query", c->error.message);
	}
}

static double
spent_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Measure it as in the HTTP front end, with new memory for each answer. */
static double
whole(struct engine *e, struct question *q, long runs)
{
	double begin = spent_us();

	for (long i = 0; i < runs; i++) {
		struct call c;
		struct op_out out;
		struct buf body;

		buf_init(&body, NULL);
		query(e, q, &body, &c, &out);
		codec_encode_out(&body, CODEC_FOREIGN, SLICE(""), &q->in, &out);
		buf_release(&body);
		call_close(&c);
	}
	return (spent_us() - begin) / (double)runs;
}

static double
encode(struct engine *e, struct question *q, long runs)
{
	struct call c;
	struct op_out out;
	struct buf body;

	query(e, q, NULL, &c, &out);
	buf_init(&body, NULL);
	codec_encode_out(&body, CODEC_FOREIGN, SLICE(""), &q->in, &out);
	double begin = spent_us();

	for (long i = 0; i < runs; i++) {
		buf_clear(&body);
		codec_encode_out(&body, CODEC_FOREIGN, SLICE(""), &q->in, &out);
	}
	double taken = (spent_us() - begin) / (double)runs;

	(void)fprintf(stderr, "%u items, %zu bytes of JSON\n", (unsigned)out.query.page.count,
		      body.len);
	buf_release(&body);
	call_close(&c);
	return taken;
}

int
main(int argc, char **argv)
{
	struct question q = {0};
	struct engine *e = NULL;
	struct call c;
	long runs = argc == 5 ? atol(argv[4]) : 0;

	if (runs < 1) {
		(void)fprintf(stderr, "usage: pages STORE TABLE PK RUNS\n");
		return 2;
	}
	call_open(&c, 0, BUDGET);
	if (store_own(&c, argv[1], false, &e) < 0) {
		die(argv[1], c.error.message);
	}
	ask(&q, argv[2], argv[3]);
	(void)whole(e, &q, runs / 10 + 1);
	double both = whole(e, &q, runs);

	printf("%.1f %.1f\n", both, encode(e, &q, runs));
	call_close(&q.c);
	engine_close(e);
	call_close(&c);
	return 0;
}
