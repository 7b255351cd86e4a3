/*
 * client - the remote back end: encode, POST, decode
 *
 * A handle of libcurl is a connection; a thread takes an idle one for the time
 * of a request, so as many exist as requests have been in flight at once.
 *
 * What is tried again, and only here: an answer that says the request was not
 * carried out (throttling, 503), and 500 for a read of a foreign server.  A
 * write that got no answer is never sent twice: libcurl's own second try on a
 * kept connection that broke is refused (see before_request()).
 */
#include "store/wire/client.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "store/base/cleanup.h"
#include "store/base/clock.h"
#include "store/base/mem.h"
#include "store/base/socket_path.h"
#include "store/wire/codec.h"
#include "store/wire/endpoint.h"
#include "store/wire/wire.h"

enum {
	IDLE_MAX = 64,                  /* connections kept */
	AGE_S = WIRE_IDLE_S / 2,        /* an older idle one is not used again */
	CONNECT_S = 10,                 /* wait so long for a connection */
	TRIES = 6,                      /* of one request */
	DELAY_MS = 25,                  /* at most, before the second try; doubles */
	DELAY_MAX_MS = 1000,            /* and no longer than that */
	ANSWER_MAX = 256 * 1024 * 1024, /* bytes of one answer */
	ANSWER_FIRST = 4096,            /* room for an answer that does not tell its length */
};

struct handle {
	struct handle *next; /* in the list of idle ones */
	CURL *curl;
	char problem[CURL_ERROR_SIZE]; /* libcurl's words on a failure */
	bool write;                    /* the request must not be sent twice */
	int sent;                      /* times that the present request went out */
	struct buf answer;
	bool too_long; /* the answer */
};

struct client {
	struct engine engine;
	enum codec_peer peer;
	const char *url;                      /* heap */
	char socket[SOCKET_PATH_MAX];         /* empty: TCP */
	const char *name;                     /* heap: for messages */
	int dir;                              /* descriptor that @socket names, or -1 */
	struct curl_slist *headers[OP_COUNT]; /* of each operation */
	pthread_mutex_t lock;                 /* of what follows */
	struct handle *idle;                  /* newest first */
	unsigned n_idle;
	uint64_t random; /* for the jitter */
};

/* ------------------------------------------------------------ connections */

static size_t
receive(char *bytes, size_t size, size_t n, void *arg)
{
	struct handle *h = arg;
	curl_off_t length = 0;

	if (h->answer.cap == 0) {
		/* One allocation for all of it, where the length is told and plausible. */
		(void)curl_easy_getinfo(h->curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
		(void)buf_room(&h->answer,
			       length > 0 && length <= ANSWER_MAX ? (size_t)length : ANSWER_FIRST);
	}
	if (size * n > ANSWER_MAX - h->answer.len) {
		h->too_long = true;
		return 0;
	}
	buf_put(&h->answer, bytes, size * n);
	return size * n;
}

/* libcurl is about to send the request, perhaps for the second time; the types are libcurl's. */
static int
/* NOLINTNEXTLINE(readability-non-const-parameter): a curl_prereq_callback */
before_request(void *arg, char *remote, char *local, int remote_port, int local_port)
{
	struct handle *h = arg;

	(void)remote;
	(void)local;
	(void)remote_port;
	(void)local_port;
	return ++h->sent > 1 && h->write ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

static struct handle *
handle_new(const struct client *cl)
{
	struct handle *h = mem_new(struct handle);
	CURL *curl = curl_easy_init();

	if (curl == NULL) {
		mem_out();
	}
	h->curl = curl;
	(void)curl_easy_setopt(curl, CURLOPT_URL, cl->url);
	(void)curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
	if (cl->socket[0] != '\0') {
		(void)curl_easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, cl->socket);
		(void)curl_easy_setopt(curl, CURLOPT_PROXY, "");
	}
	(void)curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	(void)curl_easy_setopt(curl, CURLOPT_TCP_NODELAY, 1L);
	(void)curl_easy_setopt(curl, CURLOPT_TCP_KEEPALIVE, 1L);
	(void)curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	(void)curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
	(void)curl_easy_setopt(curl, CURLOPT_MAXAGE_CONN, (long)AGE_S);
	(void)curl_easy_setopt(curl, CURLOPT_POST, 1L);
	(void)curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, h->problem);
	(void)curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
	(void)curl_easy_setopt(curl, CURLOPT_WRITEDATA, h);
	(void)curl_easy_setopt(curl, CURLOPT_PREREQFUNCTION, before_request);
	(void)curl_easy_setopt(curl, CURLOPT_PREREQDATA, h);
	return h;
}

