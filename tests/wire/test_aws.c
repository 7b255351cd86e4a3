/* The order in which keys, regions and endpoints are searched for; a table replaces the environment. */
#include <sys/stat.h>

#include "store/wire/client/aws.h"

#include "tests/support/unit.h"
#include "tests/wire/wire_test.h"

enum { VARIABLES_MAX = 16 };

static struct call c;
static const char *folder;
static char home[160]; /* inside the folder; contains .aws */
static struct {
	const char *name;
	const char *value;
} variables[VARIABLES_MAX];
static size_t n_variables;
static struct client_options got;
static struct aws_key key; /* the key that signs for the endpoint */

static const char *
variable(const char *name)
{
	for (size_t i = 0; i < n_variables; i++) {
		if (strcmp(variables[i].name, name) == 0) {
			return variables[i].value;
		}
	}
	return NULL;
}

static void
set(const char *name, const char *value)
{
	for (size_t i = 0; i < n_variables; i++) {
		if (strcmp(variables[i].name, name) == 0) {
			variables[i].value = value;
			return;
		}
	}
	variables[n_variables].name = name;
	variables[n_variables++].value = value;
}

static void
setup(void)
{
	char aws[200];

	call_open(&c, 0, 64 << 20);
	folder = wire_folder();
	(void)snprintf(home, sizeof(home), "%s", folder);
	(void)snprintf(aws, sizeof(aws), "%s/.aws", home);
	if (mkdir(aws, 0700) < 0) {
		abort();
	}
	n_variables = 0;
	got = (struct client_options){0};
	set("HOME", home);
	set("AWS_EC2_METADATA_DISABLED", "true");
}

static void
teardown(void)
{
	aws_keys_free(got.keys);
	wire_folder_remove(folder);
	call_close(&c);
}

/* ~/.aws/NAME */
static const char *
file(const char *name, const char *text)
{
	static char path[256];

	(void)snprintf(path, sizeof(path), "%s/.aws/%s", home, name);
	FILE *f = fopen(path, "we");

	(void)fputs(text, f);
	(void)fclose(f);
	return path;
}

static int
find(const char *name)
{
	c.error = (struct error){0};
	aws_keys_free(got.keys);
	got = (struct client_options){0};
	key = (struct aws_key){0};
	int r = aws_find(&c, variable, name, &got);

	return r < 0 ? r : aws_keys_get(got.keys, &c, &key);
}

static bool
key_is(const char *id, const char *secret, const char *token)
{
	return slice_is(key.credential.id, id) && slice_is(key.credential.secret, secret) &&
	       slice_is(key.credential.token, token);
}

static bool
says(const char *text)
{
	return strstr(c.error.message, text) != NULL;
}

#define CREDENTIALS \
	"[default]\naws_access_key_id = A1\naws_secret_access_key = S1\n" \
	"[dev]\naws_access_key_id = A2\naws_secret_access_key = S2\naws_session_token = T2\n"

/* ------------------------------------------------------------ keys */

static void
the_environment_comes_first(void)
{
	(void)file("credentials", CREDENTIALS);
	set("AWS_ACCESS_KEY_ID", "A0");
	set("AWS_SECRET_ACCESS_KEY", "S0");
	set("AWS_PROFILE", "dev");
	CU_ASSERT_EQUAL(find("dynamodb:eu-west-1"), 0);
	CU_ASSERT_TRUE(key_is("A0", "S0", ""));
	CU_ASSERT_STRING_EQUAL(key.who, "signed with the key A0 of AWS_ACCESS_KEY_ID");
	set("AWS_SESSION_TOKEN", "T0");
	CU_ASSERT_EQUAL(find("dynamodb:eu-west-1"), 0);
	CU_ASSERT_TRUE(key_is("A0", "S0", "T0"));
}

static void
the_profile_in_the_files_comes_second(void)
{
	const char *path = file("credentials", CREDENTIALS);

	CU_ASSERT_EQUAL(find("dynamodb:eu-west-1"), 0);
	CU_ASSERT_TRUE(key_is("A1", "S1", ""));
	CU_ASSERT_PTR_NOT_NULL(strstr(key.who, "signed with the key A1 of profile default in "));
	CU_ASSERT_PTR_NOT_NULL(strstr(key.who, path));
	set("AWS_DEFAULT_PROFILE", "dev");
	CU_ASSERT_EQUAL(find("dynamodb:eu-west-1"), 0);
	CU_ASSERT_TRUE(key_is("A2", "S2", "T2"));
	(void)file("config", "[profile third]\naws_access_key_id = A3\naws_secret_access_key = S3\n"
			     "[dev]\naws_access_key_id = A4\naws_secret_access_key = S4\n");
	set("AWS_PROFILE", "third");
	CU_ASSERT_EQUAL(find("dynamodb:eu-west-1"), 0);
	CU_ASSERT_TRUE(key_is("A3", "S3", ""));
}

