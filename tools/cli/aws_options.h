/* aws_options - the options of the AWS command line: of the tool, and of each operation, whose members they are */
#ifndef TOOLS_CLI_AWS_OPTIONS_H
#define TOOLS_CLI_AWS_OPTIONS_H

#include "store/op/op.h"

enum aws_option {
	AWS_MEMBER,      /* of the request, or unknown */
	AWS_GLOBAL,      /* itemctl's own, with a value */
	AWS_GLOBAL_FLAG, /* itemctl's own */
	AWS_OWN,         /* --query, --cli-input-json, --table-name, --table */
	AWS_PAGING,      /* --max-items and its like, with a value */
	AWS_NO_PAGES,    /* --no-paginate */
	AWS_SKIPPED,     /* nothing is to be done for it */
};

enum aws_option aws_options_kind(struct slice name);

/** aws_options_member - "key-condition-expression" is KeyConditionExpression; in the call's arena */
struct slice aws_options_member(struct call *c, struct slice name);

/** aws_options_of - the inverse */
struct slice aws_options_of(struct call *c, struct slice member);

/** aws_options_is_member - has the operation's request such a member? */
bool aws_options_is_member(enum op_type type, struct slice name);

/** aws_options_is_list - are its values several words? */
bool aws_options_is_list(struct slice name);

/** aws_options_unknown - say that there is no such option, and which one may be meant; Errors: -ERR_USAGE */
int aws_options_unknown(struct call *c, enum op_type type, struct slice name)
	__attribute__((warn_unused_result));

#endif
