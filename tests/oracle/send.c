#include "tests/oracle/send.h"

#include <curl/curl.h>
#include <time.h>

enum { PAGES_MAX = 1000, TIMEOUT_S = 120, PAUSE_MS = 5, TRIES = 24000 };

void *
send_open(const char *url)
{
	CURL *curl = curl_easy_init();

	if (curl != NULL) {
		(void)curl_easy_setopt(curl, CURLOPT_URL, url);
		(void)curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)TIMEOUT_S);
		(void)curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
	}
	return curl;
}

void
send_close(void *endpoint)
{
	curl_easy_cleanup(endpoint);
}

static size_t
receive(char *bytes, size_t size, size_t n, void *arg)
{
	buf_put(arg, bytes, size * n);
	return size * n;
}

static struct answer
post(struct call *c, void *endpoint, const char *op, struct slice body)
{
	struct curl_slist *headers = NULL;
	struct answer answer = {0};
	char target[64];
	struct buf b;

	buf_init(&b, &c->arena);
	(void)snprintf(target, sizeof(target), "X-Amz-Target: DynamoDB_20120810.%s", op);
	headers = curl_slist_append(headers, target);
	headers = curl_slist_append(headers, "Content-Type: application/x-amz-json-1.0");
	/* DynamoDB Local requires a signature and does not check it. */
	headers = curl_slist_append(headers, "X-Amz-Date: 20260101T000000Z");
	headers = curl_slist_append(headers,
				    "Authorization: AWS4-HMAC-SHA256 "
				    "Credential=oracle/20260101/us-east-1/dynamodb/aws4_request, "
				    "SignedHeaders=host, Signature=0");
	(void)curl_easy_setopt(endpoint, CURLOPT_HTTPHEADER, headers);
	(void)curl_easy_setopt(endpoint, CURLOPT_POSTFIELDS, body.at);
	(void)curl_easy_setopt(endpoint, CURLOPT_POSTFIELDSIZE, (long)body.len);
	(void)curl_easy_setopt(endpoint, CURLOPT_WRITEFUNCTION, receive);
	(void)curl_easy_setopt(endpoint, CURLOPT_WRITEDATA, &b);

	CURLcode code = curl_easy_perform(endpoint);

	curl_slist_free_all(headers);
	if (code != CURLE_OK) {
		(void)fprintf(stderr, "oracle: %s: %s\n", op, curl_easy_strerror(code));
		exit(2);
	}
	(void)curl_easy_getinfo(endpoint, CURLINFO_RESPONSE_CODE, &answer.status);
	answer.body = buf_view(&b);
	return answer;
}

/* ------------------------------------------------------------ pages */

struct pages {
	struct buf items;
	bool any; /* an answer had "Items" */
	unsigned long count;
	unsigned long scanned;
};

static unsigned long
number(const struct json *answer, const char *name)
{
	const struct json *n = json_get(answer, name);

	return n == NULL ? 0 : strtoul(n->text.at, NULL, 10);
}

static void
add_page(struct call *c, struct pages *p, const struct json *answer)
{
	const struct json *items = json_get(answer, "Items");

	p->count += number(answer, "Count");
	p->scanned += number(answer, "ScannedCount");
	if (items == NULL) {
		return;
	}
	p->any = true;
	json_each (item, items) {
		buf_str(&p->items, p->items.len > 0 ? "," : "");
		buf_slice(&p->items, make_without(c, item, SIZE_MAX, SLICE("")));
	}
}

/* The request for the page after @answer's; empty: there is none. */
static struct slice
next_page(struct call *c, const struct request *r, const struct json *answer)
{
	bool statement = strcmp(r->op, "ExecuteStatement") == 0;
	const struct json *key = json_get(answer, statement ? "NextToken" : "LastEvaluatedKey");
	struct buf b;

	if (key == NULL) {
		return SLICE("");
	}
	buf_init(&b, &c->arena);
	buf_put(&b, r->body.at, r->body.len - 1);
	buf_fmt(&b, ",\"%s\":", statement ? "NextToken" : "ExclusiveStartKey");
	buf_slice(&b, make_without(c, key, SIZE_MAX, SLICE("")));
	buf_char(&b, '}');
	return buf_view(&b);
}

struct answer
send_one(struct call *c, void *endpoint, const struct request *r)
{
	struct slice body = r->body;
	struct pages p = {0};
	struct buf b;

	buf_init(&p.items, &c->arena);
	for (unsigned i = 0;; i++) {
		struct answer answer = post(c, endpoint, r->op, body);
		const struct json *json;

		if (!r->pages || answer.status != 200 || i == PAGES_MAX ||
		    json_parse(c, answer.body, JSON_LAST_WINS, &json) < 0) {
			return answer;
		}
		add_page(c, &p, json);
		body = next_page(c, r, json);
		if (body.len == 0) {
			break;
		}
	}
	buf_init(&b, &c->arena);
	if (p.any) {
		buf_fmt(&b, "{\"Items\":[%.*s],", (int)p.items.len, p.items.at);
	} else {
		buf_char(&b, '{');
	}
	buf_fmt(&b, "\"Count\":%lu,\"ScannedCount\":%lu}", p.count, p.scanned);
	return (struct answer){200, buf_view(&b)};
}

/* ------------------------------------------------------------ waiting */

static bool
is_settled(const struct json *table, const char *status)
{
	const struct json *is = table == NULL ? NULL : json_get(table, status);

	return is == NULL || slice_is(is->text, "ACTIVE");
}

void
send_settle(struct call *c, void *endpoint, const char *table)
{
	struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
	struct buf b;

	buf_init(&b, &c->arena);
	buf_fmt(&b, "{\"TableName\":\"%s\"}", table);
	for (int tries = 0; tries < TRIES; tries++) {
		struct answer answer = post(c, endpoint, "DescribeTable", buf_view(&b));
		const struct json *json;

		if (answer.status != 200 || json_parse(c, answer.body, JSON_LAST_WINS, &json) < 0) {
			return;
		}
		const struct json *described = json_get(json, "Table");
		const struct json *indexes = json_get(described, "GlobalSecondaryIndexes");
		bool settled = is_settled(described, "TableStatus");

		for (const struct json *x = indexes == NULL ? NULL : indexes->child; x != NULL;
		     x = x->next) {
			settled = settled && is_settled(x, "IndexStatus");
		}
		if (settled) {
			return;
		}
		(void)nanosleep(&pause, NULL);
	}
	const char *url = "";

	(void)curl_easy_getinfo(endpoint, CURLINFO_EFFECTIVE_URL, &url);
	(void)fprintf(stderr, "oracle: %s at %s stays as it is\n", table, url);
}
