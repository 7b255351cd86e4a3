/*
 * aws_request - translation of command lines of the AWS tool to the command call
 *
 *   get-item --table-name music --key '{"Artist":{"S":"Acme"}}'  ->  call GetItem '{"TableName":"music","Key":{...}}'
 *
 * Translates only lines with options that no command of itemctl has; synonyms.h translates all others.
 */
#ifndef TOOLS_AWS_AWS_REQUEST_H
#define TOOLS_AWS_AWS_REQUEST_H

#include "tools/cli/opts.h"

/**
 * aws_request - translate a line to the words of the command call
 * @argv:  from the command on; "--select COUNT" in it becomes --count, and the value of a plain key or item is changed
 * @words: operation, request, and the options for itemctl; empty: the line is not a request of the AWS tool
 *
 * Values are JSON, file://FILE or shorthand (A=b,C=[d,e],F={G=h}).
 *
 * Errors:  -ERR_USAGE  a second word, a missing value, or invalid shorthand;  those of ctl_read_text()
 */
int aws_request(struct call *c, int argc, char **argv, struct words *words) must_check;

#endif
