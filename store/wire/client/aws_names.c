/* aws_names - tables of services and partitions as in the SDKs */
#include "store/wire/client/aws_names.h"

#include "store/base/text/ini.h"
#include "store/wire/client/aws_profile.h"

struct aws_names_service {
	const char *variable; /* has its endpoint */
	const char *group;    /* in a services section */
	/* host names before ".REGION.SUFFIX" */
	const char *plain;
	const char *fips;
	const char *dual;
	const char *dual_fips;
};

static const struct aws_names_service services[] = {
	[AWS_DYNAMODB] = {"AWS_ENDPOINT_URL_DYNAMODB", "dynamodb", "dynamodb", "dynamodb-fips",
			  "dynamodb", "dynamodb-fips"},
	[AWS_STREAMS] = {"AWS_ENDPOINT_URL_DYNAMODB_STREAMS", "dynamodb_streams",
			 "streams.dynamodb", "streams.dynamodb-fips", "streams-dynamodb",
			 "streams-dynamodb-fips"},
	[AWS_STS] = {"AWS_ENDPOINT_URL_STS", "sts", "sts", "sts-fips", "sts", "sts-fips"},
};

/* Suffixes of the host names of a partition.  The first one whose regions begin with @begins applies. */
static const struct {
	const char *begins;
	const char *suffix;
	const char *dual; /* suffix of hosts with IPv4 and IPv6 */
} partitions[] = {
	{"cn-", ".amazonaws.com.cn", ".api.amazonwebservices.com.cn"},
	{"eusc-", ".amazonaws.eu", ".api.amazonwebservices.eu"},
	{"us-iso-", ".c2s.ic.gov", ".api.aws.ic.gov"},
	{"us-isob-", ".sc2s.sgov.gov", ".api.aws.scloud"},
	{"us-isof-", ".csp.hci.ic.gov", ".api.aws.hci.ic.gov"},
	{"eu-isoe-", ".cloud.adc-e.uk", ".api.cloud-aws.adc-e.uk"},
	{"", ".amazonaws.com", ".api.aws"},
};

int
aws_region_check(struct call *c, const char *region)
{
	for (const char *ch = region; *ch != '\0'; ch++) {
		if (!ascii_word(*ch) && *ch != '-') {
			return call_fail(c, ERR_VALIDATION,
					 "Provided region_name '%s' doesn't match a supported "
					 "format.",
					 region);
		}
	}
	return 0;
}

const char *
aws_region(const struct aws_profile *p)
{
	const char *region = aws_first_variable(p, "AWS_REGION", "AWS_DEFAULT_REGION");

	return region != NULL ? region : aws_setting(p, "region");
}

/* Return the URL in the services section that the profile names, or NULL. */
static const char *
aws_names_of_services(const struct aws_profile *p, const char *group)
{
	const char *named = aws_setting(p, "services");

	if (named == NULL) {
		return NULL;
	}
	struct slice section = slice_from(arena_print(&p->c->arena, "services %s", named));
	struct slice url = ini_value(&p->file[AWS_CONFIG], section, group, "endpoint_url");

	return url.len == 0 ? NULL : slice_cstr(&p->c->arena, url);
}

/* Return the configured URL, in the order of the AWS documentation, or NULL. */
static const char *
aws_names_configured(const struct aws_profile *p, const struct aws_names_service *s)
{
	if (aws_either_is_true(p, "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS",
			       "ignore_configured_endpoint_urls")) {
		return NULL;
	}
	const char *url = aws_first_variable(p, s->variable, "AWS_ENDPOINT_URL");

	url = url != NULL ? url : aws_names_of_services(p, s->group);
	return url != NULL ? url : aws_setting(p, "endpoint_url");
}

/* Return the URL of the service in a region.  In GovCloud the plain names are the FIPS endpoints. */
static const char *
aws_names_host(const struct aws_profile *p, const struct aws_names_service *s, const char *region)
{
	bool dual = aws_either_is_true(p, "AWS_USE_DUALSTACK_ENDPOINT", "use_dualstack_endpoint");
	bool fips = aws_either_is_true(p, "AWS_USE_FIPS_ENDPOINT", "use_fips_endpoint") &&
		    (dual || strncmp(region, "us-gov-", 7) != 0);
	size_t i = 0;

	while (strncmp(region, partitions[i].begins, strlen(partitions[i].begins)) != 0) {
		i++;
	}
	const char *name = dual ? (fips ? s->dual_fips : s->dual) : (fips ? s->fips : s->plain);

	return arena_print(&p->c->arena, "https://%s.%s%s", name, region,
			   dual ? partitions[i].dual : partitions[i].suffix);
}

const char *
aws_endpoint(const struct aws_profile *p, enum aws_service service, const char *region)
{
	const char *url = aws_names_configured(p, &services[service]);

	return url != NULL ? url : aws_names_host(p, &services[service], region);
}

/* Remove the last label and the dot before it from @host, and return the label. */
static struct slice
aws_names_take(struct slice *host)
{
	const char *dot = slice_rchr(*host, '.');
	size_t at = dot == NULL ? 0 : (size_t)(dot + 1 - host->at);
	struct slice label = slice_skip(*host, at);

	host->len = dot == NULL ? 0 : at - 1;
	return label;
}

/* Return the region of a host; @rest: its name without the suffix: dynamodb.REGION, ACCOUNT.ddb.REGION,
 * vpce-ID.dynamodb.REGION.vpce */
static struct slice
aws_names_region_before(struct slice rest)
{
	static const char *const names[] = {"dynamodb", "dynamodb-fips", "ddb"};
	struct slice region = aws_names_take(&rest);

	if (slice_is(region, "vpce")) {
		region = aws_names_take(&rest);
	}
	struct slice name = aws_names_take(&rest);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (slice_is(name, names[i])) {
			return region;
		}
	}
	return SLICE("");
}

struct slice
aws_names_region(struct slice host)
{
	for (size_t i = 0; i < sizeof(partitions) / sizeof(partitions[0]); i++) {
		const char *ends[] = {partitions[i].suffix, partitions[i].dual};

		for (size_t k = 0; k < 2; k++) {
			struct slice end = slice_from(ends[k]);

			if (slice_ends(host, end)) {
				return aws_names_region_before(
					slice_of(host.at, host.len - end.len));
			}
		}
	}
	return SLICE("");
}
