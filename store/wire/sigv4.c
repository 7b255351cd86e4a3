/* sigv4 - the parts of an Authorization header, and the signature that belongs there */
#include "store/wire/sigv4.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "store/base/ascii.h"
#include "store/base/buf.h"
#include "store/base/sha256.h"

#define ALGORITHM "AWS4-HMAC-SHA256"
#define SERVICE "dynamodb"
#define TERMINATOR "aws4_request"

enum {
	SKEW_S = 15 * 60, /* clocks may differ so much */
	STAMP = 16,       /* bytes of 20130609T100759Z */
	DAY = 8,          /* of them */
	SCOPE = 5,        /* parts of a Credential */
	REGION_MAX = 64,  /* bytes */
};

/* What the headers say; slices are borrowed from them. */
struct claim {
	struct slice authorization;
	struct slice algorithm;
	struct slice credential;
	struct slice signed_headers;
	struct slice signature;
	struct slice date;
	struct slice token;
	struct slice scope[SCOPE]; /* key id, day, region, service, terminator */
};

/* ------------------------------------------------------------ reading */

static struct slice
header(const struct sigv4_request *rq, struct slice name)
{
	for (size_t i = 0; i < rq->n_headers; i++) {
		if (ascii_same(rq->headers[i].name, name)) {
			return ascii_trim(rq->headers[i].value);
		}
	}
	return SLICE("");
}

/* The text before the next @separator, which is taken off @rest too. */
static struct slice
next_part(struct slice *rest, char separator)
{
	const char *end = rest->len == 0 ? NULL : memchr(rest->at, separator, rest->len);
	size_t n = end == NULL ? rest->len : (size_t)(end - rest->at);
	struct slice part = slice_of(rest->at, n);

	*rest = slice_skip(*rest, end == NULL ? n : n + 1);
	return part;
}

/* KEY=VALUE */
static void
read_parameter(struct claim *cl, struct slice value)
{
	struct slice key = ascii_trim(next_part(&value, '='));

	value = ascii_trim(value);
	if (slice_is(key, "Credential")) {
		cl->credential = value;
	} else if (slice_is(key, "SignedHeaders")) {
		cl->signed_headers = value;
	} else if (slice_is(key, "Signature")) {
		cl->signature = value;
	}
}

/* ALGORITHM Credential=..., SignedHeaders=..., Signature=...; the commas may be missing. */
static void
read_authorization(struct claim *cl)
{
	struct slice rest = cl->authorization;

	cl->algorithm = next_part(&rest, ' ');
	while (rest.len > 0) {
		struct slice words = next_part(&rest, ',');

		while (words.len > 0) {
			read_parameter(cl, next_part(&words, ' '));
		}
	}
}

static int
check_parts(struct call *c, const struct claim *cl)
{
	const struct {
		const char *name;
		struct slice value;
	} parts[] = {{"Credential", cl->credential},
		     {"Signature", cl->signature},
		     {"SignedHeaders", cl->signed_headers}};
	struct buf b;

	buf_init(&b, &c->arena);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (parts[i].value.len == 0) {
			buf_fmt(&b, "Authorization header requires '%s' parameter. ",
				parts[i].name);
		}
	}
	if (cl->date.len == 0) {
		buf_str(&b, "Authorization header requires existence of either a 'X-Amz-Date' or a "
			    "'Date' header. ");
	}
	return b.len == 0 ? 0
			  : call_fail(c, ERR_SIGNATURE_PARTS, "%.*sAuthorization=%.*s",
				      SLICE_ARG(buf_view(&b)), SLICE_ARG(cl->authorization));
}

static void
read_claim(const struct sigv4_request *rq, struct claim *cl)
{
	*cl = (struct claim){.authorization = header(rq, SLICE("Authorization")),
			     .date = header(rq, SLICE("X-Amz-Date")),
			     .token = header(rq, SLICE("X-Amz-Security-Token"))};
	if (cl->date.len == 0) {
		cl->date = header(rq, SLICE("Date"));
	}
	read_authorization(cl);
}

