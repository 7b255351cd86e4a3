/* account - DescribeLimits, DescribeEndpoints: what the service tells of an account */
#include "store/local/records/local_int.h"

/* Source: Developer Guide, "Quotas": those of a new account */
enum { ACCOUNT_UNITS = 80000, TABLE_UNITS = 40000 };

enum { DAY_MINUTES = 24 * 60 };

int
local_exec_describe_limits(struct local *l, struct call *c, const struct describe_limits_in *in,
			   struct describe_limits_out *out)
{
	(void)l;
	(void)c;
	(void)in;
	*out = (struct describe_limits_out){
		.account_read_units = ACCOUNT_UNITS,
		.account_write_units = ACCOUNT_UNITS,
		.table_read_units = TABLE_UNITS,
		.table_write_units = TABLE_UNITS,
	};
	return 0;
}

/* Who looks for an endpoint is told the one that it has found. */
int
local_exec_describe_endpoints(struct local *l, struct call *c,
			      const struct describe_endpoints_in *in,
			      struct describe_endpoints_out *out)
{
	(void)l;
	(void)c;
	*out = (struct describe_endpoints_out){
		.address = in->host.len == 0 ? SLICE("localhost") : in->host,
		.minutes = DAY_MINUTES,
	};
	return 0;
}
