/*
 * model - the worked examples of tests/models: requests with the answers that are expected
 *
 *   model_json.c    plain JSON to values, requests with the codec's typed JSON
 *   model_check.c   answers and tables against what is expected
 *   model_case.c    one access pattern, in either of the two forms of the files
 *   model_migrate.c what changes a table of another model into the model's
 *
 * Forms: models-ch18-19.json has "params" and "expect" as an object; the others have
 * "request" and "expect" as an array of keys.  Both are described in
 * tests/models/README.md.
 */
#ifndef TESTS_ENGINE_MODEL_H
#define TESTS_ENGINE_MODEL_H

#include "store/base/text/json.h"

#include "tests/engine/engines.h"

/* A model loaded into an engine, and one case of it. */
struct model {
	struct testee *t;
	struct call *c;          /* of the case */
	const char *file;        /* for messages */
	const struct json *json; /* the model */
	const struct json
		*before;          /* what its table is migrated from; NULL: it is loaded as it is */
	const struct json *table; /* its table */
	const struct json *asked; /* the case */
	const struct key_schema *key;
	struct item *items; /* what the table must hold: loaded, then changed by the case */
	size_t n_items;
};

/** model_complain - a failure of the present case */
void model_complain(const struct model *m, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* ------------------------------------------------------------ model_json.c */

struct slice model_text(const struct json *j); /* of a string; empty for NULL */
bool model_is(const struct json *j, const char *text);
struct value model_value(struct call *c, const struct json *plain);
struct item model_item(struct call *c, const struct json *plain);
struct item model_typed(struct call *c, const struct json *typed);

/** model_request - a request of either form; @params has the API's names */
struct slice model_request(const struct model *m, struct slice op, const struct json *index,
			   const struct json *params);

/** model_create - CreateTable's request for the model's table */
struct slice model_create(struct call *c, const struct json *table);

/** model_add_index - UpdateTable's request that adds @gsi to a table of items */
struct slice model_add_index(struct call *c, const struct json *table, const struct json *gsi);

/* ------------------------------------------------------------ model_check.c */

/* What an operation returned, as far as it is items. */
struct model_answer {
	int status;
	struct call *c; /* with the error */
	const struct item *items;
	size_t n;
	size_t count;
	size_t scanned;
	struct item last;
};

/** model_run - one operation */
struct model_answer model_run(const struct model *m, struct call *c, struct slice op,
			      struct slice request);

/** model_check_keys - @expect: array of keys, each of which the item in its place must have */
void model_check_keys(const struct model *m, const struct model_answer *a,
		      const struct json *expect, bool unordered);

/** model_check_error - @expect: {code, reasons, message_has} */
void model_check_error(const struct model *m, const struct model_answer *a, struct slice code,
		       const struct json *reasons, const struct json *message_has);

/** model_check_clean - the store's own check finds nothing */
void model_check_clean(const struct model *m);

/** model_check_table - the table holds exactly m->items, and the store checks clean */
void model_check_table(const struct model *m);

/** model_take_table - what the table holds now is what it must hold */
void model_take_table(struct model *m);

/** model_check_views - "base_view" and "index_views" against the listings */
void model_check_views(const struct model *m);

/* ------------------------------------------------------------ model_case.c */

/** model_case - run the present case */
void model_case(struct model *m);

/** model_run_steps - the steps of m->asked, each with its own answer */
void model_run_steps(const struct model *m, const struct json *steps);

/** model_apply_after - m->items become what m->asked leaves in the table */
void model_apply_after(struct model *m);

/* ------------------------------------------------------------ model_migrate.c */

/** model_migrate - the model's migrations one after the other; the table holds what was before */
void model_migrate(struct model *m);

#endif
