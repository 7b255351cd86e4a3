/*
 * post - libcurl
 *
 * A handle of libcurl is a connection; a thread takes an idle one for the time
 * of a request, so as many exist as requests have been in flight at once.
 *
 * libcurl signs (AWS Signature Version 4), each time that it sends.
 */
#include "store/wire/post.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "store/base/ascii.h"
#include "store/base/cleanup.h"
#include "store/base/mem.h"
#include "store/base/url.h"
#include "store/wire/gzip.h"
#include "store/wire/libcurl.h"
#include "store/wire/wire.h"

enum {
	IDLE_MAX = 64,                  /* connections kept */
	AGE_S = WIRE_IDLE_S / 2,        /* an older idle one is not used again */
	CONNECT_S = 10,                 /* wait so long for a connection */
	SILENCE_S = 60,                 /* and so long for a byte, as the SDKs do */
	ANSWER_MAX = 256 * 1024 * 1024, /* bytes of one answer */
	ANSWER_FIRST = 4096,            /* room for an answer that does not tell its length */
	SUM_MAX = 16,                   /* bytes of a checksum in decimal; a longer one is none */
};

struct handle {
	struct handle *next; /* in the list of idle ones */
	const struct libcurl *lib;
	CURL *curl;
	char problem[CURL_ERROR_SIZE]; /* libcurl's words on a failure */
	/* Of the present request. */
	bool once; /* it must not be sent twice */
	int sent;  /* times that it went out */
	const struct call *call;
	bool too_long;     /* the answer */
	char sum[SUM_MAX]; /* its x-amz-crc32; empty: none */
	struct buf answer;
};

struct post {
	struct libcurl lib;
	const char *url;                      /* heap */
	const char *streams_url;              /* heap: of streams' operations */
	const char *socket;                   /* heap; empty: TCP */
	const char *signer;                   /* heap: what libcurl signs for; NULL: not at all */
	const char *id;                       /* heap: the key that signs */
	const char *secret;                   /* heap */
	bool patient;                         /* as in the options */
	struct curl_slist *headers[OP_COUNT]; /* of each operation */
	pthread_mutex_t lock;                 /* of what follows */
	struct handle *idle;                  /* newest first */
	unsigned n_idle;
};

/* ------------------------------------------------------------ what comes back */

