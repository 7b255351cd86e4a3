/* compare - two answers to one request: the same, known to differ, or different? */
#ifndef TESTS_ORACLE_COMPARE_H
#define TESTS_ORACLE_COMPARE_H

#include "tests/oracle/make.h"

struct answer {
	long status; /* HTTP; 0: none came */
	struct slice body;
};

/** answers_same - errors word for word; sets and whatever has no order in any order */
bool answers_same(struct call *c, const struct request *r, const struct answer *left,
		  const struct answer *right);

/** answers_digest - a line that tells sorts of differences apart: operation, then both results */
struct slice answers_digest(struct call *c, const struct request *r, const struct answer *left,
			    const struct answer *right);

/** known_read - read the rules of a file (known.txt says how); false when it cannot be read */
bool known_read(struct call *c, const char *path);

/** known_difference - is there a rule for it? */
bool known_difference(struct call *c, const struct request *r, const struct answer *left,
		      const struct answer *right);

/** known_end - is there a rule that after these answers, same or not, the ends hold different items? */
bool known_end(struct call *c, const struct request *r, const struct answer *left,
	       const struct answer *right);

#endif
