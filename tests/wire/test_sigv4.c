/* Signatures made with the openssl command are accepted; all others have an error. */
#include "store/wire/proto/sigv4.h"

#include "tests/support/unit_call.h"

UNIT_CALL(call);

#define BODY "{\"TableName\":\"abc\",\"Key\":{\"PK\":{\"S\":\"x\"}}}"
#define STAMP "20260102T030405Z"
#define DAY "20260102"
#define CREDENTIAL "AKIDONE/" DAY "/eu-north-1/dynamodb/aws4_request"
#define SIGNED "host;x-amz-date;x-amz-target"
#define SIGNATURE "236d88c61a89bb8a79cb272595e31d20d262e98678b4de171d54956a3ca1f473"
#define AUTHORIZATION \
	"AWS4-HMAC-SHA256 Credential=" CREDENTIAL ", SignedHeaders=" SIGNED ", Signature=" SIGNATURE

enum { NOW_S = 1767323045, HEADERS_MAX = 8 };

static const struct credential all[] = {
	{SLICE_INIT("default"), SLICE_INIT("AKIDONE"), SLICE_INIT("itemfs/test+SECRET"), {0}},
	{SLICE_INIT("dev"), SLICE_INIT("AKIDTWO"), SLICE_INIT("other secret"),
	 SLICE_INIT("THE/TOKEN==")},
};
static const struct credentials known = {all, 2};

/* A request that tests change, with its headers by position. */
static struct sigv4_header headers[HEADERS_MAX];
static struct sigv4_request rq;

enum { HOST, TARGET, DATE, AUTH, TOKEN };

static void
reset(void)
{
	call.error = (struct error){0};
	call.now_ms = NOW_S * 1000ULL;
	memset(headers, 0, sizeof(headers));
	headers[HOST] = (struct sigv4_header){SLICE("Host"), SLICE("localhost")};
	headers[TARGET] =
		(struct sigv4_header){SLICE("X-Amz-Target"), SLICE("DynamoDB_20120810.GetItem")};
	headers[DATE] = (struct sigv4_header){SLICE("X-Amz-Date"), SLICE(STAMP)};
	headers[AUTH] = (struct sigv4_header){SLICE("Authorization"), SLICE(AUTHORIZATION)};
	rq = (struct sigv4_request){.method = "POST",
				    .path = "/",
				    .headers = headers,
				    .n_headers = 4,
				    .body = SLICE(BODY)};
}

static void
a_correct_signature_is_accepted(void)
{
	reset();
	CU_ASSERT_EQUAL(sigv4_check(&call, &known, &rq), 0);
	/* Any region, no spaces between the parts, names in any case, spaces around values. */
	headers[AUTH].value = SLICE("AWS4-HMAC-SHA256 Credential=" CREDENTIAL
				    ",SignedHeaders=" SIGNED ",Signature=" SIGNATURE);
	headers[HOST] = (struct sigv4_header){SLICE("HOST"), SLICE("  localhost ")};
	CU_ASSERT_EQUAL(sigv4_check(&call, &known, &rq), 0);
	headers[DATE].name = SLICE("Date");
	CU_ASSERT_EQUAL(sigv4_check(&call, &known, &rq), -ERR_BAD_SIGNATURE);
}

static void
a_session_needs_its_token(void)
{
	static const char authorization[] =
		"AWS4-HMAC-SHA256 Credential=AKIDTWO/" DAY "/local/dynamodb/aws4_request, "
		"SignedHeaders=host;x-amz-date;x-amz-security-token;x-amz-target;x-note, "
		"Signature=64b28753ea9b7dc9df1264f51aff28ba263032d13f8a072e7606eacbd7ee9b50";

	reset();
	/* A path to be encoded, runs of spaces, a header that comes twice. */
	rq.path = "/a b";
	rq.n_headers = 7;
	headers[AUTH].value = slice_from(authorization);
	headers[TOKEN] = (struct sigv4_header){SLICE("x-amz-security-token"), SLICE("THE/TOKEN==")};
	headers[5] = (struct sigv4_header){SLICE("X-Note"), SLICE("one    two")};
	headers[6] = (struct sigv4_header){SLICE("X-Note"), SLICE("three")};
	CU_ASSERT_EQUAL(sigv4_check(&call, &known, &rq), 0);

	struct credential none[] = {all[1]};

	none[0].token = SLICE("");
	CU_ASSERT_EQUAL(sigv4_check(&call, &(struct credentials){none, 1}, &rq),
			-ERR_UNKNOWN_CLIENT);
	CU_ASSERT_STRING_EQUAL(call.error.message,
			       "The security token included in the request is invalid");
	none[0].token = SLICE("THE/TOKEN=");
	call.error = (struct error){0};
	CU_ASSERT_EQUAL(sigv4_check(&call, &(struct credentials){none, 1}, &rq),
			-ERR_UNKNOWN_CLIENT);
}

