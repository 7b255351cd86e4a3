/* template_value - values of a template, with parameters, references, Fn::Join and Fn::Sub resolved */
#ifndef TOOLS_MODEL_TEMPLATE_VALUE_H
#define TOOLS_MODEL_TEMPLATE_VALUE_H

#include "store/base/text/json.h"

enum { TEMPLATE_NOTES_MAX = 100 };

/* A reference that this file does not resolve. */
struct template_note {
	struct slice what;
	struct slice instead; /* the value that a variable got; else empty */
};

/* The first TEMPLATE_NOTES_MAX notes, without duplicates. */
struct template_notes {
	struct template_note *at;
	size_t n;
	bool more; /* others were discarded */
};

/** template_value_note - add a note, unless there is one about @what */
void template_value_note(struct call *c, struct template_notes *notes, struct slice what,
			 struct slice instead);

/* The objects that values of a template may refer to. */
struct template_scope {
	struct call *c;
	const struct json *parameters; /* CloudFormation: each with a Default; or NULL */
	const struct json *mappings;   /* CloudFormation: for Fn::FindInMap; or NULL */
	const struct json *variables;  /* Terraform: each with a default; or NULL */
	const struct json *service;    /* serverless.yml, or NULL */
	unsigned *fills; /* variables of serverless.yml that may still be replaced; NULL: none */
	struct template_notes *unknown; /* gets variables without a value; or NULL */
};

/** template_value_text - return the text of a string, number or reference (default: name of the parameter), else "" */
struct slice template_value_text(const struct template_scope *s, const struct json *json);

/**
 * template_value_put - write @json, which is not NULL, with all references resolved
 *
 * Texts of members "...Units" become numbers, and "true" and "false" of "...Enabled" become booleans.
 */
void template_value_put(const struct template_scope *s, struct json_writer *w,
			const struct json *json);

/** template_value_node - return @json, or the object or array that it refers to by a variable of serverless.yml */
const struct json *template_value_node(const struct template_scope *s, const struct json *json);

/** template_value_is_absent - return true for NULL, null and a reference to AWS::NoValue */
bool template_value_is_absent(const struct json *json);

/** template_serverless_is_one - return true if @json has the members "service" and "resources" */
bool template_serverless_is_one(const struct json *json);

/** template_serverless_text - replace variables in @text, except those of CloudFormation, such as ${AWS::Region} */
struct slice template_serverless_text(const struct template_scope *s, struct slice text);

/** template_serverless_value - return the object or array that the variable @text refers to, or NULL */
const struct json *template_serverless_value(const struct template_scope *s, struct slice text);

#endif
