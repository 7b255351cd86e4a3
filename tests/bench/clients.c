/*
 * clients - sends requests of one operation to a server from many threads, each with its own connection
 *
 *   clients ADDRESS TABLE OPERATION CONNECTIONS SECONDS ITEMS     prints requests/s
 *
 * ADDRESS is the directory of a store or HOST:PORT.  TABLE has the string keys PK and SK; operations that read need the
 * ITEMS items that "fill" makes, in partitions of 100.
 *
 *   create    CreateTable, once         get       GetItem of random items
 *   fill      BatchWriteItem, once      query     Query of one partition: 100 items
 *   put       PutItem of new items      page      Query of the partition "page": 1 MB, or all of it
 *   batch     BatchWriteItem of 25      transact  TransactWriteItems of 3
 *   idle      one GetItem on each connection, which then stays open until standard input ends
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/base/core/clock.h"

#include "tests/bench/http.h"

enum { BODY_BYTES = 16 * 1024, PARTITION = 100, BATCH = 25, TRANSACTION = 3 };

struct client;

struct operation {
	const char *word;
	const char *name;
	size_t (*body)(struct client *cl, char *out); /* writes the body of the next request */
	bool once;                                    /* for all items, not for a time */
};

struct client {
	const char *address;
	const char *table;
	const struct operation *operation;
	unsigned connections;
	uint64_t until_ms;
	uint64_t items;
	uint64_t sent;
	uint64_t stamp; /* for keys of new items; unique to this client and run */
	uint64_t rng;
	atomic_ulong *answered;
};

static uint64_t
roll(struct client *cl)
{
	cl->rng ^= cl->rng << 13;
	cl->rng ^= cl->rng >> 7;
	cl->rng ^= cl->rng << 17;
	return cl->rng;
}

/* ------------------------------------------------------------ requests */

/* Write an item, the same as bench_items of lib.sh. */
static size_t
print_item(char *out, const char *partition, uint64_t pk, uint64_t sk)
{
	return (size_t)sprintf(out,
			       "{\"PK\":{\"S\":\"%s#%08lu\"},\"SK\":{\"S\":\"ITEM#%08lu\"},"
			       "\"Status\":{\"S\":\"OPEN\"},\"Total\":{\"N\":\"%lu\"},"
			       "\"Note\":{\"S\":\"a line of text\"}}",
			       partition, pk, sk, sk);
}

static size_t
print_new(struct client *cl, char *out)
{
	return print_item(out, "NEW", cl->stamp, cl->sent++);
}

static size_t
print_some(struct client *cl, char *out, size_t n, size_t (*print)(struct client *cl, char *out),
	   const char *before, const char *after)
{
	char *at = out;

	for (size_t i = 0; i < n; i++) {
		at += sprintf(at, "%s%s", i == 0 ? "" : ",", before);
		at += print(cl, at);
		at += sprintf(at, "%s", after);
	}
	return (size_t)(at - out);
}

static size_t
body_create(struct client *cl, char *out)
{
	cl->sent++;
	return (size_t)sprintf(
		out,
		"{\"TableName\":\"%s\",\"BillingMode\":\"PAY_PER_REQUEST\",\"AttributeDefinitions\":["
		"{\"AttributeName\":\"PK\",\"AttributeType\":\"S\"},"
		"{\"AttributeName\":\"SK\",\"AttributeType\":\"S\"}],\"KeySchema\":["
		"{\"AttributeName\":\"PK\",\"KeyType\":\"HASH\"},"
		"{\"AttributeName\":\"SK\",\"KeyType\":\"RANGE\"}]}",
		cl->table);
}

static size_t
body_put(struct client *cl, char *out)
{
	char *at = out + sprintf(out, "{\"TableName\":\"%s\",\"Item\":", cl->table);

	at += print_new(cl, at);
	at += sprintf(at, "}");
	return (size_t)(at - out);
}

static size_t
body_writes(struct client *cl, char *out, size_t (*print)(struct client *cl, char *out))
{
	char *at = out + sprintf(out, "{\"RequestItems\":{\"%s\":[", cl->table);

	at += print_some(cl, at, BATCH, print, "{\"PutRequest\":{\"Item\":", "}}");
	at += sprintf(at, "]}}");
	return (size_t)(at - out);
}

static size_t
print_next(struct client *cl, char *out)
{
	uint64_t i = cl->sent++;

	return print_item(out, "PART", i / PARTITION, i % PARTITION);
}

/* Each client writes every CONNECTIONS-th batch. */
static size_t
body_fill(struct client *cl, char *out)
{
	uint64_t next = cl->sent + (uint64_t)BATCH * cl->connections;
	size_t n = body_writes(cl, out, print_next);

	cl->sent = next;
	return n;
}

static size_t
body_batch(struct client *cl, char *out)
{
	return body_writes(cl, out, print_new);
}

static size_t
body_transact(struct client *cl, char *out)
{
	char put[128];
	char *at = out + sprintf(out, "{\"TransactItems\":[");

	(void)snprintf(put, sizeof(put), "{\"Put\":{\"TableName\":\"%s\",\"Item\":", cl->table);
	at += print_some(cl, at, TRANSACTION, print_new, put, "}}");
	at += sprintf(at, "]}");
	return (size_t)(at - out);
}

