/*
 * clients - as many threads putting items durably through a store's engine (its socket, when it is owned)
 *
 *   clients STORE TABLE THREADS SECONDS      prints puts/s; the table has a string partition and a string sort key
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "store/base/clock.h"
#include "store/open.h"

enum { CALL_BUDGET = 1 << 20, PAD_BYTES = 60 };

struct client {
	struct engine *engine;
	const char *table;
	unsigned number;
	uint64_t until_ms;
	atomic_ulong *puts;
	const struct schema *schema;
};

static void
put(struct client *cl, unsigned long i)
{
	char pk[64];
	char sk[64];
	char pad[PAD_BYTES];
	struct call c;
	struct put_item_out out;

	memset(pad, 'v', sizeof(pad));
	(void)snprintf(pk, sizeof(pk), "client%03u", cl->number);
	(void)snprintf(sk, sizeof(sk), "%012lu", i);
	struct attr attrs[] = {
		{cl->schema->key.pk.name, value_string(slice_from(pk))},
		{cl->schema->key.sk.name, value_string(slice_from(sk))},
		{SLICE("Pad"), value_string(slice_of(pad, sizeof(pad)))},
	};
	struct put_item_in in = {.table = slice_from(cl->table), .item = {attrs, 3}};

	call_open(&c, clock_now_ms(), CALL_BUDGET);
	if (engine_put_item(cl->engine, &c, &in, &out) < 0) {
		(void)fprintf(stderr, "clients: %s\n", c.error.message);
		exit(1);
	}
	call_close(&c);
}

static void *
put_until(void *arg)
{
	struct client *cl = arg;

	for (unsigned long i = 0; clock_steady_ms() < cl->until_ms; i++) {
		put(cl, i);
		atomic_fetch_add(cl->puts, 1);
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	struct call c;
	struct engine *e;
	struct describe_table_out table = {0};

	if (argc != 5) {
		(void)fprintf(stderr, "usage: clients STORE TABLE THREADS SECONDS\n");
		return 2;
	}
	call_open(&c, clock_now_ms(), CALL_BUDGET);
	if (store_open(&c, argv[1], 0, &e) < 0 ||
	    engine_describe_table(e, &c, &(struct describe_table_in){.table = slice_from(argv[2])},
				  &table) < 0) {
		(void)fprintf(stderr, "clients: %s\n", c.error.message);
		return 1;
	}
	size_t n = (size_t)atol(argv[3]);
	uint64_t ms = (uint64_t)atol(argv[4]) * 1000;
	pthread_t *thread = calloc(n, sizeof(*thread));
	struct client *client = calloc(n, sizeof(*client));
	atomic_ulong puts = 0;

	for (size_t i = 0; i < n; i++) {
		client[i] = (struct client){
			e, argv[2], (unsigned)i, clock_steady_ms() + ms, &puts, table.table.schema};
		(void)pthread_create(&thread[i], NULL, put_until, &client[i]);
	}
	for (size_t i = 0; i < n; i++) {
		(void)pthread_join(thread[i], NULL);
	}
	printf("%.0f puts/s\n", (double)puts * 1000 / (double)ms);
	engine_close(e);
	call_close(&c);
	return 0;
}
