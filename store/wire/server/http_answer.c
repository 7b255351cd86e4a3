/* http_answer - headers, request ids and checksums of answers */
#include "store/wire/server/http_answer.h"

#include "store/wire/codec/codec.h"
#include "store/wire/proto/gzip.h"
#include "store/wire/server/access.h"

enum {
	ID_CHARS = 52,           /* of x-amzn-RequestId */
	PACK_MIN = 4096,         /* bytes, as in the service */
	READY_BYTES = 16 * 1024, /* enough for libmicrohttpd's response and its headers */
};

static uint64_t
mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

/* Generate a request id: 52 digits and upper-case letters, as in the service; unique, but not secret. */
static void
request_id(struct server *s, char *out)
{
	uint64_t n = atomic_fetch_add(&s->ids, 1) * 4;
	uint64_t bits = 0;

	for (int i = 0; i < ID_CHARS; i++) {
		if (i % 13 == 0) {
			bits = mix(s->seed + (n + (uint64_t)i / 13) * 0x9e3779b97f4a7c15);
		}
		out[i] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[bits % 36];
		bits /= 36;
	}
	out[ID_CHARS] = '\0';
}

void
answer_seal(struct answer *a)
{
	a->crc = gzip_sum(buf_view(&a->body));
}

bool
answer_worth_packing(const struct answer *a)
{
	return a->accepted != GZIP_PLAIN && a->body.len >= PACK_MIN;
}

void
answer_pack(struct answer *a)
{
	struct buf packed;

	assert(!a->packed);
	buf_init(&packed, NULL);
	gzip_pack(buf_view(&a->body), a->accepted, &packed);
	buf_release(&a->body);
	a->body = packed;
	a->packed = true;
}

/* Add the headers of a page: no frames, no caching, no Referer for other sites, and no guessing of its type. */
static bool
answer_add_page(const struct answer *a, struct MHD_Response *response)
{
	return !slice_starts(slice_from(a->type), SLICE("text/html")) ||
	       (MHD_add_response_header(response, "X-Frame-Options", "DENY") == MHD_YES &&
		MHD_add_response_header(response, "X-Content-Type-Options", "nosniff") == MHD_YES &&
		MHD_add_response_header(response, "Referrer-Policy", "no-referrer") == MHD_YES &&
		MHD_add_response_header(response, "Cache-Control", "no-store") == MHD_YES);
}

enum MHD_Result
answer_send(struct server *s, struct MHD_Connection *connection, struct answer *a)
{
	char id[ID_CHARS + 1];
	char crc[16];
	struct slice body = buf_view(&a->body);

	request_id(s, id);
	(void)snprintf(crc, sizeof(crc), "%u", a->crc);
	(void)mem_spare(READY_BYTES); /* without a response, the connection is closed */
	struct MHD_Response *response = MHD_create_response_from_buffer(
		body.len, a->body.at,
		body.len == 0 ? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_FREE);

	if (response == NULL) {
		return MHD_NO;
	}
	a->body = (struct buf){0};
	enum MHD_Result r = MHD_NO;

	if (MHD_add_response_header(response, "Server", "Server") == MHD_YES &&
	    MHD_add_response_header(response, "Content-Type", a->type) == MHD_YES &&
	    MHD_add_response_header(response, "x-amzn-RequestId", id) == MHD_YES &&
	    MHD_add_response_header(response, "x-amz-crc32", crc) == MHD_YES &&
	    (!a->packed ||
	     MHD_add_response_header(response, "Content-Encoding",
				     a->accepted == GZIP_GZIP ? "gzip" : "deflate") == MHD_YES) &&
	    (!a->last || MHD_add_response_header(response, "Connection", "close") == MHD_YES) &&
	    answer_add_page(a, response) &&
	    cors_allow(s, connection, response, a->preflight) == MHD_YES) {
		r = MHD_queue_response(connection, a->status, response);
	}
	MHD_destroy_response(response);
	return r;
}

void
answer_error(const struct server *s, struct answer *a, const struct error *e)
{
	a->status = (unsigned)error_http(e->code);
	codec_encode_error(&a->body, s->peer, e);
}

void
answer_refuse(const struct server *s, struct answer *a, enum err code, const char *message)
{
	answer_error(s, a, &(struct error){.code = code, .message = message});
}