static bool
is_signature(const struct claim *cl)
{
	return slice_starts(cl->authorization, SLICE("AWS4-"));
}

/* ------------------------------------------------------------ what it claims */

/* "20130609T100759Z" of a time. */
static const char *
stamp(struct call *c, int64_t seconds)
{
	char *text = arena_new(&c->arena, char, STAMP + 1);
	time_t t = (time_t)seconds;
	struct tm tm;

	(void)strftime(text, STAMP + 1, "%Y%m%dT%H%M%SZ", gmtime_r(&t, &tm));
	return text;
}

static bool
read_stamp(struct call *c, struct slice text, int64_t *seconds)
{
	struct tm tm = {0};

	if (text.len != STAMP || text.at[DAY] != 'T' || text.at[STAMP - 1] != 'Z') {
		return false;
	}
	for (size_t i = 0; i < STAMP - 1; i++) {
		if (i != DAY && !ascii_digit(text.at[i])) {
			return false;
		}
	}
	(void)strptime(slice_cstr(&c->arena, text), "%Y%m%dT%H%M%SZ", &tm);
	*seconds = timegm(&tm);
	return true;
}

static int
check_date(struct call *c, const struct claim *cl)
{
	int64_t now = (int64_t)(c->now_ms / 1000);
	int64_t then = 0;

	if (!read_stamp(c, cl->date, &then)) {
		return call_fail(c, ERR_SIGNATURE_PARTS,
				 "Date must be in ISO-8601 'basic format'. Got '%.*s'. See "
				 "http://en.wikipedia.org/wiki/ISO_8601",
				 SLICE_ARG(cl->date));
	}
	if (then < now - SKEW_S) {
		return call_fail(c, ERR_BAD_SIGNATURE,
				 "Signature expired: %.*s is now earlier than %s (%s - 15 min.)",
				 SLICE_ARG(cl->date), stamp(c, now - SKEW_S), stamp(c, now));
	}
	if (then > now + SKEW_S) {
		return call_fail(c, ERR_BAD_SIGNATURE,
				 "Signature not yet current: %.*s is still later than %s (%s + 15 "
				 "min.)",
				 SLICE_ARG(cl->date), stamp(c, now + SKEW_S), stamp(c, now));
	}
	return 0;
}

static bool
is_signed(const struct claim *cl, struct slice name)
{
	struct slice rest = cl->signed_headers;

	while (rest.len > 0) {
		if (ascii_same(next_part(&rest, ';'), name)) {
			return true;
		}
	}
	return false;
}

/* What says where a request goes and what it does must not be changed on the way. */
static int
check_signed_headers(struct call *c, const struct claim *cl)
{
	static const struct slice needed[] = {SLICE_INIT("Host"), SLICE_INIT("X-Amz-Target")};

	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		if (!is_signed(cl, needed[i])) {
			return call_fail(
				c, ERR_BAD_SIGNATURE,
				"'%.*s' must be a 'SignedHeader' in the AWS Authorization.",
				SLICE_ARG(needed[i]));
		}
	}
	return 0;
}

static int
read_scope(struct call *c, struct claim *cl)
{
	struct slice rest = cl->credential;
	size_t n = 0;

	while (rest.len > 0) {
		struct slice part = next_part(&rest, '/');

		if (n < SCOPE) {
			cl->scope[n] = part;
		}
		n++;
	}
	return n == SCOPE
		       ? 0
		       : call_fail(c, ERR_SIGNATURE_PARTS,
				   "Credential must have exactly 5 slash-delimited elements, e.g. "
				   "keyid/date/region/service/term, got '%.*s'",
				   SLICE_ARG(cl->credential));
}

