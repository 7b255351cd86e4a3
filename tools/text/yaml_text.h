/*
 * yaml_text - YAML text as the JSON values that it stands for
 *
 * libyaml reads it, loaded by the first use: templates are written in YAML, and items may be.
 */
#ifndef TOOLS_TEXT_YAML_TEXT_H
#define TOOLS_TEXT_YAML_TEXT_H

#include "store/base/text/json.h"

/**
 * yaml_text_read - the first document of a text
 * @text: borrowed until the call ends
 *
 * CloudFormation's tags become their long form: !Ref X is {"Ref": "X"}, !Sub X is {"Fn::Sub": "X"}, !GetAtt A.B
 * is {"Fn::GetAtt": "A.B"}.
 *
 * Errors:  -ERR_SERIALIZATION  not YAML (message says line and column and why), deeper than JSON_DEPTH_MAX, too much
 *                              by repeated aliases;  -ERR_USAGE  libyaml is not installed
 * Memory:  @out is in the call's arena
 */
int yaml_text_read(struct call *c, struct slice text, const struct json **out)
	__attribute__((warn_unused_result));

/* @line: on which it begins, from 1 */
typedef void yaml_text_item_fn(void *arg, const struct json *item, size_t line);

/**
 * yaml_text_items - each item of all documents of a text: the elements of a list, those of "Items", or else the document
 *
 * !!binary is {"B": "..."}. Errors and memory as above.
 */
int yaml_text_items(struct call *c, struct slice text, yaml_text_item_fn *each, void *arg)
	__attribute__((warn_unused_result));

#endif
