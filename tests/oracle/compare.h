/* compare - compare two answers to one request: equal, a known difference, or another difference */
#ifndef TESTS_ORACLE_COMPARE_H
#define TESTS_ORACLE_COMPARE_H

#include "tests/oracle/make.h"

struct answer {
	long status; /* HTTP status; 0: no answer */
	struct slice body;
};

/**
 * answers_same - return true if the answers are equal: errors word for word, sets and other unordered members in any
 * order
 */
bool answers_same(struct call *c, const struct request *r, const struct answer *left,
		  const struct answer *right);

/** answers_digest - line that identifies the sort of a difference: the operation and both results */
struct slice answers_digest(struct call *c, const struct request *r, const struct answer *left,
			    const struct answer *right);

/** known_read - read a file of rules (known.txt describes them).  Return: false if it cannot be read */
bool known_read(struct call *c, const char *path);

/** known_difference - return true if a rule matches this difference */
bool known_difference(struct call *c, const struct request *r, const struct answer *left,
		      const struct answer *right);

/** known_end - return true if a rule says that the endpoints hold different items after these answers, equal or not */
bool known_end(struct call *c, const struct request *r, const struct answer *left,
	       const struct answer *right);

#endif