static int
check_scope(struct call *c, const struct claim *cl)
{
	struct slice day = slice_of(cl->date.at, DAY);
	struct buf b;

	buf_init(&b, &c->arena);
	if (cl->scope[2].len == 0) {
		buf_str(&b, "Credential should be scoped to a valid region, not ''. ");
	}
	if (!slice_is(cl->scope[3], SERVICE)) {
		buf_str(&b, "Credential should be scoped to correct service: '" SERVICE "'. ");
	}
	if (!slice_is(cl->scope[4], TERMINATOR)) {
		buf_fmt(&b,
			"Credential should be scoped with a valid terminator: '" TERMINATOR
			"', not '%.*s'. ",
			SLICE_ARG(cl->scope[4]));
	}
	if (!slice_eq(cl->scope[1], day)) {
		buf_fmt(&b,
			"Date in Credential scope does not match YYYYMMDD from ISO-8601 version of "
			"date from HTTP: '%.*s' != '%.*s', from '%.*s'. ",
			SLICE_ARG(cl->scope[1]), SLICE_ARG(day), SLICE_ARG(cl->date));
	}
	return b.len == 0 ? 0
			  : call_fail(c, ERR_BAD_SIGNATURE, "%.*s",
				      SLICE_ARG(slice_of(b.at, b.len - 1)));
}

/* ------------------------------------------------------------ the signature */

static void
put_hex(struct buf *b, const uint8_t digest[SHA256_BYTES])
{
	for (size_t i = 0; i < SHA256_BYTES; i++) {
		buf_fmt(b, "%02x", digest[i]);
	}
}

static void
put_digest(struct buf *b, struct slice bytes)
{
	uint8_t digest[SHA256_BYTES];

	sha256(bytes, digest);
	put_hex(b, digest);
}

/* A value as it is signed: runs of blanks are one. */
static void
put_value(struct buf *b, struct slice value)
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

/* "name:value\n"; a header that came twice has both values. */
static void
put_header(struct buf *b, const struct sigv4_request *rq, struct slice name)
{
	const char *between = "";

	buf_slice(b, name);
	buf_char(b, ':');
	for (size_t i = 0; i < rq->n_headers; i++) {
		if (ascii_same(rq->headers[i].name, name)) {
			buf_str(b, between);
			put_value(b, rq->headers[i].value);
			between = ",";
		}
	}
	buf_char(b, '\n');
}

/* The path as it is signed: all but unreserved characters and slashes are percent-encoded. */
static void
put_path(struct buf *b, const char *path)
{
	for (; *path != '\0'; path++) {
		if (ascii_word(*path) || strchr("/-.~", *path) != NULL) {
			buf_char(b, *path);
		} else {
			buf_fmt(b, "%%%02X", (unsigned char)*path);
		}
	}
}

static struct slice
canonical_request(struct call *c, const struct claim *cl, const struct sigv4_request *rq)
{
	struct slice rest = cl->signed_headers;
	struct buf b;

	buf_init(&b, &c->arena);
	buf_str(&b, rq->method);
	buf_char(&b, '\n');
	put_path(&b, rq->path);
	buf_str(&b, "\n\n");
	while (rest.len > 0) {
		put_header(&b, rq, next_part(&rest, ';'));
	}
	buf_char(&b, '\n');
	buf_slice(&b, cl->signed_headers);
	buf_char(&b, '\n');
	put_digest(&b, rq->body);
	return buf_view(&b);
}

static struct slice
string_to_sign(struct call *c, const struct claim *cl, const struct sigv4_request *rq)
{
	struct buf b;

	buf_init(&b, &c->arena);
	buf_str(&b, ALGORITHM "\n");
	buf_slice(&b, cl->date);
	/* The scope is the Credential without the key's id. */
	buf_char(&b, '\n');
	buf_slice(&b, slice_skip(cl->credential, cl->scope[0].len + 1));
	buf_char(&b, '\n');
	put_digest(&b, canonical_request(c, cl, rq));
	return buf_view(&b);
}