static void
files_may_be_elsewhere(void)
{
	char path[256];

	(void)snprintf(path, sizeof(path), "%s", file("other", CREDENTIALS));
	set("AWS_SHARED_CREDENTIALS_FILE", path);
	set("AWS_CONFIG_FILE", file("config2", "[default]\nregion = sa-east-1\n"));
	set("HOME", NULL);
	CU_ASSERT_EQUAL(find("dynamodb:"), 0);
	CU_ASSERT_TRUE(key_is("A1", "S1", ""));
	CU_ASSERT_STRING_EQUAL(got.region, "sa-east-1");
}

static void
without_a_key_only_dynamodb_is_refused(void)
{
	CU_ASSERT_EQUAL(find("http://127.0.0.1:8000"), 0);
	CU_ASSERT_EQUAL(key.credential.id.len, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(key.who, "not signed: AWS_ACCESS_KEY_ID is not set"));
	CU_ASSERT_EQUAL(find("dynamodb:eu-west-1"), -ERR_NO_SIGNATURE);
	CU_ASSERT_TRUE(says("Unable to locate credentials (not signed: AWS_ACCESS_KEY_ID is not "
			    "set (it is ignored with --profile), and profile default has "
			    "no aws_access_key_id in "));
	CU_ASSERT_TRUE(says("/.aws/credentials or "));
	CU_ASSERT_EQUAL(error_exit(c.error.code), 2);
	set("HOME", NULL);
	CU_ASSERT_EQUAL(find("dynamodb:eu-west-1"), -ERR_NO_SIGNATURE);
	CU_ASSERT_TRUE(says("in ~/.aws/credentials or ~/.aws/config)"));
}

static void
half_a_key_or_no_such_profile_is_an_error_everywhere(void)
{
	static const char *const names[] = {"dynamodb:eu-west-1", "http://127.0.0.1:8000"};

	for (size_t i = 0; i < 2; i++) {
		n_variables = 2;
		(void)file("credentials", "[default]\naws_access_key_id = A1\n");
		CU_ASSERT_EQUAL(find(names[i]), -ERR_VALIDATION);
		CU_ASSERT_TRUE(says("profile default, missing: aws_secret_access_key"));
		set("AWS_PROFILE", "none");
		CU_ASSERT_EQUAL(find(names[i]), -ERR_VALIDATION);
		CU_ASSERT_TRUE(says("The config profile (none) could not be found"));
		set("AWS_PROFILE", "");
		set("AWS_ACCESS_KEY_ID", "A0");
		CU_ASSERT_EQUAL(find(names[i]), -ERR_VALIDATION);
		CU_ASSERT_TRUE(says("found in env, missing: AWS_SECRET_ACCESS_KEY"));
	}
}

static void
a_file_that_cannot_be_read_is_an_error(void)
{
	set("AWS_CONFIG_FILE", home);
	CU_ASSERT_EQUAL(find("http://127.0.0.1:8000"), -ERR_IO);
	CU_ASSERT_TRUE(says(home));
}

/* ------------------------------------------------------------ regions */

static void
the_region_is_that_of_the_name_or_configured(void)
{
	(void)file("credentials", CREDENTIALS);
	CU_ASSERT_EQUAL(find("dynamodb:"), -ERR_VALIDATION);
	CU_ASSERT_TRUE(says("You must specify a region"));
	CU_ASSERT_EQUAL(find("http://127.0.0.1:8000"), 0);
	CU_ASSERT_STRING_EQUAL(got.region, "us-east-1");
	(void)file("config", "[default]\nregion = eu-south-1\n");
	CU_ASSERT_EQUAL(find("dynamodb:"), 0);
	CU_ASSERT_STRING_EQUAL(got.region, "eu-south-1");
	set("AWS_DEFAULT_REGION", "eu-south-2");
	CU_ASSERT_EQUAL(find("http://127.0.0.1:8000"), 0);
	CU_ASSERT_STRING_EQUAL(got.region, "eu-south-2");
	set("AWS_REGION", "ca-west-1");
	CU_ASSERT_EQUAL(find("dynamodb:"), 0);
	CU_ASSERT_STRING_EQUAL(got.region, "ca-west-1");
	CU_ASSERT_EQUAL(find("dynamodb:me-south-1"), 0);
	CU_ASSERT_STRING_EQUAL(got.region, "me-south-1");
}