static size_t
receive(char *bytes, size_t size, size_t n, void *arg)
{
	struct handle *h = arg;
	curl_off_t length = 0;

	if (h->answer.cap == 0) {
		/* One allocation for all of it, where the length is told and plausible. */
		(void)h->lib->easy_getinfo(h->curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
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

/* A line of the answer's head; only the checksum is of interest. */
static size_t
receive_header(char *line, size_t size, size_t n, void *arg)
{
	static const char name[] = "x-amz-crc32:";
	struct handle *h = arg;
	struct slice rest = slice_of(line, size * n);

	if (rest.len >= strlen(name) && strncasecmp(rest.at, name, strlen(name)) == 0) {
		rest = ascii_trim(slice_skip(rest, strlen(name)));
		(void)snprintf(h->sum, sizeof(h->sum), "%.*s", SLICE_ARG(rest));
	}
	return size * n;
}

static bool
is_damaged(const struct handle *h)
{
	char sum[SUM_MAX];

	if (h->sum[0] == '\0') {
		return false;
	}
	(void)snprintf(sum, sizeof(sum), "%" PRIu32, gzip_sum(buf_view(&h->answer)));
	return strcmp(sum, h->sum) != 0;
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
	return ++h->sent > 1 && h->once ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

/* libcurl asks once a second, and whenever something has passed: does anybody wait for the answer? */
static int
go_on(void *arg, curl_off_t total, curl_off_t now, curl_off_t to_send, curl_off_t gone)
{
	const struct handle *h = arg;

	(void)total;
	(void)now;
	(void)to_send;
	(void)gone;
	return call_given_up(h->call);
}

/* ------------------------------------------------------------ connections */

static void
set_server(const struct post *p, CURL *curl)
{
	if (p->socket[0] != '\0') {
		(void)p->lib.easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, p->socket);
		(void)p->lib.easy_setopt(curl, CURLOPT_PROXY, "");
	}
	if (p->signer != NULL) {
		(void)p->lib.easy_setopt(curl, CURLOPT_AWS_SIGV4, p->signer);
		(void)p->lib.easy_setopt(curl, CURLOPT_USERNAME, p->id);
		(void)p->lib.easy_setopt(curl, CURLOPT_PASSWORD, p->secret);
	}
	if (!p->patient) {
		(void)p->lib.easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
		(void)p->lib.easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)SILENCE_S);
	}
}

static struct handle *
handle_new(const struct post *p)
{
	struct handle *h = mem_new(struct handle);
	CURL *curl = p->lib.easy_init();

	if (curl == NULL) {
		mem_out();
	}
	h->lib = &p->lib;
	h->curl = curl;
	set_server(p, curl);
	(void)p->lib.easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
	(void)p->lib.easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	(void)p->lib.easy_setopt(curl, CURLOPT_TCP_NODELAY, 1L);
	(void)p->lib.easy_setopt(curl, CURLOPT_TCP_KEEPALIVE, 1L);
	(void)p->lib.easy_setopt(curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	(void)p->lib.easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
	(void)p->lib.easy_setopt(curl, CURLOPT_MAXAGE_CONN, (long)AGE_S);
	(void)p->lib.easy_setopt(curl, CURLOPT_POST, 1L);
	/* Waiting for "100 Continue" would cost a round trip for each large request. */
	(void)p->lib.easy_setopt(curl, CURLOPT_EXPECT_100_TIMEOUT_MS, 0L);
	(void)p->lib.easy_setopt(curl, CURLOPT_ERRORBUFFER, h->problem);
	(void)p->lib.easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
	(void)p->lib.easy_setopt(curl, CURLOPT_WRITEDATA, h);
	/* On a socket of this machine nothing is damaged that would be worth a sum over each page. */
	if (p->socket[0] == '\0') {
		(void)p->lib.easy_setopt(curl, CURLOPT_HEADERFUNCTION, receive_header);
		(void)p->lib.easy_setopt(curl, CURLOPT_HEADERDATA, h);
	}
	(void)p->lib.easy_setopt(curl, CURLOPT_PREREQFUNCTION, before_request);
	(void)p->lib.easy_setopt(curl, CURLOPT_PREREQDATA, h);
	(void)p->lib.easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, go_on);
	(void)p->lib.easy_setopt(curl, CURLOPT_XFERINFODATA, h);
	(void)p->lib.easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
	return h;
}

static void
handle_free(struct handle *h)
{
	h->lib->easy_cleanup(h->curl);
	free(h);
}

static struct handle *
take(struct post *p)
{
	{
		lock_scope(&p->lock);
		struct handle *h = p->idle;

		if (h != NULL) {
			p->idle = h->next;
			p->n_idle--;
			return h;
		}
	}
	return handle_new(p);
}

static void
give_back(struct post *p, struct handle *h)
{
	{
		lock_scope(&p->lock);
		if (p->n_idle < IDLE_MAX) {
			h->next = p->idle;
			p->idle = h;
			p->n_idle++;
			return;
		}
	}
	handle_free(h);
}

/* ------------------------------------------------------------ one request */

/* The server lacks a part of what it was announced; of a second sending nobody knows about the first. */
static bool
is_unsent(const struct handle *h, struct slice body)
{
	curl_off_t went = 0;

	(void)h->lib->easy_getinfo(h->curl, CURLINFO_SIZE_UPLOAD_T, &went);
	return h->sent == 0 || (h->sent == 1 && (size_t)went < body.len);
}

static bool
is_passing(CURLcode code)
{
	switch ((int)code) {
	case CURLE_COULDNT_CONNECT:
	case CURLE_OPERATION_TIMEDOUT:
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_SEND_ERROR:
	case CURLE_RECV_ERROR:
	case CURLE_GOT_NOTHING:
	case CURLE_PARTIAL_FILE:
	case CURLE_ABORTED_BY_CALLBACK: /* before_request(), or go_on() */
		return true;
	default:
		return false;
	}
}

static const char *
words_for(struct call *c, const struct handle *h, CURLcode code)
{
	struct buf b;

	buf_init(&b, &c->arena);
	if (h->too_long) {
		buf_fmt(&b, "an answer of more than %d bytes", ANSWER_MAX);
	} else if (code == CURLE_ABORTED_BY_CALLBACK && call_given_up(c)) {
		buf_str(&b, "nobody waits for the answer any more");
	} else if (code == CURLE_ABORTED_BY_CALLBACK) {
		buf_str(&b, "the connection broke");
	} else {
		buf_str(&b, h->problem[0] != '\0' ? h->problem : h->lib->easy_strerror(code));
	}
	return slice_cstr(&c->arena, buf_view(&b));
}

static void
judge(struct call *c, const struct handle *h, CURLcode code, struct slice body,
      struct post_answer *out)
{
	*out = (struct post_answer){.fate = POST_ANSWERED, .body = buf_view(&h->answer)};
	(void)h->lib->easy_getinfo(h->curl, CURLINFO_RESPONSE_CODE, &out->status);
	if (code != CURLE_OK) {
		out->fate = is_unsent(h, body) ? POST_NOT_SENT : POST_LOST;
		out->problem = words_for(c, h, code);
		out->passing = is_passing(code) && !call_given_up(c);
	} else if (is_damaged(h)) {
		out->fate = POST_LOST;
		out->problem = "the answer is damaged: its checksum is another";
		out->passing = true;
	}
}

void
post_send(struct post *p, struct call *c, enum op_type type, struct slice body, bool once,
	  struct post_answer *out)
{
	struct handle *h = take(p);

	h->call = c;
	h->once = once;
	h->sent = 0;
	h->too_long = false;
	h->problem[0] = '\0';
	h->sum[0] = '\0';
	buf_init(&h->answer, &c->arena);
	(void)p->lib.easy_setopt(h->curl, CURLOPT_URL,
				 op_group(type) == OP_STREAMS ? p->streams_url : p->url);
	(void)p->lib.easy_setopt(h->curl, CURLOPT_HTTPHEADER, p->headers[type]);
	(void)p->lib.easy_setopt(h->curl, CURLOPT_POSTFIELDS, body.at);
	(void)p->lib.easy_setopt(h->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body.len);
	CURLcode code = p->lib.easy_perform(h->curl);

	judge(c, h, code, body, out);
	give_back(p, h);
}

/* ------------------------------------------------------------ open and close */

static void
add_header(const struct post *p, struct curl_slist **list, const char *name, const char *value)
{
	struct buf line;

	buf_init(&line, NULL);
	buf_fmt(&line, "%s:%s%s", name, value[0] == '\0' ? "" : " ", value);
	buf_char(&line, '\0');
	struct curl_slist *longer = p->lib.slist_append(*list, line.at);

	if (longer == NULL) {
		mem_out();
	}
	buf_release(&line);
	*list = longer;
}

static void
make_headers(struct post *p, const char *token)
{
	static const char *const targets[] = {
		[OP_DYNAMODB] = WIRE_TARGET_DYNAMODB,
		[OP_STREAMS] = WIRE_TARGET_STREAMS,
		[OP_ITEMFS] = WIRE_TARGET_ITEMFS,
	};

	for (int i = 0; i < OP_COUNT; i++) {
		enum op_type type = (enum op_type)i;
		char target[128];

		(void)snprintf(target, sizeof(target), "%s%s", targets[op_group(type)],
			       op_name(type));
		add_header(p, &p->headers[i], "X-Amz-Target", target);
		add_header(p, &p->headers[i], "Content-Type", WIRE_CONTENT_TYPE);
		if (token[0] != '\0') {
			add_header(p, &p->headers[i], "X-Amz-Security-Token", token);
		}
		/* libcurl would sign this one, although it is not sent. */
		if (p->signer == NULL) {
			add_header(p, &p->headers[i], "Expect", "");
		}
	}
}

static int
check_url(struct call *c, const struct libcurl *lib, const char *url)
{
	CURLU *parts = lib->url();
	char *scheme = NULL;
	char *host = NULL;
	bool good = parts != NULL && lib->url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK &&
		    lib->url_get(parts, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
		    lib->url_get(parts, CURLUPART_HOST, &host, 0) == CURLUE_OK &&
		    (strcmp(scheme, "http") == 0 || strcmp(scheme, "https") == 0);

	lib->free(scheme);
	lib->free(host);
	lib->url_cleanup(parts);
	return good ? 0
		    : call_fail(c, ERR_VALIDATION, "%s is not http(s)://HOST:PORT",
				url_shown(&c->arena, url));
}

static void
copy_signer(struct post *p, struct call *c, const struct post_options *o)
{
	struct buf signer;

	if (o->credential != NULL) {
		buf_init(&signer, &c->arena);
		buf_fmt(&signer, "aws:amz:%s:dynamodb", o->region);
		p->signer = mem_string(slice_cstr(&c->arena, buf_view(&signer)));
		p->id = mem_string(slice_cstr(&c->arena, o->credential->id));
		p->secret = mem_string(slice_cstr(&c->arena, o->credential->secret));
	}
}

int
post_open(struct call *c, const struct post_options *o, struct post **out)
{
	const char *streams_url = o->streams_url == NULL ? o->url : o->streams_url;
	struct libcurl lib;
	int r = libcurl_load(c, LIBCURL_NAME, &lib);

	r = r < 0 ? r : check_url(c, &lib, o->url);
	r = r < 0 ? r : check_url(c, &lib, streams_url);
	if (r < 0) {
		return r;
	}
	/* Counted inside; each post_close() takes its own back. */
	if (lib.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
		mem_out();
	}
	struct post *p = mem_new(struct post);

	p->lib = lib;
	p->url = mem_string(o->url);
	p->streams_url = mem_string(streams_url);
	p->socket = mem_string(o->socket == NULL ? "" : o->socket);
	p->patient = o->patient;
	copy_signer(p, c, o);
	(void)pthread_mutex_init(&p->lock, NULL);
	make_headers(p, o->credential == NULL ? "" : slice_cstr(&c->arena, o->credential->token));
	*out = p;
	return 0;
}

void
post_close(struct post *p)
{
	if (p == NULL) {
		return;
	}
	while (p->idle != NULL) {
		struct handle *h = p->idle;

		p->idle = h->next;
		handle_free(h);
	}
	for (int i = 0; i < OP_COUNT; i++) {
		p->lib.slist_free_all(p->headers[i]);
	}
	p->lib.global_cleanup();
	(void)pthread_mutex_destroy(&p->lock);
	free((char *)p->url);
	free((char *)p->streams_url);
	free((char *)p->socket);
	free((char *)p->signer);
	free((char *)p->id);
	free((char *)p->secret);
	free(p);
}
