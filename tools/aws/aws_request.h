/*
 * aws_request - a command line of the AWS command line as one of ours
 *
 *   get-item --table-name music --key '{"Artist":{"S":"Acme"}}'  ->  call GetItem '{"TableName":"music","Key":{...}}'
 *
 * Only what has options that no command of ours has; everything else are synonyms (synonyms.h).
 */
#ifndef TOOLS_AWS_AWS_REQUEST_H
#define TOOLS_AWS_AWS_REQUEST_H

#include "tools/cli/opts.h"

/**
 * aws_request - the words of "call" that mean the same
 * @argv:  from the command on; "--select COUNT" in it becomes --count, and a plain key or item a word
 * @words: operation, request, and the options that are for itemctl; none: it is no request of the AWS command line
 *
 * Values are JSON, file://FILE or shorthand (A=b,C=[d,e],F={G=h}).
 *
 * Errors:  -ERR_USAGE  a second word, a value that is missing or no shorthand;  those of ctl_read_text()
 */
int aws_request(struct call *c, int argc, char **argv, struct words *words)
	__attribute__((warn_unused_result));

#endif