static void
invalid_regions_are_refused(void)
{
	static const char *const names[] = {"dynamodb:x.example.org/", "dynamodb:eu west",
					    "dynamodb:eu-west-1:", "dynamodb:a@b", "dynamodb:\xc3"};

	(void)file("credentials", CREDENTIALS);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		CU_ASSERT_EQUAL(find(names[i]), -ERR_VALIDATION);
		CU_ASSERT_TRUE(says("doesn't match a supported format."));
	}
}

/* ------------------------------------------------------------ endpoints */

static bool
urls_are(const char *url, const char *streams_url)
{
	int r = find("dynamodb:eu-west-1");

	return r == 0 && strcmp(got.url, url) == 0 && strcmp(got.streams_url, streams_url) == 0;
}

static void
a_region_has_its_hosts(void)
{
	(void)file("credentials", CREDENTIALS);
	CU_ASSERT_TRUE(urls_are("https://dynamodb.eu-west-1.amazonaws.com",
				"https://streams.dynamodb.eu-west-1.amazonaws.com"));
	CU_ASSERT_EQUAL(find("dynamodb:cn-north-1"), 0);
	CU_ASSERT_STRING_EQUAL(got.url, "https://dynamodb.cn-north-1.amazonaws.com.cn");
	CU_ASSERT_EQUAL(find("http://127.0.0.1:8000"), 0);
	CU_ASSERT_STRING_EQUAL(got.url, "http://127.0.0.1:8000");
	CU_ASSERT_PTR_NULL(got.streams_url);
}

static void
endpoints_are_searched_in_order(void)
{
	(void)file("credentials", CREDENTIALS);
	(void)file("config", "[default]\nendpoint_url = http://all\nservices = mine\n");
	CU_ASSERT_TRUE(urls_are("http://all", "http://all"));
	(void)file("config", "[default]\nendpoint_url = http://all\nservices = mine\n"
			     "[services mine]\ndynamodb =\n  endpoint_url = http://tables\n"
			     "s3 =\n  endpoint_url = http://buckets\n");
	CU_ASSERT_TRUE(urls_are("http://tables", "http://all"));
	set("AWS_ENDPOINT_URL", "http://variable");
	CU_ASSERT_TRUE(urls_are("http://variable", "http://variable"));
	set("AWS_ENDPOINT_URL_DYNAMODB", "http://own");
	CU_ASSERT_TRUE(urls_are("http://own", "http://variable"));
	set("AWS_ENDPOINT_URL_DYNAMODB_STREAMS", "http://streams");
	CU_ASSERT_TRUE(urls_are("http://own", "http://streams"));
	set("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "True");
	CU_ASSERT_TRUE(urls_are("https://dynamodb.eu-west-1.amazonaws.com",
				"https://streams.dynamodb.eu-west-1.amazonaws.com"));
	CU_ASSERT_EQUAL(find("http://127.0.0.1:8000"), 0);
	CU_ASSERT_STRING_EQUAL(got.url, "http://127.0.0.1:8000");
}

/* The hosts that botocore uses. */
static void
partitions_fips_and_both_stacks_have_their_hosts(void)
{
	static const struct {
		const char *region;
		const char *fips;
		const char *dual;
		const char *url;
		const char *streams;
	} rows[] = {
		{"eusc-de-east-1", NULL, NULL, "dynamodb.eusc-de-east-1.amazonaws.eu",
		 "streams.dynamodb.eusc-de-east-1.amazonaws.eu"},
		{"us-iso-east-1", NULL, NULL, "dynamodb.us-iso-east-1.c2s.ic.gov",
		 "streams.dynamodb.us-iso-east-1.c2s.ic.gov"},
		{"us-isob-east-1", NULL, NULL, "dynamodb.us-isob-east-1.sc2s.sgov.gov",
		 "streams.dynamodb.us-isob-east-1.sc2s.sgov.gov"},
		{"eu-west-1", "true", NULL, "dynamodb-fips.eu-west-1.amazonaws.com",
		 "streams.dynamodb-fips.eu-west-1.amazonaws.com"},
		{"eu-west-1", NULL, "true", "dynamodb.eu-west-1.api.aws",
		 "streams-dynamodb.eu-west-1.api.aws"},
		{"eu-west-1", "true", "true", "dynamodb-fips.eu-west-1.api.aws",
		 "streams-dynamodb-fips.eu-west-1.api.aws"},
		{"us-gov-west-1", "true", NULL, "dynamodb.us-gov-west-1.amazonaws.com",
		 "streams.dynamodb.us-gov-west-1.amazonaws.com"},
		{"us-gov-west-1", "true", "true", "dynamodb-fips.us-gov-west-1.api.aws",
		 "streams-dynamodb-fips.us-gov-west-1.api.aws"},
		{"cn-north-1", NULL, "true", "dynamodb.cn-north-1.api.amazonwebservices.com.cn",
		 "streams-dynamodb.cn-north-1.api.amazonwebservices.com.cn"},
	};

	(void)file("credentials", CREDENTIALS);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		set("AWS_REGION", rows[i].region);
		set("AWS_USE_FIPS_ENDPOINT", rows[i].fips);
		set("AWS_USE_DUALSTACK_ENDPOINT", rows[i].dual);
		CU_ASSERT_EQUAL(find("dynamodb:"), 0);
		CU_ASSERT_STRING_EQUAL(got.url + strlen("https://"), rows[i].url);
		CU_ASSERT_STRING_EQUAL(got.streams_url + strlen("https://"), rows[i].streams);
	}
}

