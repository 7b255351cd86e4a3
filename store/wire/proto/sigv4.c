/* sigv4 - reads, computes and checks signatures */
#include "store/wire/proto/sigv4.h"

#include <time.h>

#include "store/base/core/escape.h"
#include "store/base/text/sha256.h"
#include "store/wire/proto/credentials.h"

#define ALGORITHM "AWS4-HMAC-SHA256"
#define SERVICE "dynamodb"
#define TERMINATOR "aws4_request"

enum {
	SKEW_S = 15 * 60, /* largest difference of the clocks */
	STAMP = 16,       /* bytes of 20130609T100759Z */
	DAY = 8,          /* of them, the date */
	REGION_MAX = 64,  /* bytes */
	SCOPE = 5,        /* parts of a Credential */
};

/* The signature as the headers state it; slices are borrowed from them. */
struct sigv4_claim {
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

/* KEY=VALUE */
static void
sigv4_read_parameter(struct sigv4_claim *cl, struct slice value)
{
	struct slice key = ascii_trim(slice_take(&value, '='));

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
read_authorization(struct sigv4_claim *cl)
{
	struct slice rest = cl->authorization;

	cl->algorithm = slice_take(&rest, ' ');
	while (rest.len > 0) {
		struct slice words = slice_take(&rest, ',');

		while (words.len > 0) {
			sigv4_read_parameter(cl, slice_take(&words, ' '));
		}
	}
}

static int
check_parts(struct call *c, const struct sigv4_claim *cl)
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
read_claim(const struct sigv4_request *rq, struct sigv4_claim *cl)
{
	*cl = (struct sigv4_claim){.authorization = header(rq, SLICE("Authorization")),
				   .date = header(rq, SLICE("X-Amz-Date")),
				   .token = header(rq, SLICE("X-Amz-Security-Token"))};
	if (cl->date.len == 0) {
		cl->date = header(rq, SLICE("Date"));
	}
	read_authorization(cl);
}

static bool
is_signature(const struct sigv4_claim *cl)
{
	return slice_starts(cl->authorization, SLICE("AWS4-"));
}

/* ------------------------------------------------------------ the claims */

const char *
sigv4_stamp(struct call *c, int64_t seconds)
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
check_date(struct call *c, const struct sigv4_claim *cl)
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
				 SLICE_ARG(cl->date), sigv4_stamp(c, now - SKEW_S),
				 sigv4_stamp(c, now));
	}
	if (then > now + SKEW_S) {
		return call_fail(c, ERR_BAD_SIGNATURE,
				 "Signature not yet current: %.*s is still later than %s (%s + 15 "
				 "min.)",
				 SLICE_ARG(cl->date), sigv4_stamp(c, now + SKEW_S),
				 sigv4_stamp(c, now));
	}
	return 0;
}

static bool
is_signed(const struct sigv4_claim *cl, struct slice name)
{
	struct slice rest = cl->signed_headers;

	while (rest.len > 0) {
		if (ascii_same(slice_take(&rest, ';'), name)) {
			return true;
		}
	}
	return false;
}

/* The headers that name the destination and the operation must be signed, so that nobody can change them. */
static int
check_signed_headers(struct call *c, const struct sigv4_claim *cl)
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
sigv4_read_scope(struct call *c, struct sigv4_claim *cl)
{
	struct slice rest = cl->credential;
	size_t n = 0;

	while (rest.len > 0) {
		struct slice part = slice_take(&rest, '/');

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
check_scope(struct call *c, const struct sigv4_claim *cl)
{
	struct slice day = slice_of(cl->date.at, DAY);
	struct buf b;

	assert(cl->date.len == STAMP);
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
	buf_fmt(&b, "%s\n", rq->method);
	escape_percent(&b, slice_from(rq->path), sigv4_path_keeps);
	buf_str(&b, "\n\n");
	while (rest.len > 0) {
		sigv4_put_header(&b, rq, slice_take(&rest, ';'));
	}
	buf_fmt(&b, "\n%.*s\n", SLICE_ARG(cl->signed_headers));
	sigv4_put_digest(&b, rq->body);
	return buf_view(&b);
}

static struct slice
sigv4_string_to_sign(struct call *c, const struct sigv4_claim *cl, const struct sigv4_request *rq)
{
	struct buf b;

	buf_init(&b, &c->arena);
	/* The scope is the Credential without the key's id. */
	buf_fmt(&b, ALGORITHM "\n%.*s\n%.*s\n", SLICE_ARG(cl->date),
		SLICE_ARG(slice_skip(cl->credential, cl->scope[0].len + 1)));
	sigv4_put_digest(&b, sigv4_canonical_request(c, cl, rq));
	return buf_view(&b);
}

/* Compute the signature of @rq with the date, scope and signed headers of @cl; in the call's arena. */
static struct slice
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
	for (size_t i = 2; i < SCOPE; i++) {
		sha256_hmac(slice_of((const char *)key, sizeof(key)), cl->scope[i], key);
	}
	sha256_hmac(slice_of((const char *)key, sizeof(key)), sigv4_string_to_sign(c, cl, rq), key);
	buf_clear(&b);
	sigv4_put_hex(&b, key);
	return buf_view(&b);
}

static int
check_signature(struct call *c, const struct credentials *known, const struct sigv4_claim *cl,
		const struct sigv4_request *rq)
{
	const struct credential *who = credentials_of_id(known, cl->scope[0]);

	if (who == NULL) {
		return call_fail(c, ERR_UNKNOWN_CLIENT,
				 "The security token included in the request is invalid.");
	}
	if (!credentials_same_secret(sigv4_signature(c, who, cl, rq), cl->signature)) {
		return call_fail(c, ERR_BAD_SIGNATURE,
				 "The request signature we calculated does not match the signature "
				 "you provided. Check your AWS Secret Access Key and signing "
				 "method. Consult the service documentation for details.");
	}
	if (!credentials_same_secret(who->token, cl->token)) {
		return call_fail(c, ERR_UNKNOWN_CLIENT,
				 "The security token included in the request is invalid");
	}
	return 0;
}

/* Only letters, digits and '-': other characters would have to be escaped in an answer. */
static bool
is_region(struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (text.at[i] == '_' || (text.at[i] != '-' && !ascii_word(text.at[i]))) {
			return false;
		}
	}
	return text.len <= REGION_MAX;
}