static void
modified_requests_are_refused(void)
{
	for (int what = 0; what < 5; what++) {
		reset();
		switch (what) {
		case 0:
			rq.body = SLICE(BODY " ");
			break;
		case 1:
			headers[TARGET].value = SLICE("DynamoDB_20120810.DeleteTable");
			break;
		case 2:
			headers[HOST].value = SLICE("otherhost");
			break;
		case 3:
			headers[DATE].value = SLICE("20260102T030406Z");
			break;
		default:
			rq.path = "/x";
			break;
		}
		CU_ASSERT_EQUAL(sigv4_check(&call, &known, &rq), -ERR_BAD_SIGNATURE);
		CU_ASSERT_STRING_EQUAL(
			call.error.message,
			"The request signature we calculated does not match the signature you "
			"provided. Check your AWS Secret Access Key and signing method. Consult "
			"the service documentation for details.");
	}
}

static void
the_clock_may_be_a_quarter_of_an_hour_wrong(void)
{
	static const struct {
		int off_s;
		const char *message;
	} rows[] = {
		{900, NULL},
		{-900, NULL},
		{901, "Signature expired: 20260102T030405Z is now earlier than 20260102T030406Z "
		      "(20260102T031906Z - 15 min.)"},
		{-901, "Signature not yet current: 20260102T030405Z is still later than "
		       "20260102T030404Z (20260102T024904Z + 15 min.)"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		reset();
		call.now_ms = (uint64_t)(NOW_S + rows[i].off_s) * 1000;
		int r = sigv4_check(&call, &known, &rq);

		CU_ASSERT_EQUAL(r, rows[i].message == NULL ? 0 : -ERR_BAD_SIGNATURE);
		if (rows[i].message != NULL) {
			CU_ASSERT_STRING_EQUAL(call.error.message, rows[i].message);
		}
	}
}

#define PARTS(credential, names, signature) \
	"AWS4-HMAC-SHA256 Credential=" credential ", SignedHeaders=" names ", Signature=" signature

/* Other Authorization headers, and the errors of the service. */
static void
errors_of_signatures_are_reported(void)
{
	static const struct {
		const char *authorization;
		enum err code;
		const char *message;
	} rows[] = {
		{"", ERR_NO_SIGNATURE, "Request is missing Authentication Token"},
		{"Basic YTpi", ERR_NO_SIGNATURE, "Request is missing Authentication Token"},
		{"AWS4-", ERR_SIGNATURE_PARTS,
		 "Authorization header requires 'Credential' parameter. Authorization header "
		 "requires 'Signature' parameter. Authorization header requires 'SignedHeaders' "
		 "parameter. Authorization=AWS4-"},
		{"AWS4-HMAC-SHA256 Credential=a, SignedHeaders=b", ERR_SIGNATURE_PARTS,
		 "Authorization header requires 'Signature' parameter. "
		 "Authorization=AWS4-HMAC-SHA256 Credential=a, SignedHeaders=b"},
		{PARTS(CREDENTIAL, "x-amz-date;x-amz-target", SIGNATURE), ERR_BAD_SIGNATURE,
		 "'Host' must be a 'SignedHeader' in the AWS Authorization."},
		{PARTS(CREDENTIAL, "host;x-amz-date", SIGNATURE), ERR_BAD_SIGNATURE,
		 "'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization."},
		{"AWS4-HMAC-SHA25 Credential=" CREDENTIAL ", SignedHeaders=" SIGNED
		 ", Signature=" SIGNATURE,
		 ERR_SIGNATURE_PARTS,
		 "Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA25' (only AWS4-HMAC-SHA256 for now). "},
		{PARTS("a/b/c/d", SIGNED, SIGNATURE), ERR_SIGNATURE_PARTS,
		 "Credential must have exactly 5 slash-delimited elements, e.g. "
		 "keyid/date/region/service/term, got 'a/b/c/d'"},
		{PARTS("a/b//d/e", SIGNED, SIGNATURE), ERR_BAD_SIGNATURE,
		 "Credential should be scoped to a valid region, not ''. Credential should be "
		 "scoped to correct service: 'dynamodb'. Credential should be scoped with a valid "
		 "terminator: 'aws4_request', not 'e'. Date in Credential scope does not match "
		 "YYYYMMDD from ISO-8601 version of date from HTTP: 'b' != '20260102', from "
		 "'20260102T030405Z'."},
		{PARTS("AKIDX/" DAY "/eu-north-1/dynamodb/aws4_request", SIGNED, SIGNATURE),
		 ERR_UNKNOWN_CLIENT, "The security token included in the request is invalid."},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		reset();
		headers[AUTH].value = slice_from(rows[i].authorization);
		CU_ASSERT_EQUAL(sigv4_check(&call, &known, &rq), -(int)rows[i].code);
		CU_ASSERT_STRING_EQUAL(call.error.message, rows[i].message);
	}
}

static void
a_signature_must_be_complete(void)
{
	static const char *const others[] = {"0", SIGNATURE "0", "236d88c6"};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct buf b;

		reset();
		buf_init(&b, &call.arena);
		buf_fmt(&b, PARTS(CREDENTIAL, SIGNED, "%s"), others[i]);
		headers[AUTH].value = buf_view(&b);
		CU_ASSERT_EQUAL(sigv4_check(&call, &known, &rq), -ERR_BAD_SIGNATURE);
	}
}

