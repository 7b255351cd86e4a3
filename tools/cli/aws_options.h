/* aws_options - options of the AWS command line: global ones, and those that are members of an operation's request */
#ifndef TOOLS_CLI_AWS_OPTIONS_H
#define TOOLS_CLI_AWS_OPTIONS_H

#include "store/op/op.h"

enum aws_option {
	AWS_MEMBER,      /* a member of the request, or unknown */
	AWS_GLOBAL,      /* an option of itemctl, with a value */
	AWS_GLOBAL_FLAG, /* an option of itemctl */
	AWS_OWN,         /* --query, --cli-input-json, --table-name, --table */
	AWS_PAGING,      /* --max-items, --page-size, --starting-token */
	AWS_NO_PAGES,    /* --no-paginate */
	AWS_SKIPPED,     /* ignored */
};

/** aws_options_kind - the kind of the option @name, without its dashes */
enum aws_option aws_options_kind(struct slice name);

/** aws_options_member - KeyConditionExpression for "key-condition-expression"; in the call's arena */
struct slice aws_options_member(struct call *c, struct slice name);

/** aws_options_of - the option for a member, the inverse of aws_options_member() */
struct slice aws_options_of(struct call *c, struct slice member);

/** aws_options_is_member - return true if the operation's request has a member for the option @name */
bool aws_options_is_member(enum op_type type, struct slice name);

/** aws_options_is_list - return true if the option takes several words */
bool aws_options_is_list(struct slice name);

/** aws_options_unknown - fail because the option is unknown, with a suggestion; Return: -ERR_USAGE */
int aws_options_unknown(struct call *c, enum op_type type, struct slice name) must_check;

#endif