static void
handle_free(struct handle *h)
{
	curl_easy_cleanup(h->curl);
	free(h);
}

static struct handle *
take(struct client *cl)
{
	{
		lock_scope(&cl->lock);
		struct handle *h = cl->idle;

		if (h != NULL) {
			cl->idle = h->next;
			cl->n_idle--;
			return h;
		}
	}
	return handle_new(cl);
}

static void
give_back(struct client *cl, struct handle *h)
{
	{
		lock_scope(&cl->lock);
		if (cl->n_idle < IDLE_MAX) {
			h->next = cl->idle;
			cl->idle = h;
			cl->n_idle++;
			return;
		}
	}
	handle_free(h);
}

/* ------------------------------------------------------------ one request */

/* POST once; the answer is in the call's arena. */
static int
post(struct client *cl, struct call *c, struct handle *h, const struct op_in *in, struct slice body,
     long *status)
{
	h->write = op_kind(in->type) == OP_WRITE;
	h->sent = 0;
	h->too_long = false;
	h->problem[0] = '\0';
	buf_init(&h->answer, &c->arena);
	(void)curl_easy_setopt(h->curl, CURLOPT_HTTPHEADER, cl->headers[in->type]);
	(void)curl_easy_setopt(h->curl, CURLOPT_POSTFIELDS, body.at);
	(void)curl_easy_setopt(h->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body.len);
	CURLcode code = curl_easy_perform(h->curl);

	if (h->too_long) {
		return call_fail(c, ERR_IO, "%s: an answer of more than %d bytes", cl->name,
				 ANSWER_MAX);
	}
	if (code != CURLE_OK) {
		return call_fail(c, ERR_UNREACHABLE, "%s: %s%s", cl->name,
				 code == CURLE_ABORTED_BY_CALLBACK ? "the connection broke"
				 : h->problem[0] != '\0'           ? h->problem
								   : curl_easy_strerror(code),
				 h->write && h->sent > 0
					 ? "; whether the change was made is not known"
					 : "");
	}
	(void)curl_easy_getinfo(h->curl, CURLINFO_RESPONSE_CODE, status);
	return 0;
}

static bool
worth_trying_again(const struct client *cl, const struct op_in *in, const struct error *e,
		   long status)
{
	if (error_throttled(e->code) || status == 503) {
		return true;
	}
	return status >= 500 && cl->peer == CODEC_FOREIGN && op_kind(in->type) == OP_READ;
}

/* Sleep a random part of a time that doubles with each try. */
static void
back_off(struct client *cl, int tries)
{
	unsigned most = DELAY_MS << tries;
	uint64_t random;

	{
		lock_scope(&cl->lock);
		cl->random = cl->random * 6364136223846793005 + 1442695040888963407;
		random = cl->random >> 33;
	}
	unsigned ms = (unsigned)(random % ((most < DELAY_MAX_MS ? most : DELAY_MAX_MS) + 1));
	struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};

	(void)nanosleep(&t, NULL);
}

static int
post_until_answered(struct client *cl, struct call *c, struct handle *h, const struct op_in *in,
		    struct slice body)
{
	for (int tries = 1;; tries++) {
		long status = 0;
		int r = post(cl, c, h, in, body, &status);

		if (r < 0 || status == 200) {
			return r;
		}
		r = codec_decode_error(c, buf_view(&h->answer), (int)status);
		if (tries == TRIES || !worth_trying_again(cl, in, &c->error, status)) {
			return r;
		}
		c->error = (struct error){0};
		back_off(cl, tries);
	}
}

