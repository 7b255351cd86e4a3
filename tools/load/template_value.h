/* template_value - values of a template: parameters, references, joined and filled-in texts */
#ifndef TOOLS_LOAD_TEMPLATE_VALUE_H
#define TOOLS_LOAD_TEMPLATE_VALUE_H

#include "store/base/text/json.h"

enum { TEMPLATE_NOTES_MAX = 100 };

/* A reference that this file alone does not resolve. */
struct template_note {
	struct slice what;
	struct slice instead; /* of a variable: what stands in its place */
};

/* Each once, the first of them. */
struct template_notes {
	struct template_note *at;
	size_t n;
	bool more; /* there are others */
};

/** template_value_note - add one, unless it is there */
void template_value_note(struct call *c, struct template_notes *notes, struct slice what,
			 struct slice instead);

/* What the values of a template may refer to. */
struct template_scope {
	struct call *c;
	const struct json *parameters; /* CloudFormation: each with a Default; or NULL */
	const struct json *mappings;   /* CloudFormation: of Fn::FindInMap; or NULL */
	const struct json *variables;  /* Terraform: each with a default; or NULL */
	const struct json *service;    /* serverless.yml, or NULL */
	unsigned *fills; /* how many of its variables may be filled in yet; NULL: none */
	struct template_notes *unknown; /* those of them that have no value; or NULL */
};

/** template_value_text - a string, a number, or what a reference stands for; without a default a parameter's own name; else empty */
struct slice template_value_text(const struct template_scope *s, const struct json *json);

/** template_value_put - @json as a value of its own, every reference resolved; units become numbers, "true" a truth value */
void template_value_put(const struct template_scope *s, struct json_writer *w,
			const struct json *json);

/** template_value_node - @json, or the object or array for which a variable of serverless.yml stands in its place */
const struct json *template_value_node(const struct template_scope *s, const struct json *json);

/** template_value_is_absent - NULL, null or AWS::NoValue */
bool template_value_is_absent(const struct json *json);

#endif
