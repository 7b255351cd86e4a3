/* unit_call - the fixture of a suite that needs only a call */
#ifndef TESTS_SUPPORT_UNIT_CALL_H
#define TESTS_SUPPORT_UNIT_CALL_H

#include "store/base/core/base.h"

#include "tests/support/unit.h"

/* Defines the call @name, fresh for each test, with setup() and teardown() for UNIT_SUITE(). */
#define UNIT_CALL(name) \
	static struct call name; \
\
	static void setup(void) \
	{ \
		call_open(&(name), 0, 1 << 30); \
	} \
\
	static void teardown(void) \
	{ \
		call_close(&(name)); \
	} \
\
	static struct call name

#endif
