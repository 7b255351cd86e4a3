/*
 * post - libcurl
 *
 * A handle of libcurl is a connection; a thread takes an idle one for the time
 * of a request, so as many exist as requests have been in flight at once.
 *
 * A signature is made for each request (sigv4.h), with the server's time.
 */
#include "store/wire/client/post.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "store/base/core/ascii.h"
#include "store/base/core/cleanup.h"
#include "store/base/core/clock.h"
#include "store/base/core/mem.h"
#include "store/base/core/timing.h"
#include "store/op/op.h"
#include "store/wire/client/libcurl.h"
#include "store/wire/client/post_target.h"
#include "store/wire/proto/gzip.h"
#include "store/wire/proto/sigv4.h"
#include "store/wire/proto/wire.h"

enum {
	IDLE_MAX = 64,                  /* connections kept */
	CONNECT_S = 10,                 /* wait so long for a connection */
	ANSWER_MAX = 256 * 1024 * 1024, /* bytes of one answer */
	ANSWER_FIRST = 4096,            /* room for an answer that does not tell its length */
	LOOK_MS = 100,                  /* between two looks whether anybody waits */
	SUM_MAX = 16,                   /* bytes of a checksum in decimal; a longer one is none */
	DATE_MAX = 64,                  /* bytes of a time */
	TARGET_MAX = 128,               /* of what is asked for */
	LINES_MAX = 5,                  /* headers that one request has for itself */
};

struct handle {
	struct handle *next; /* in the list of idle ones */
	const struct libcurl *lib;
	CURL *curl;
	CURLM *multi;                  /* of this handle alone: keeps its connection */
	char problem[CURL_ERROR_SIZE]; /* libcurl's words on a failure */
	/* Of the present request. */
	bool once; /* it must not be sent twice */
	int sent;  /* times that it went out */
	const struct call *call;
	uint64_t until_ms; /* as post_send() */
	bool too_long;     /* the answer */
	char sum[SUM_MAX]; /* its x-amz-crc32; empty: none */
	uint64_t date_ms;  /* its Date; 0: none */
	struct buf answer;
};

struct post {
	struct libcurl lib;
	struct post_target server;  /* of all operations */
	struct post_target streams; /* but of streams' */
	const char *socket;         /* heap; empty: TCP */
	const char *region;         /* heap: for which is signed; NULL: not at all */
	const char *trust_file;     /* heap, or NULL */
	const char *trust_folder;   /* heap, or NULL */
	bool patient;               /* as in the options */
	struct curl_slist
		*headers[OP_COUNT + 1]; /* of each operation, and of one that we do not know */
	pthread_mutex_t lock;           /* of what follows */
	struct handle *idle;            /* newest first */
	unsigned n_idle;
};

/* ------------------------------------------------------------ what comes back */

static size_t
post_receive(char *bytes, size_t size, size_t n, void *arg)
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

/* The value of the line @line, if it has that name; else empty. */
static struct slice
header_value(struct slice line, const char *name)
{
	size_t len = strlen(name);

	return line.len >= len && strncasecmp(line.at, name, len) == 0
		       ? ascii_trim(slice_skip(line, len))
		       : SLICE("");
}

