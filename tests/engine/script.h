/*
 * script - requests and the answers that are expected, as text
 *
 *   == a sentence that says what holds          a test: begins with an empty store
 *   -- name                                     a preparation, run where "+ name" stands
 *   + name
 *   PutItem {"TableName":"Users",
 *     "Item":{"Id":{"S":"a"}}}                  an operation; lines that begin with a blank go on
 *   => {}                                       its whole answer, members in any order
 *   => ! ValidationException: the message       or its error
 *   => ! ValidationException                   or only the name of its error
 *   => ! {"Item":{"Id":{"S":"a"}}}              or some members of the error's body
 *   Records {"TableName":"Users"}             all that its streams tell, as an answer of GetRecords
 *   ~ Users                                     wait until no index of the table comes or goes
 *   =~ {}                                       likewise: asked for again until it is so, for a while
 *   Bucket acme                                 makes a bucket, which is a directory of the store
 *   Object acme/a/b.json {"Item":{...}}%n       makes a file of it; "%n" is the end of a line
 *   # a comment
 *
 * "%{3|text}%" is the text three times, "%{3,|text}%" with commas between; "%i" in it counts from 0.
 *
 * An operation without "=>" must succeed.  "<any>" in an answer is the same as everything.
 */
#ifndef TESTS_ENGINE_SCRIPT_H
#define TESTS_ENGINE_SCRIPT_H

#include "tests/engine/engines.h"

/** script_run - every test of a file on every engine; failures are CUnit's, with file and line */
void script_run(const char *path);

/**
 * script_request - one operation
 * @op:   its name, of either group
 * @body: the request as JSON
 * @out:  the answer's body, or the error's
 *
 * Return: 0 or -ERR_*
 */
int script_request(struct engine *e, struct call *c, struct slice op, struct slice body,
		   struct slice *out);

#endif