static size_t
body_get(struct client *cl, char *out)
{
	uint64_t i = roll(cl) % cl->items;

	return (size_t)sprintf(out,
			       "{\"TableName\":\"%s\",\"Key\":{\"PK\":{\"S\":\"PART#%08lu\"},"
			       "\"SK\":{\"S\":\"ITEM#%08lu\"}}}",
			       cl->table, i / PARTITION, i % PARTITION);
}

static size_t
body_query(struct client *cl, char *out)
{
	return (size_t)sprintf(out,
			       "{\"TableName\":\"%s\",\"KeyConditionExpression\":\"PK = :p\","
			       "\"ExpressionAttributeValues\":{\":p\":{\"S\":\"PART#%08lu\"}}}",
			       cl->table, roll(cl) % (cl->items / PARTITION));
}

static size_t
body_page(struct client *cl, char *out)
{
	return (size_t)sprintf(out,
			       "{\"TableName\":\"%s\",\"KeyConditionExpression\":\"PK = :p\","
			       "\"ExpressionAttributeValues\":{\":p\":{\"S\":\"page\"}}}",
			       cl->table);
}

static const struct operation operations[] = {
	{"create", "CreateTable", body_create, true},
	{"fill", "BatchWriteItem", body_fill, true},
	{"put", "PutItem", body_put, false},
	{"batch", "BatchWriteItem", body_batch, false},
	{"transact", "TransactWriteItems", body_transact, false},
	{"get", "GetItem", body_get, false},
	{"query", "Query", body_query, false},
	{"page", "Query", body_page, false},
	{"idle", "GetItem", body_get, false},
};

/* ------------------------------------------------------------ answers */

/* Check that the server does not omit anything to be faster. */
static void
check(const struct client *cl, const struct http *h)
{
	bool reads_items = cl->operation->body == body_get || cl->operation->body == body_query ||
			   cl->operation->body == body_page;

	if (reads_items && strstr(h->body, "ITEM#") == NULL) {
		die("an item is missing", h->at);
	}
	if (cl->operation->body == body_query && strstr(h->body, "ITEM#00000099") == NULL) {
		die("a partition is not whole", h->at);
	}
	if (strcmp(cl->operation->name, "BatchWriteItem") == 0 &&
	    strstr(h->body, "PutRequest") != NULL) {
		die("a batch was not carried out", h->at);
	}
}

static bool
goes_on(const struct client *cl)
{
	return cl->operation->once ? cl->sent < cl->items : clock_steady_ms() < cl->until_ms;
}

static void *
ask_until(void *arg)
{
	struct client *cl = arg;
	char body[BODY_BYTES];
	struct http h;

	http_open(&h, cl->address);
	while (goes_on(cl)) {
		size_t n = cl->operation->body(cl, body);

		http_ask(&h, cl->operation->name, body, n);
		check(cl, &h);
		atomic_fetch_add(cl->answered, 1);
	}
	http_close(&h);
	return NULL;
}

/* ------------------------------------------------------------ the program */

static const struct operation *
find(const char *word)
{
	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
		if (strcmp(operations[i].word, word) == 0) {
			return &operations[i];
		}
	}
	die(word, "there is no such operation");
}

static void
run(struct client *model, size_t n)
{
	pthread_t *thread = calloc(n, sizeof(*thread));
	struct client *client = calloc(n, sizeof(*client));

	for (size_t i = 0; i < n; i++) {
		client[i] = *model;
		client[i].sent = model->operation->body == body_fill ? i * BATCH : 0;
		client[i].stamp = (clock_now_ms() * 64 + i) % 100000000;
		client[i].rng = clock_now_ms() * 1000003 + i + 1;
		if (pthread_create(&thread[i], NULL, ask_until, &client[i]) != 0) {
			die("a thread", NULL);
		}
	}
	for (size_t i = 0; i < n; i++) {
		(void)pthread_join(thread[i], NULL);
	}
	free(client);
	free(thread);
}

static void
stay_idle(struct client *cl)
{
	struct http *h = calloc(cl->connections, sizeof(*h));
	char body[BODY_BYTES];

	for (unsigned i = 0; i < cl->connections; i++) {
		http_open(&h[i], cl->address);
		http_ask(&h[i], "GetItem", body, body_get(cl, body));
	}
	(void)puts("idle");
	(void)fflush(stdout);
	while (getchar() != EOF) {
	}
	for (unsigned i = 0; i < cl->connections; i++) {
		http_ask(&h[i], "GetItem", body, body_get(cl, body));
		http_close(&h[i]);
	}
	free(h);
}

int
main(int argc, char **argv)
{
	atomic_ulong answered = 0;

	if (argc != 7) {
		(void)fprintf(stderr, "usage: clients ADDRESS TABLE OPERATION CONNECTIONS SECONDS "
				      "ITEMS\n");
		return 2;
	}
	struct client model = {.address = argv[1],
			       .table = argv[2],
			       .operation = find(argv[3]),
			       .connections = (unsigned)atoi(argv[4]),
			       .items = (uint64_t)atoll(argv[6]),
			       .rng = 1,
			       .answered = &answered};
	uint64_t begin = clock_steady_ms();

	if (strcmp(argv[3], "idle") == 0) {
		stay_idle(&model);
		return 0;
	}
	model.until_ms = begin + (uint64_t)atol(argv[5]) * 1000;
	run(&model, model.connections);
	printf("%.0f requests/s\n",
	       (double)answered * 1000 / (double)(clock_steady_ms() - begin + 1));
	return 0;
}