/* A line of the answer's head; the checksum and the time are of interest. */
static size_t
receive_header(char *line, size_t size, size_t n, void *arg)
{
	struct handle *h = arg;
	struct slice sum = header_value(slice_of(line, size * n), "x-amz-crc32:");
	struct slice date = header_value(slice_of(line, size * n), "date:");
	char text[DATE_MAX];

	if (sum.len > 0) {
		(void)snprintf(h->sum, sizeof(h->sum), "%.*s", SLICE_ARG(sum));
	}
	if (date.len > 0 && date.len < sizeof(text)) {
		(void)snprintf(text, sizeof(text), "%.*s", SLICE_ARG(date));
		time_t seconds = h->lib->getdate(text, NULL);

		h->date_ms = seconds > 0 ? (uint64_t)seconds * 1000 : 0;
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

static bool
is_late(const struct handle *h)
{
	return h->until_ms != 0 && clock_steady_ms() >= h->until_ms;
}

/* As curl_easy_perform(), which looks once a second whether anybody waits for the answer. */
static CURLcode
perform(const struct handle *h)
{
	CURLcode code = CURLE_OK;
	int running = 1;
	int left = 0;

	if (h->lib->multi_add_handle(h->multi, h->curl) != CURLM_OK) {
		return CURLE_OUT_OF_MEMORY;
	}
	while (running > 0) {
		if (call_given_up(h->call) || is_late(h)) {
			code = CURLE_ABORTED_BY_CALLBACK;
			break;
		}
		if (h->lib->multi_perform(h->multi, &running) != CURLM_OK) {
			code = CURLE_FAILED_INIT;
			break;
		}
		if (running > 0) {
			(void)h->lib->multi_poll(h->multi, NULL, 0, LOOK_MS, NULL);
		}
	}
	if (code == CURLE_OK) {
		const CURLMsg *said = h->lib->multi_info_read(h->multi, &left);

		code = said == NULL ? CURLE_FAILED_INIT : said->data.result;
	}
	(void)h->lib->multi_remove_handle(h->multi, h->curl);
	return code;
}

/* ------------------------------------------------------------ connections */

static void
set_server(const struct post *p, CURL *curl)
{
	if (p->socket[0] != '\0') {
		(void)p->lib.easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, p->socket);
		(void)p->lib.easy_setopt(curl, CURLOPT_PROXY, "");
	}
	libcurl_set_trust(&p->lib, curl, p->trust_file, p->trust_folder);
	if (!p->patient) {
		(void)p->lib.easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
		(void)p->lib.easy_setopt(curl, CURLOPT_LOW_SPEED_TIME,
					 (long)timing_ms(TIMING_SILENCE) / 1000);
	}
}

static struct handle *
handle_new(const struct post *p)
{
	struct handle *h = mem_new(struct handle);
	CURL *curl = p->lib.easy_init();

	h->multi = p->lib.multi_init();
	if (curl == NULL || h->multi == NULL) {
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
	/* The server ends a connection that is idle for longer: it is not used again after half of that time. */
	(void)p->lib.easy_setopt(curl, CURLOPT_MAXAGE_CONN, (long)timing_ms(TIMING_IDLE) / 2000);
	(void)p->lib.easy_setopt(curl, CURLOPT_POST, 1L);
	/* Waiting for "100 Continue" would cost a round trip for each large request. */
	(void)p->lib.easy_setopt(curl, CURLOPT_EXPECT_100_TIMEOUT_MS, 0L);
	(void)p->lib.easy_setopt(curl, CURLOPT_ERRORBUFFER, h->problem);
	(void)p->lib.easy_setopt(curl, CURLOPT_WRITEFUNCTION, post_receive);
	(void)p->lib.easy_setopt(curl, CURLOPT_WRITEDATA, h);
	/* On a socket of this machine nothing is damaged that would be worth a sum over each page. */
	if (p->socket[0] == '\0') {
		(void)p->lib.easy_setopt(curl, CURLOPT_HEADERFUNCTION, receive_header);
		(void)p->lib.easy_setopt(curl, CURLOPT_HEADERDATA, h);
		(void)p->lib.easy_setopt(curl, CURLOPT_USERAGENT, LIBCURL_AGENT);
	}
	(void)p->lib.easy_setopt(curl, CURLOPT_PREREQFUNCTION, before_request);
	(void)p->lib.easy_setopt(curl, CURLOPT_PREREQDATA, h);
	return h;
}

static void
handle_free(struct handle *h)
{
	h->lib->easy_cleanup(h->curl);
	(void)h->lib->multi_cleanup(h->multi);
	free(h);
}

static struct handle *
post_take(struct post *p)
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
	case CURLE_ABORTED_BY_CALLBACK: /* before_request(), or perform() */
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
	} else if (code == CURLE_ABORTED_BY_CALLBACK && is_late(h)) {
		buf_str(&b, "no answer within the time limit");
	} else if (code == CURLE_ABORTED_BY_CALLBACK) {
		buf_str(&b, "the connection broke");
	} else {
		buf_str(&b, h->problem[0] != '\0' ? h->problem : h->lib->easy_strerror(code));
	}
	return slice_cstr(&c->arena, buf_view(&b));
}

