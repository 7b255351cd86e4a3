/*
 * post_handle - sends a request with libcurl, and finds out how far it came
 */
#include "store/wire/client/post_handle.h"

#include <inttypes.h>
#include <time.h>

#include "store/base/core/clock.h"
#include "store/base/core/timing.h"
#include "store/wire/client/libcurl.h"
#include "store/wire/client/post.h"
#include "store/wire/proto/gzip.h"

enum {
	CONNECT_S = 10,      /* time limit for connecting */
	ANSWER_FIRST = 4096, /* first allocation for an answer of unknown length */
	LOOK_MS = 100,       /* between two checks whether the call was given up */
	DATE_MAX = 64,       /* bytes of a Date header */
};

#define YEAR_10000_S \
	INT64_C(253402300800) /* later times do not fit into the header of a signature */

/* ------------------------------------------------------------ callbacks of libcurl */

static size_t
post_receive(char *bytes, size_t size, size_t n, void *arg)
{
	struct post_handle *h = arg;
	curl_off_t length = 0;

	if (h->answer.cap == 0) {
		/* Allocate all of it in one step if the announced length is plausible. */
		(void)h->lib->easy_getinfo(h->curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
		(void)buf_room(&h->answer, length > 0 && length <= (curl_off_t)h->most
						   ? (size_t)length
						   : ANSWER_FIRST);
	}
	if (size * n > h->most - h->answer.len) {
		h->too_long = true;
		return 0;
	}
	buf_put(&h->answer, bytes, size * n);
	return size * n;
}

/* Return the value of a header line if it has this name, otherwise an empty slice. */
static struct slice
header_value(struct slice line, const char *name)
{
	size_t len = strlen(name);

	return line.len >= len && strncasecmp(line.at, name, len) == 0
		       ? ascii_trim(slice_skip(line, len))
		       : SLICE("");
}

/* Receive a header line of the answer; only the checksum and the time are used. */
static size_t
receive_header(char *line, size_t size, size_t n, void *arg)
{
	struct post_handle *h = arg;
	struct slice sum = header_value(slice_of(line, size * n), "x-amz-crc32:");
	struct slice date = header_value(slice_of(line, size * n), "date:");
	char text[DATE_MAX];

	if (sum.len > 0) {
		(void)snprintf(h->sum, sizeof(h->sum), "%.*s", SLICE_ARG(sum));
	}
	if (date.len > 0 && date.len < sizeof(text)) {
		(void)snprintf(text, sizeof(text), "%.*s", SLICE_ARG(date));
		time_t seconds = h->lib->getdate(text, NULL);

		h->date_ms = seconds > 0 && seconds < YEAR_10000_S ? (uint64_t)seconds * 1000 : 0;
	}
	return size * n;
}

static bool
is_damaged(const struct post_handle *h)
{
	char sum[POST_SUM_MAX];

	if (h->sum[0] == '\0') {
		return false;
	}
	(void)snprintf(sum, sizeof(sum), "%" PRIu32, gzip_sum(buf_view(&h->answer)));
	return strcmp(sum, h->sum) != 0;
}

/* Called before libcurl sends the request, possibly for the second time; a curl_prereq_callback. */
static int
/* NOLINTNEXTLINE(readability-non-const-parameter): the type is libcurl's */
before_request(void *arg, char *remote, char *local, int remote_port, int local_port)
{
	struct post_handle *h = arg;

	(void)remote;
	(void)local;
	(void)remote_port;
	(void)local_port;
	return ++h->sent > 1 && h->once ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

/* ------------------------------------------------------------ handles */

static void
set_server(const struct libcurl *lib, const struct client_options *to, CURL *curl)
{
	if (to->trust.file != NULL) {
		(void)lib->easy_setopt(curl, CURLOPT_CAINFO, to->trust.file);
	}
	if (to->trust.folder != NULL) {
		(void)lib->easy_setopt(curl, CURLOPT_CAPATH, to->trust.folder);
	}
	if (to->socket != NULL) {
		(void)lib->easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, to->socket);
		(void)lib->easy_setopt(curl, CURLOPT_PROXY, "");
	} else {
		(void)lib->easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
		(void)lib->easy_setopt(curl, CURLOPT_LOW_SPEED_TIME,
				       (long)timing_ms(TIMING_SILENCE) / 1000);
	}
}

struct post_handle *
post_handle_new(const struct libcurl *lib, const struct client_options *to)
{
	struct post_handle *h = mem_new(struct post_handle);
	CURL *curl = lib->easy_init();

	h->multi = lib->multi_init();
	if (curl == NULL || h->multi == NULL) {
		mem_out();
	}
	h->lib = lib;
	h->curl = curl;
	h->most = POST_ANSWER_MAX;
	set_server(lib, to, curl);
	(void)lib->easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
	(void)lib->easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	(void)lib->easy_setopt(curl, CURLOPT_TCP_NODELAY, 1L);
	(void)lib->easy_setopt(curl, CURLOPT_TCP_KEEPALIVE, 1L);
	(void)lib->easy_setopt(curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	(void)lib->easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
	/* The server closes connections that are idle for TIMING_IDLE.  Do not reuse one after half of that time. */
	(void)lib->easy_setopt(curl, CURLOPT_MAXAGE_CONN, (long)timing_ms(TIMING_IDLE) / 2000);
	(void)lib->easy_setopt(curl, CURLOPT_POST, 1L);
	/* Waiting for "100 Continue" would cost a round trip for each large request. */
	(void)lib->easy_setopt(curl, CURLOPT_EXPECT_100_TIMEOUT_MS, 0L);
	(void)lib->easy_setopt(curl, CURLOPT_ERRORBUFFER, h->problem);
	(void)lib->easy_setopt(curl, CURLOPT_WRITEFUNCTION, post_receive);
	(void)lib->easy_setopt(curl, CURLOPT_WRITEDATA, h);
	/* A local socket does not damage answers, so computing a checksum of each would be a waste. */
	if (to->socket == NULL) {
		(void)lib->easy_setopt(curl, CURLOPT_HEADERFUNCTION, receive_header);
		(void)lib->easy_setopt(curl, CURLOPT_HEADERDATA, h);
		(void)lib->easy_setopt(curl, CURLOPT_USERAGENT, LIBCURL_AGENT);
	}
	(void)lib->easy_setopt(curl, CURLOPT_PREREQFUNCTION, before_request);
	(void)lib->easy_setopt(curl, CURLOPT_PREREQDATA, h);
	return h;
}

void
post_handle_free(struct post_handle *h)
{
	h->lib->easy_cleanup(h->curl);
	(void)h->lib->multi_cleanup(h->multi);
	free(h);
}

/* ------------------------------------------------------------ one request */

void
post_handle_begin(struct post_handle *h, struct call *c, bool once, uint64_t until_ms)
{
	h->call = c;
	h->once = once;
	h->until_ms = until_ms;
	h->sent = 0;
	h->too_long = false;
	h->problem[0] = '\0';
	h->sum[0] = '\0';
	h->date_ms = 0;
	buf_init(&h->answer, &c->arena);
}

static bool
is_late(const struct post_handle *h)
{
	return h->until_ms != 0 && clock_steady_ms() >= h->until_ms;
}

/* curl_easy_perform() would notice only once a second that the call was given up. */
CURLcode
post_handle_perform(const struct post_handle *h)
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

/* Return whether the server lacks a part of the request.  After a second sending, the fate of the first is unknown. */
static bool
is_unsent(const struct post_handle *h, struct slice body)
{
	curl_off_t went = 0;

	(void)h->lib->easy_getinfo(h->curl, CURLINFO_SIZE_UPLOAD_T, &went);
	return h->sent == 0 || (h->sent == 1 && (size_t)went < body.len);
}

/* Return whether a failure may be temporary. */
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
	case CURLE_ABORTED_BY_CALLBACK: /* by before_request() or post_handle_perform() */
		return true;
	default:
		return false;
	}
}

/* Return a message about a failed request. */
static const char *
words_for(struct call *c, const struct post_handle *h, CURLcode code)
{
	if (h->too_long) {
		return arena_print(&c->arena, "an answer of more than %zu bytes", h->most);
	}
	if (code != CURLE_ABORTED_BY_CALLBACK) {
		return arena_print(&c->arena, "%s",
				   h->problem[0] != '\0' ? h->problem
							 : h->lib->easy_strerror(code));
	}
	return call_given_up(c) ? "the caller no longer waits for the answer"
	       : is_late(h)     ? "no answer within the time limit"
				: "the connection broke";
}

void
post_handle_judge(struct call *c, const struct post_handle *h, CURLcode code, struct slice body,
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
		out->problem = "the answer is damaged: its checksum does not match";
		out->passing = true;
	}
}
