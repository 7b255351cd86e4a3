/* template - tables of CloudFormation, SAM, CDK, serverless.yml and Terraform files as CreateTable's JSON */
#ifndef TOOLS_LOAD_TEMPLATE_H
#define TOOLS_LOAD_TEMPLATE_H

#include "tools/load/template_value.h"

/* One table of a template. */
struct template_table {
	struct slice id;     /* its name in the template */
	struct slice create; /* CreateTable's request */
	struct slice ttl;    /* attribute of its time to live, or empty */
};

struct template_tables {
	struct template_table *at;
	size_t n;
	size_t room;
	struct template_notes
		elsewhere; /* references that stand for resources in another file, which is not read */
	struct template_notes unknown; /* variables of serverless.yml without a value */
	bool seeds;                    /* serverless.yml names files of items, which are not read */
};

/** template_is_one - is it one of these files? */
bool template_is_one(const struct json *json);

/** template_read - all its tables, which may be none; what a table is not made of (tags, backups, encryption) is passed over */
void template_read(struct call *c, const struct json *json, struct template_tables *out);

#endif
