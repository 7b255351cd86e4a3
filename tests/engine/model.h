/*
 * model - the worked examples of tests/models: requests with expected answers
 *
 *   model_json.c       converts plain JSON to values and requests
 *   model_check.c      compares answers and tables with the expected ones
 *   model_case.c       runs one access pattern of either form; has the form with "request"
 *   model_described.c  has the form with "params"
 *   model_migrate.c    changes a table of another model into the model's
 *
 * Forms: models-ch18-19.json has "params" and "expect" as an object; the others have
 * "request" and "expect" as an array of keys.  Both are described in
 * tests/models/README.md.
 */
#ifndef TESTS_ENGINE_MODEL_H
#define TESTS_ENGINE_MODEL_H

#include "store/base/text/json.h"

#include "tests/engine/engines.h"

/* Memory and time of the calls of a case. */
enum { MODEL_CALL_BUDGET = 64 << 20, MODEL_NOW_MS = 1600000000 };

/* A model loaded into an engine, and one of its cases. */
struct model {
	struct testee *t;
	struct call *c;            /* call of the case */
	const char *file;          /* file name for messages */
	const struct json *json;   /* the model */
	const struct json *before; /* the model to migrate from; NULL: none */
	const struct json *table;  /* its table */
	const struct json *asked;  /* the present case */
	const struct key_schema *key;
	struct item *items; /* expected items of the table */
	size_t n_items;
};

/** model_complain - record a failure of the present case */
void model_complain(const struct model *m, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* ------------------------------------------------------------ model_json.c */

struct slice model_text(const struct json *j); /* the text of a string; empty for NULL */
size_t model_number(const struct json *j);
bool model_is(const struct json *j, const char *text);
struct value model_value(struct call *c, const struct json *plain);
struct item model_item(struct call *c, const struct json *plain);
struct item model_typed(struct call *c, const struct json *typed);

/** model_request - build a request of either form; @params has the names of the API */
struct slice model_request(const struct model *m, struct slice op, const struct json *index,
			   const struct json *params);

/** model_create - build the CreateTable request for the model's table */
struct slice model_create(struct call *c, const struct json *table);

/** model_add_index - build the UpdateTable request that adds @gsi to a table with items */
struct slice model_add_index(struct call *c, const struct json *table, const struct json *gsi);

/* ------------------------------------------------------------ model_check.c */

/* The items that an operation returned. */
struct model_answer {
	int status;
	struct call *c; /* the call, with its error */
	const struct item *items;
	size_t n;
	size_t count;
	size_t scanned;
	struct item last;
};

/** model_run - execute one operation */
struct model_answer model_run(const struct model *m, struct call *c, struct slice op,
			      struct slice request);

/** model_check_keys - check that item i of the answer has key i of the array @expect */
void model_check_keys(const struct model *m, const struct model_answer *a,
		      const struct json *expect, bool unordered);

/** model_is_unordered - return true if the items of the answer may be in any order */
bool model_is_unordered(const struct json *asked);

/** model_check_error - check the error against @expect, {code, reasons, message_has} */
void model_check_error(const struct model *m, const struct model_answer *a, struct slice code,
		       const struct json *reasons, const struct json *message_has);

/** model_check_clean - check that Check of the store finds no problem */
void model_check_clean(const struct model *m);

/** model_check_table - check that the table holds exactly m->items and that Check finds no problem */
void model_check_table(const struct model *m);

/** model_take_table - set m->items to the present content of the table */
void model_take_table(struct model *m);

/** model_check_views - compare "base_view" and "index_views" with the listings */
void model_check_views(const struct model *m);

/* ------------------------------------------------------------ model_case.c */

/** model_case - run the present case */
void model_case(struct model *m);

/** model_run_steps - run the steps of m->asked and check the answer of each */
void model_run_steps(const struct model *m, const struct json *steps);

/** model_apply_after - apply the expected effect of m->asked to m->items */
void model_apply_after(struct model *m);

/* ------------------------------------------------------------ model_described.c */

/** model_described - run the present case, which has "params" */
void model_described(const struct model *m);

/* ------------------------------------------------------------ model_migrate.c */

/** model_migrate - run the model's migrations in order on the table of the previous model */
void model_migrate(struct model *m);

#endif
