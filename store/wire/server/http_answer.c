/* http_answer - headers, request ids and checksums of answers */
#include "store/wire/server/http_answer.h"

#include "store/wire/codec/codec.h"
#include "store/wire/proto/gzip.h"
#include "store/wire/server/access.h"

enum {
	ID_PARTS = 4,       /* of x-amzn-RequestId; each has 64 bits */
	ID_PART_CHARS = 13, /* the characters of a part, 5 bits each */
	ID_CHARS = ID_PARTS * ID_PART_CHARS,
	CRC_CHARS = 10,          /* of x-amz-crc32, at most */
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
	uint64_t n = atomic_fetch_add(&s->ids, 1) * ID_PARTS;

	for (uint64_t part = 0; part < ID_PARTS; part++) {
		uint64_t bits = mix(s->seed + (n + part) * 0x9e3779b97f4a7c15);

		for (int i = 0; i < ID_PART_CHARS; i++) {
			*out++ = "0123456789ABCDEFGHIJKLMNOPQRSTUV"[bits % 32];
			bits /= 32;
		}
	}
	*out = '\0';
}

/* Write @n in decimal to the end of @out.  Return: its first digit. */
static const char *
answer_decimal(uint32_t n, char out[CRC_CHARS + 1])
{
	char *at = out + CRC_CHARS;

	*at = '\0';
	do {
		*--at = (char)('0' + n % 10);
		n /= 10;
	} while (n > 0);
	return at;
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
	char crc[CRC_CHARS + 1];
	struct slice body = buf_view(&a->body);

	request_id(s, id);
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
	    MHD_add_response_header(response, "x-amz-crc32", answer_decimal(a->crc, crc)) ==
		    MHD_YES &&
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