static void
directories_are_not_taken_for_endpoints(void)
{
	CU_ASSERT_TRUE(aws_named("dynamodb:eu-west-1"));
	CU_ASSERT_TRUE(aws_named("dynamodb:"));
	CU_ASSERT_TRUE(aws_named("https://x"));
	CU_ASSERT_FALSE(aws_named("dynamodb"));
	CU_ASSERT_FALSE(aws_named("./http://x"));
}

static void
a_name_selects_an_endpoint(void)
{
	static const struct {
		const char *name;
		const char *configured;
		const char *region;
		const char *server;
		const char *server_region;
	} rows[] = {
		{"dynamodb:eu-west-1", NULL, "eu-west-1", "dynamodb.eu-west-1.amazonaws.com:443",
		 "eu-west-1"},
		{"dynamodb:", NULL, "eu-north-1", "dynamodb.eu-north-1.amazonaws.com:443",
		 "eu-north-1"},
		{"dynamodb:eu-west-1", "http://127.0.0.1:8000", "eu-west-1", "localhost:8000", ""},
		{"dynamodb:x", "https://DYNAMODB.eu-west-1.amazonaws.com", "x",
		 "dynamodb.eu-west-1.amazonaws.com:443", "eu-west-1"},
		{"http://dynamodb.cn-north-1.amazonaws.com.cn", NULL, "",
		 "dynamodb.cn-north-1.amazonaws.com.cn:80", "cn-north-1"},
		{"https://dynamodb-fips.us-east-1.api.aws", NULL, "",
		 "dynamodb-fips.us-east-1.api.aws:443", "us-east-1"},
		{"https://123456789012.ddb.us-east-1.amazonaws.com", NULL, "",
		 "123456789012.ddb.us-east-1.amazonaws.com:443", "us-east-1"},
		{"https://vpce-1a-2b.dynamodb.us-east-1.vpce.amazonaws.com", NULL, "",
		 "vpce-1a-2b.dynamodb.us-east-1.vpce.amazonaws.com:443", "us-east-1"},
		{"https://dynamodb.us-east-1.example.com", NULL, "",
		 "dynamodb.us-east-1.example.com:443", ""},
		{"https://s3.us-east-1.amazonaws.com", NULL, "", "s3.us-east-1.amazonaws.com:443",
		 ""},
		{"https://amazonaws.com", NULL, "", "amazonaws.com:443", ""},
		{"store", NULL, "", "", ""},
	};

	set("AWS_REGION", "eu-north-1");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		set("AWS_ENDPOINT_URL_DYNAMODB", rows[i].configured);
		struct aws_place p = aws_place(&c, variable, rows[i].name);

		CU_ASSERT_TRUE(slice_is(p.region, rows[i].region));
		CU_ASSERT_TRUE(slice_is(p.server, rows[i].server));
		CU_ASSERT_TRUE(slice_is(p.server_region, rows[i].server_region));
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_name_selects_an_endpoint),
	UNIT_TEST(the_environment_comes_first),
	UNIT_TEST(the_profile_in_the_files_comes_second),
	UNIT_TEST(files_may_be_elsewhere),
	UNIT_TEST(without_a_key_only_dynamodb_is_refused),
	UNIT_TEST(half_a_key_or_no_such_profile_is_an_error_everywhere),
	UNIT_TEST(a_file_that_cannot_be_read_is_an_error),
	UNIT_TEST(the_region_is_that_of_the_name_or_configured),
	UNIT_TEST(invalid_regions_are_refused),
	UNIT_TEST(a_region_has_its_hosts),
	UNIT_TEST(endpoints_are_searched_in_order),
	UNIT_TEST(partitions_fips_and_both_stacks_have_their_hosts),
	UNIT_TEST(directories_are_not_taken_for_endpoints),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(aws, setup, teardown, tests);