static void
post_judge(struct call *c, const struct handle *h, CURLcode code, struct slice body,
	   struct post_answer *out)
{
	*out = (struct post_answer){
		.fate = POST_ANSWERED, .body = buf_view(&h->answer), .date_ms = h->date_ms};
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

static const char *
target_of(enum op_type type, char target[TARGET_MAX])
{
	static const char *const targets[] = {
		[OP_DYNAMODB] = WIRE_TARGET_DYNAMODB,
		[OP_STREAMS] = WIRE_TARGET_STREAMS,
		[OP_ITEMFS] = WIRE_TARGET_ITEMFS,
	};

	(void)snprintf(target, TARGET_MAX, "%s%s", targets[op_group(type)], op_name(type));
	return target;
}

static const char *
target_of_request(const struct post_request *rq, char target[TARGET_MAX])
{
	if (rq->name == NULL) {
		return target_of(rq->type, target);
	}
	(void)snprintf(target, TARGET_MAX, "%s%s", WIRE_TARGET_DYNAMODB, rq->name);
	return target;
}

/* The headers of one request, in front of its operation's; what they say is in the call's arena. */
struct post_lines {
	struct curl_slist *first;
	struct curl_slist line[LINES_MAX];
	size_t n;
};

static void
post_add_line(struct post_lines *l, struct call *c, const char *name, struct slice value)
{
	struct buf b;

	buf_init(&b, &c->arena);
	buf_fmt(&b, "%s: %.*s", name, SLICE_ARG(value));
	l->line[l->n] = (struct curl_slist){(char *)slice_cstr(&c->arena, buf_view(&b)), l->first};
	l->first = &l->line[l->n++];
}

static struct slice
signing_time(struct call *c, int64_t ahead_ms)
{
	time_t seconds = (time_t)(((int64_t)clock_now_ms() + ahead_ms) / 1000);
	char *text = arena_bytes(&c->arena, DATE_MAX);
	struct tm tm;

	(void)strftime(text, DATE_MAX, "%Y%m%dT%H%M%SZ", gmtime_r(&seconds, &tm));
	return slice_from(text);
}

/* Signs what says who asks whom for what; other headers may be changed on their way. */
static void
add_signature(const struct post *p, struct call *c, const struct post_request *asked,
	      const struct post_signer *signer, struct post_lines *l)
{
	const struct post_target *to =
		op_group(asked->type) == OP_STREAMS ? &p->streams : &p->server;
	struct slice token = signer->key->token;
	struct slice date = signing_time(c, signer->ahead_ms);
	char target[TARGET_MAX];
	struct sigv4_header headers[5] = {
		{SLICE("content-type"), SLICE(WIRE_CONTENT_TYPE)},
		{SLICE("host"), slice_from(to->host)},
		{SLICE("x-amz-date"), date},
	};
	size_t n = 3;

	if (token.len > 0) {
		headers[n++] = (struct sigv4_header){SLICE("x-amz-security-token"), token};
		post_add_line(l, c, "X-Amz-Security-Token", token);
	}
	headers[n++] = (struct sigv4_header){SLICE("x-amz-target"),
					     slice_from(target_of_request(asked, target))};
	struct sigv4_request rq = {.method = "POST",
				   .path = to->path,
				   .headers = headers,
				   .n_headers = n,
				   .body = asked->body};

	post_add_line(l, c, "Host", slice_from(to->host));
	post_add_line(l, c, "X-Amz-Date", date);
	post_add_line(l, c, "Authorization",
		      slice_from(sigv4_sign(c, signer->key, p->region, date, &rq)));
}

void
post_send(struct post *p, struct call *c, const struct post_request *rq, uint64_t until_ms,
	  const struct post_signer *signer, struct post_answer *out)
{
	struct handle *h = post_take(p);
	struct post_lines lines = {.first = p->headers[rq->name == NULL ? rq->type : OP_COUNT]};
	char target[TARGET_MAX];

	h->call = c;
	h->once = rq->once;
	h->until_ms = until_ms;
	h->sent = 0;
	h->too_long = false;
	h->problem[0] = '\0';
	h->sum[0] = '\0';
	h->date_ms = 0;
	buf_init(&h->answer, &c->arena);
	if (rq->name != NULL) {
		post_add_line(&lines, c, "X-Amz-Target", slice_from(target_of_request(rq, target)));
	}
	if (signer != NULL && signer->key != NULL && p->region != NULL) {
		add_signature(p, c, rq, signer, &lines);
	}
	(void)p->lib.easy_setopt(h->curl, CURLOPT_URL,
				 op_group(rq->type) == OP_STREAMS ? p->streams.url : p->server.url);
	(void)p->lib.easy_setopt(h->curl, CURLOPT_HTTPHEADER, lines.first);
	(void)p->lib.easy_setopt(h->curl, CURLOPT_POSTFIELDS, rq->body.at);
	(void)p->lib.easy_setopt(h->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)rq->body.len);
	CURLcode code = perform(h);