/* Return the region of the Credential, or an empty slice if there is none or it is not a valid name. */
static struct slice
sigv4_region(const struct sigv4_claim *cl)
{
	struct slice rest = cl->credential;

	(void)slice_take(&rest, '/'); /* key id */
	(void)slice_take(&rest, '/'); /* day */
	struct slice region = slice_take(&rest, '/');

	return is_region(region) ? region : SLICE("");
}

int
sigv4_check(struct call *c, const struct credentials *known, const struct sigv4_request *rq)
{
	struct sigv4_claim cl;

	read_claim(rq, &cl);
	if (!is_signature(&cl)) {
		return call_fail(c, ERR_NO_SIGNATURE, "Request is missing Authentication Token");
	}
	c->region = sigv4_region(&cl);
	int r = check_parts(c, &cl);

	r = r < 0 ? r : check_date(c, &cl);
	r = r < 0 ? r : check_signed_headers(c, &cl);
	if (r == 0 && !slice_is(cl.algorithm, ALGORITHM)) {
		r = call_fail(c, ERR_SIGNATURE_PARTS,
			      "Unsupported AWS 'algorithm': '%.*s' (only " ALGORITHM " for now). ",
			      SLICE_ARG(cl.algorithm));
	}
	r = r < 0 ? r : sigv4_read_scope(c, &cl);
	r = r < 0 ? r : check_scope(c, &cl);
	return r < 0 ? r : check_signature(c, known, &cl, rq);
}

int
sigv4_well_formed(struct call *c, const struct sigv4_request *rq)
{
	struct sigv4_claim cl;

	read_claim(rq, &cl);
	if (!is_signature(&cl)) {
		return 0;
	}
	c->region = sigv4_region(&cl);
	return check_parts(c, &cl);
}

/* ------------------------------------------------------------ the client's header */

const char *
sigv4_sign(struct call *c, const struct credential *who, const char *region,
	   const struct sigv4_request *rq)
{
	struct slice date = header(rq, SLICE("X-Amz-Date"));
	struct slice day = slice_of(date.at, DAY);
	struct sigv4_claim cl = {
		.date = date,
		.scope = {who->id, day, slice_from(region), SLICE(SERVICE), SLICE(TERMINATOR)}};
	struct buf names;

	assert(date.len == STAMP);
	buf_init(&names, &c->arena);
	for (size_t i = 0; i < rq->n_headers; i++) {
		buf_str(&names, i == 0 ? "" : ";");
		for (size_t k = 0; k < rq->headers[i].name.len; k++) {
			buf_char(&names, ascii_lower(rq->headers[i].name.at[k]));
		}
	}
	cl.signed_headers = buf_view(&names);
	cl.credential = slice_from(arena_print(&c->arena, "%.*s/%.*s/%s/" SERVICE "/" TERMINATOR,
					       SLICE_ARG(who->id), SLICE_ARG(day), region));
	struct slice signature = sigv4_signature(c, who, &cl, rq);

	return arena_print(
		&c->arena, ALGORITHM " Credential=%.*s, SignedHeaders=%.*s, Signature=%.*s",
		SLICE_ARG(cl.credential), SLICE_ARG(cl.signed_headers), SLICE_ARG(signature));
}
