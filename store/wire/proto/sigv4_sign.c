/* sigv4_sign - computes the signature of a request, for the server's check and for the client's Authorization header */
#include <assert.h>

#include "store/base/core/ascii.h"
#include "store/base/core/buf.h"
#include "store/base/core/escape.h"
#include "store/base/text/sha256.h"
#include "store/wire/proto/sigv4_int.h"

enum { DAY = 8 }; /* bytes of 20130609T100759Z */

struct slice
sigv4_next_part(struct slice *rest, char separator)
{
	const char *end = slice_chr(*rest, separator);
	size_t n = end == NULL ? rest->len : (size_t)(end - rest->at);
	struct slice part = slice_of(rest->at, n);

	*rest = slice_skip(*rest, end == NULL ? n : n + 1);
	return part;
}

static void
sigv4_put_hex(struct buf *b, const uint8_t digest[SHA256_BYTES])
{
	for (size_t i = 0; i < SHA256_BYTES; i++) {
		buf_fmt(b, "%02x", digest[i]);
	}
}

static void
sigv4_put_digest(struct buf *b, struct slice bytes)
{
	uint8_t digest[SHA256_BYTES];

	sha256(bytes, digest);
	sigv4_put_hex(b, digest);
}

/* Append a header's value as it is signed: trimmed, and each run of blanks becomes one space. */
static void
sigv4_put_value(struct buf *b, struct slice value)
{
	bool blank = false;

	value = ascii_trim(value);
	for (size_t i = 0; i < value.len; i++) {
		bool now = ascii_blank(value.at[i]);

		if (!now || !blank) {
			buf_char(b, now ? ' ' : value.at[i]);
		}
		blank = now;
	}
}

/* Append "name:value\n".  A header that occurs more than once has all its values, separated by commas. */
static void
sigv4_put_header(struct buf *b, const struct sigv4_request *rq, struct slice name)
{
	const char *between = "";

	buf_slice(b, name);
	buf_char(b, ':');
	for (size_t i = 0; i < rq->n_headers; i++) {
		if (ascii_same(rq->headers[i].name, name)) {
			buf_str(b, between);
			sigv4_put_value(b, rq->headers[i].value);
			between = ",";
		}
	}
	buf_char(b, '\n');
}

/* In the path that is signed, all characters except unreserved ones and slashes are percent-encoded. */
static bool
sigv4_path_keeps(char ch)
{
	return ch == '/' || escape_unreserved(ch);
}

static struct slice
sigv4_canonical_request(struct call *c, const struct sigv4_claim *cl,
			const struct sigv4_request *rq)
{
	struct slice rest = cl->signed_headers;
	struct buf b;

	buf_init(&b, &c->arena);
	buf_str(&b, rq->method);
	buf_char(&b, '\n');
	escape_percent(&b, slice_from(rq->path), sigv4_path_keeps);
	buf_str(&b, "\n\n");
	while (rest.len > 0) {
		sigv4_put_header(&b, rq, sigv4_next_part(&rest, ';'));
	}
	buf_char(&b, '\n');
	buf_slice(&b, cl->signed_headers);
	buf_char(&b, '\n');
	sigv4_put_digest(&b, rq->body);
	return buf_view(&b);
}

static struct slice
sigv4_string_to_sign(struct call *c, const struct sigv4_claim *cl, const struct sigv4_request *rq)
{
	struct buf b;

	buf_init(&b, &c->arena);
	buf_str(&b, SIGV4_ALGORITHM "\n");
	buf_slice(&b, cl->date);
	/* The scope is the Credential without the key's id. */
	buf_char(&b, '\n');
	buf_slice(&b, slice_skip(cl->credential, cl->scope[0].len + 1));
	buf_char(&b, '\n');
	sigv4_put_digest(&b, sigv4_canonical_request(c, cl, rq));
	return buf_view(&b);
}

struct slice
sigv4_signature(struct call *c, const struct credential *who, const struct sigv4_claim *cl,
		const struct sigv4_request *rq)
{
	struct buf b;
	uint8_t key[SHA256_BYTES];

	assert(cl->credential.len > cl->scope[0].len);
	buf_init(&b, &c->arena);
	buf_str(&b, "AWS4");
	buf_slice(&b, who->secret);
	sha256_hmac(buf_view(&b), cl->scope[1], key);
	for (size_t i = 2; i < SIGV4_SCOPE; i++) {
		sha256_hmac(slice_of((const char *)key, sizeof(key)), cl->scope[i], key);
	}
	sha256_hmac(slice_of((const char *)key, sizeof(key)), sigv4_string_to_sign(c, cl, rq), key);
	buf_clear(&b);
	sigv4_put_hex(&b, key);
	return buf_view(&b);
}

/* ------------------------------------------------------------ the client's header */

/* The names of the headers in their order: "content-type;host;...". */
static struct slice
sigv4_names(struct call *c, const struct sigv4_request *rq)
{
	struct buf b;

	buf_init(&b, &c->arena);
	for (size_t i = 0; i < rq->n_headers; i++) {
		buf_str(&b, i == 0 ? "" : ";");
		buf_slice(&b, rq->headers[i].name);
	}
	return buf_view(&b);
}

const char *
sigv4_sign(struct call *c, const struct credential *who, const char *region, struct slice date,
	   const struct sigv4_request *rq)
{
	struct sigv4_claim cl = {.signed_headers = sigv4_names(c, rq),
				 .date = date,
				 .scope = {who->id, slice_of(date.at, DAY), slice_from(region),
					   SLICE(SIGV4_SERVICE), SLICE(SIGV4_TERMINATOR)}};
	struct buf b;

	assert(date.len > DAY);
	buf_init(&b, &c->arena);
	for (size_t i = 0; i < SIGV4_SCOPE; i++) {
		buf_str(&b, i == 0 ? "" : "/");
		buf_slice(&b, cl.scope[i]);
	}
	cl.credential = buf_view(&b);
	struct slice signature = sigv4_signature(c, who, &cl, rq);

	return arena_print(
		&c->arena, SIGV4_ALGORITHM " Credential=%.*s, SignedHeaders=%.*s, Signature=%.*s",
		SLICE_ARG(cl.credential), SLICE_ARG(cl.signed_headers), SLICE_ARG(signature));
}
