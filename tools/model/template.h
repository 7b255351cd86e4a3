/* template - tables of CloudFormation, SAM, CDK, serverless.yml and Terraform files as CreateTable requests */
#ifndef TOOLS_MODEL_TEMPLATE_H
#define TOOLS_MODEL_TEMPLATE_H

#include "tools/model/template_value.h"

/* One table of a template. */
struct template_table {
	struct slice id;     /* logical name in the template */
	struct slice create; /* CreateTable request */
	struct slice ttl;    /* attribute of the time to live, or empty */
};

struct template_tables {
	struct template_table *at;
	size_t n;
	size_t room;
	struct template_notes elsewhere; /* references to other files, which are not read */
	struct template_notes unknown;   /* variables of serverless.yml without a value */
	bool seeds;                      /* serverless.yml names item files, which are not read */
};

/** template_is_one - return true if @json is one of these files */
bool template_is_one(const struct json *json);

/** template_read - read all tables, possibly none, in the order of the file; ignores tags, backups and encryption */
void template_read(struct call *c, const struct json *json, struct template_tables *out);

/* ------------------------------------------------------------ shared by the readers of templates */

/** template_add - append a table in the arena of the call; the caller fills it; valid until the next template_add() */
struct template_table *template_add(struct call *c, struct template_tables *out);

/** template_attribute - write {"AttributeName": @name, @member: @value} */
void template_attribute(struct json_writer *w, struct slice name, const char *member,
			struct slice value);

/** template_is_terraform - return true for a JSON configuration, output of "terraform show -json", or a state file */
bool template_is_terraform(const struct json *json);

/** template_read_terraform - append all aws_dynamodb_table resources; see template_read() */
void template_read_terraform(struct call *c, const struct json *json, struct template_tables *out);

#endif
