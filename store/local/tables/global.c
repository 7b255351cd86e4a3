/*
 * global - the operations on global tables of version 2017.11.29
 *
 * The service makes none any more, and answers as below for every name.
 * Those of version 2019.11.21 are made by UpdateTable's ReplicaUpdates.
 */
#include "store/local/records/local_int.h"

#define GLOBAL_ABSENT "Global table with name: '%.*s' does not exist."

static int
global_ended(struct call *c)
{
	return call_fail(c, ERR_VALIDATION,
			 "One or more parameter values were invalid: DynamoDB global tables "
			 "version 2017.11.29 is not supported. We recommend using DynamoDB global "
			 "tables version 2019.11.21, instead of version 2017.11.29 (Legacy).");
}

static int
global_absent(struct call *c, struct slice name)
{
	return call_fail(c, ERR_NO_GLOBAL_TABLE, "Global table not found: " GLOBAL_ABSENT,
			 SLICE_ARG(name));
}

static int
global_settings_absent(struct call *c, struct slice name)
{
	return call_fail(c, ERR_NO_GLOBAL_TABLE, GLOBAL_ABSENT, SLICE_ARG(name));
}

int
local_exec_create_global_table(struct local *l, struct call *c,
			       const struct create_global_table_in *in,
			       struct create_global_table_out *out)
{
	(void)l;
	(void)in;
	(void)out;
	return global_ended(c);
}

int
local_exec_update_global_table(struct local *l, struct call *c,
			       const struct update_global_table_in *in,
			       struct update_global_table_out *out)
{
	(void)l;
	(void)out;
	if (in->n == 0) {
		return call_fail(c, ERR_VALIDATION, "One or more parameter values were invalid");
	}
	return in->adds ? global_ended(c) : global_absent(c, in->name);
}

int
local_exec_describe_global_table(struct local *l, struct call *c,
				 const struct describe_global_table_in *in,
				 struct describe_global_table_out *out)
{
	(void)l;
	(void)out;
	return global_absent(c, in->name);
}

int
local_exec_list_global_tables(struct local *l, struct call *c,
			      const struct list_global_tables_in *in,
			      struct list_global_tables_out *out)
{
	(void)l;
	(void)c;
	(void)in;
	*out = (struct list_global_tables_out){0};
	return 0;
}

int
local_exec_update_global_settings(struct local *l, struct call *c,
				  const struct update_global_settings_in *in,
				  struct update_global_settings_out *out)
{
	(void)l;
	(void)out;
	return global_settings_absent(c, in->name);
}

int
local_exec_describe_global_settings(struct local *l, struct call *c,
				    const struct describe_global_settings_in *in,
				    struct describe_global_settings_out *out)
{
	(void)l;
	(void)out;
	return global_settings_absent(c, in->name);
}
