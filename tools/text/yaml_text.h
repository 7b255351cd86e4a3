/*
 * yaml_text - converts YAML to JSON values
 *
 * Templates are written in YAML, and items may be. libyaml parses it; each reading loads and unloads the library.
 */
#ifndef TOOLS_TEXT_YAML_TEXT_H
#define TOOLS_TEXT_YAML_TEXT_H

#include "store/base/text/json.h"

/**
 * yaml_text_read - convert the first document of a text
 * @text: borrowed until the call ends
 *
 * CloudFormation's tags become their long form: !Ref X is {"Ref": "X"}, !Sub X is {"Fn::Sub": "X"}, !GetAtt A.B
 * is {"Fn::GetAtt": "A.B"}.
 *
 * Errors:  -ERR_SERIALIZATION  not YAML (the message has line, column and cause), deeper than JSON_DEPTH_MAX, or more
 *                              than 1,000,000 nodes with aliases expanded
 *          -ERR_USAGE          libyaml is not installed
 * Memory:  @out is in the call's arena
 */
int yaml_text_read(struct call *c, struct slice text, const struct json **out) must_check;

/* @line: the line where the item begins, from 1 */
typedef void yaml_text_item_fn(void *arg, const struct json *item, size_t line);

/**
 * yaml_text_items - call @each for each item of all documents of a text
 *
 * The items of a document are the elements of its list, or of the list "Items" in it, or else the document itself.
 * !!binary becomes {"B": "..."}. Errors and memory are as above; in addition, the tags of templates are errors.
 */
int yaml_text_items(struct call *c, struct slice text, yaml_text_item_fn *each, void *arg)
	must_check;

#endif