static struct slice
signature(struct call *c, const struct credential *who, const struct claim *cl,
	  const struct sigv4_request *rq)
{
	struct buf b;
	uint8_t key[SHA256_BYTES];

	buf_init(&b, &c->arena);
	buf_str(&b, "AWS4");
	buf_slice(&b, who->secret);
	sha256_hmac(buf_view(&b), cl->scope[1], key);
	for (size_t i = 2; i < SCOPE; i++) {
		sha256_hmac(slice_of((const char *)key, sizeof(key)), cl->scope[i], key);
	}
	sha256_hmac(slice_of((const char *)key, sizeof(key)), string_to_sign(c, cl, rq), key);
	buf_clear(&b);
	put_hex(&b, key);
	return buf_view(&b);
}

/* In a time that does not tell how much of it is the same. */
static bool
same_secret(struct slice a, struct slice b)
{
	unsigned differs = a.len != b.len;

	for (size_t i = 0; i < a.len && i < b.len; i++) {
		differs |= (unsigned char)a.at[i] ^ (unsigned char)b.at[i];
	}
	return differs == 0;
}

static int
check_signature(struct call *c, const struct credentials *known, const struct claim *cl,
		const struct sigv4_request *rq)
{
	const struct credential *who = credentials_of_id(known, cl->scope[0]);

	if (who == NULL) {
		return call_fail(c, ERR_UNKNOWN_CLIENT,
				 "The security token included in the request is invalid.");
	}
	if (!same_secret(signature(c, who, cl, rq), cl->signature)) {
		return call_fail(c, ERR_BAD_SIGNATURE,
				 "The request signature we calculated does not match the signature "
				 "you provided. Check your AWS Secret Access Key and signing "
				 "method. Consult the service documentation for details.");
	}
	if (!same_secret(who->token, cl->token)) {
		return call_fail(c, ERR_UNKNOWN_CLIENT,
				 "The security token included in the request is invalid");
	}
	return 0;
}

int
sigv4_check(struct call *c, const struct credentials *known, const struct sigv4_request *rq)
{
	struct claim cl;

	read_claim(rq, &cl);
	if (!is_signature(&cl)) {
		return call_fail(c, ERR_NO_SIGNATURE, "Request is missing Authentication Token");
	}
	int r = check_parts(c, &cl);

	r = r < 0 ? r : check_date(c, &cl);
	r = r < 0 ? r : check_signed_headers(c, &cl);
	if (r == 0 && !slice_is(cl.algorithm, ALGORITHM)) {
		r = call_fail(c, ERR_SIGNATURE_PARTS,
			      "Unsupported AWS 'algorithm': '%.*s' (only " ALGORITHM " for now). ",
			      SLICE_ARG(cl.algorithm));
	}
	r = r < 0 ? r : read_scope(c, &cl);
	r = r < 0 ? r : check_scope(c, &cl);
	return r < 0 ? r : check_signature(c, known, &cl, rq);
}

int
sigv4_well_formed(struct call *c, const struct sigv4_request *rq)
{
	struct claim cl;

	read_claim(rq, &cl);
	return is_signature(&cl) ? check_parts(c, &cl) : 0;
}

/* Letters, digits and '-': what others have would have to be quoted in an answer. */
static bool
is_region(struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		char ch = text.at[i];

		if (!ascii_digit(ch) && ch != '-' && !((ch | 0x20) >= 'a' && (ch | 0x20) <= 'z')) {
			return false;
		}
	}
	return text.len <= REGION_MAX;
}

struct slice
sigv4_region(const struct sigv4_request *rq)
{
	struct claim cl = {.authorization = header(rq, SLICE("Authorization"))};

	if (!is_signature(&cl)) {
		return SLICE("");
	}
	read_authorization(&cl);
	(void)next_part(&cl.credential, '/'); /* who */
	(void)next_part(&cl.credential, '/'); /* day */
	struct slice region = next_part(&cl.credential, '/');

	return is_region(region) ? region : SLICE("");
}