static int
client_execute(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out)
{
	struct client *cl = (struct client *)e;
	struct buf body;

	if (cl->peer == CODEC_FOREIGN && op_group(in->type) == OP_ITEMFS) {
		return call_fail(c, ERR_NOT_SUPPORTED, "%s is not available on an endpoint",
				 op_name(in->type));
	}
	buf_init(&body, NULL);
	codec_encode_in(&body, cl->peer, in);
	if (body.len > WIRE_BODY_MAX) {
		size_t bytes = body.len;

		buf_release(&body);
		return call_fail(c, ERR_VALIDATION, "a request of %zu bytes: 16 MB are the most",
				 bytes);
	}
	struct handle *h = take(cl);
	int r = post_until_answered(cl, c, h, in, buf_view(&body));
	struct slice answer = buf_view(&h->answer);

	give_back(cl, h);
	buf_release(&body);
	return r < 0 ? r : codec_decode_out(c, answer, in, out);
}

/* ------------------------------------------------------------ open and close */

static void
client_close(struct engine *e)
{
	struct client *cl = (struct client *)e;

	while (cl->idle != NULL) {
		struct handle *h = cl->idle;

		cl->idle = h->next;
		handle_free(h);
	}
	for (int i = 0; i < OP_COUNT; i++) {
		curl_slist_free_all(cl->headers[i]);
	}
	if (cl->dir >= 0) {
		(void)close(cl->dir);
	}
	(void)pthread_mutex_destroy(&cl->lock);
	free((char *)cl->url);
	free((char *)cl->name);
	free(cl);
	curl_global_cleanup();
}

static const struct engine_ops client_ops = {.execute = client_execute, .close = client_close};

static struct curl_slist *
with_header(struct curl_slist *list, const char *line)
{
	struct curl_slist *longer = curl_slist_append(list, line);

	if (longer == NULL) {
		mem_out();
	}
	return longer;
}

static const char *const targets[] = {
	[OP_DYNAMODB] = WIRE_TARGET_DYNAMODB,
	[OP_STREAMS] = WIRE_TARGET_STREAMS,
	[OP_ITEMFS] = WIRE_TARGET_ITEMFS,
};

static struct client *
client_new(enum codec_peer peer, const char *url, const char *name)
{
	struct client *cl = mem_new(struct client);

	/* Counted inside; each client_close() takes its own back. */
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
		mem_out();
	}
	cl->engine.ops = &client_ops;
	cl->peer = peer;
	cl->url = mem_string(url);
	cl->name = mem_string(name);
	cl->dir = -1;
	cl->random = clock_now_ms() ^ (uint64_t)getpid() << 32;
	(void)pthread_mutex_init(&cl->lock, NULL);
	for (int i = 0; i < OP_COUNT; i++) {
		char target[128];
		enum op_type type = (enum op_type)i;

		(void)snprintf(target, sizeof(target), "X-Amz-Target: %s%s",
			       targets[op_group(type)], op_name(type));
		cl->headers[i] = with_header(NULL, target);
		cl->headers[i] = with_header(cl->headers[i], "Content-Type: " WIRE_CONTENT_TYPE);
		/* Waiting for "100 Continue" would cost a round trip for each large request. */
		cl->headers[i] = with_header(cl->headers[i], "Expect:");
	}
	return cl;
}

int
client_open_socket(struct call *c, const char *path, struct engine **out)
{
	struct client *cl = client_new(CODEC_OWN, "http://localhost/", path);
	int r = socket_path(c, path, cl->socket, &cl->dir);

	if (r == 0) {
		int reason = endpoint_connect(cl->socket);
		char text[128];

		if (reason != 0) {
			r = call_fail(c, ERR_UNREACHABLE, "%s: %s", path,
				      strerror_r(reason, text, sizeof(text)));
		}
	}
	if (r < 0) {
		client_close(&cl->engine);
		return r;
	}
	*out = &cl->engine;
	return 0;
}

int
client_open_url(struct call *c, const char *url, struct engine **out)
{
	CURLU *parts = curl_url();
	char *scheme = NULL;
	char *host = NULL;
	bool good = parts != NULL && curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK &&
		    curl_url_get(parts, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
		    curl_url_get(parts, CURLUPART_HOST, &host, 0) == CURLUE_OK &&
		    (strcmp(scheme, "http") == 0 || strcmp(scheme, "https") == 0);

	curl_free(scheme);
	curl_free(host);
	curl_url_cleanup(parts);
	if (!good) {
		return call_fail(c, ERR_VALIDATION, "%s is not http(s)://HOST:PORT", url);
	}
	*out = &client_new(CODEC_FOREIGN, url, url)->engine;
	return 0;
}
