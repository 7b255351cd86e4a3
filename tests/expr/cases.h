/*
 * cases - data-driven tests of expressions
 *
 * A .test file holds cases of three lines: expression, item, expected result.  Empty lines, and comment lines
 * that begin with "//", may separate cases.  "%names {...}" and "%values {...}" (DynamoDB JSON) define the
 * placeholders of the cases below; each case gets those that occur in its expression.  "%item {...}" is the item
 * of the cases whose second line is "-".
 */
#ifndef TESTS_EXPR_CASES_H
#define TESTS_EXPR_CASES_H

#include "store/expr/expr.h"

struct test_case {
	struct slice expression;
	struct slice item; /* the second line, unchanged */
	struct placeholders ph;
};

/** case_fn - run one case and append its result, which is compared with the third line */
typedef void case_fn(struct call *c, const struct test_case *t, struct buf *got);

/** cases_run - run every case of tests/@name; failures are printed with file and line */
void cases_run(const char *name, case_fn *run);

/** cases_item - parse the second line as an item in the mount's form */
struct item cases_item(struct call *c, const struct test_case *t);

/** cases_refused - append "!PLACE message", the format of the third line for a refused expression */
void cases_refused(const struct call *c, struct buf *got);

#endif