static void
dates_are_in_one_form(void)
{
	static const char *const dates[] = {"201", "2026-01-02T03:04:05Z",
					    "Fri, 02 Jan 2026 03:04:05 GMT", "20260102T030405+",
					    "20260102T03040xZ"};

	for (size_t i = 0; i < sizeof(dates) / sizeof(dates[0]); i++) {
		reset();
		headers[DATE].value = slice_from(dates[i]);
		CU_ASSERT_EQUAL(sigv4_check(&call, &known, &rq), -ERR_SIGNATURE_PARTS);
		CU_ASSERT_PTR_NOT_NULL(
			strstr(call.error.message, "ISO-8601 'basic format'. Got '"));
	}
	reset();
	headers[DATE].name = SLICE("X-Other");
	CU_ASSERT_EQUAL(sigv4_check(&call, &known, &rq), -ERR_SIGNATURE_PARTS);
	CU_ASSERT_PTR_NOT_NULL(strstr(call.error.message, "either a 'X-Amz-Date' or a 'Date'"));
}

static void
without_known_keys_a_signature_must_only_be_complete(void)
{
	reset();
	headers[AUTH].value = SLICE(PARTS("any", "thing", "goes"));
	CU_ASSERT_EQUAL(sigv4_well_formed(&call, &rq), 0);
	headers[AUTH].value = SLICE("");
	CU_ASSERT_EQUAL(sigv4_well_formed(&call, &rq), 0);
	headers[AUTH].value = SLICE("AWS4-HMAC-SHA256 Credential=a");
	CU_ASSERT_EQUAL(sigv4_well_formed(&call, &rq), -ERR_SIGNATURE_PARTS);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_correct_signature_is_accepted),
	UNIT_TEST(a_session_needs_its_token),
	UNIT_TEST(modified_requests_are_refused),
	UNIT_TEST(the_clock_may_be_a_quarter_of_an_hour_wrong),
	UNIT_TEST(errors_of_signatures_are_reported),
	UNIT_TEST(a_signature_must_be_complete),
	UNIT_TEST(dates_are_in_one_form),
	UNIT_TEST(without_known_keys_a_signature_must_only_be_complete),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(sigv4, setup, teardown, tests);