	(void)p->lib.easy_setopt(h->curl, CURLOPT_HTTPHEADER, NULL);
	post_judge(c, h, code, rq->body, out);
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
make_headers(struct post *p)
{
	for (int i = 0; i <= OP_COUNT; i++) {
		char target[TARGET_MAX];

		if (i < OP_COUNT) {
			add_header(p, &p->headers[i], "X-Amz-Target",
				   target_of((enum op_type)i, target));
		}
		add_header(p, &p->headers[i], "Content-Type", WIRE_CONTENT_TYPE);
		add_header(p, &p->headers[i], "Expect", "");
	}
}

/* A copy, of NULL none. */
static const char *
copy_text(const char *text)
{
	return text == NULL ? NULL : mem_string(text);
}

int
post_open(struct call *c, const struct post_options *o, struct post **out)
{
	const char *streams_url = o->streams_url == NULL ? o->url : o->streams_url;
	struct post_target server = {0};
	struct post_target streams = {0};
	struct libcurl lib;
	int r = libcurl_load(c, LIBCURL_NAME, &lib);

	r = r < 0 ? r : post_target_read(c, &lib, o->url, &server);
	r = r < 0 ? r : post_target_read(c, &lib, streams_url, &streams);
	if (r < 0) {
		return r;
	}
	/* Counted inside; each post_close() takes its own back. */
	if (lib.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
		mem_out();
	}
	struct post *p = mem_new(struct post);

	p->lib = lib;
	p->server = post_target_copy(&server);
	p->streams = post_target_copy(&streams);
	p->socket = mem_string(o->socket == NULL ? "" : o->socket);
	p->patient = o->patient;
	p->trust_file = copy_text(o->trust_file);
	p->trust_folder = copy_text(o->trust_folder);
	p->region = copy_text(o->region);
	(void)pthread_mutex_init(&p->lock, NULL);
	make_headers(p);
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
	for (int i = 0; i <= OP_COUNT; i++) {
		p->lib.slist_free_all(p->headers[i]);
	}
	p->lib.global_cleanup();
	(void)pthread_mutex_destroy(&p->lock);
	post_target_free(&p->server);
	post_target_free(&p->streams);
	free((char *)p->socket);
	free((char *)p->region);
	free((char *)p->trust_file);
	free((char *)p->trust_folder);
	free(p);
}
