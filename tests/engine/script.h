/*
 * script - requests with expected answers, as text
 *
 *   == a sentence that states what holds        a test; it begins with an empty store
 *   -- name                                     a preparation; "+ name" runs it
 *   + name
 *   PutItem {"TableName":"Users",
 *     "Item":{"Id":{"S":"a"}}}                  an operation; a line that begins with a blank continues it
 *   => {}                                       its whole answer, with members in any order
 *   => ! ValidationException: the message       or its error
 *   => ! ValidationException                   or only the name of the error
 *   => ! {"Item":{"Id":{"S":"a"}}}              or some members of the body of the error
 *   Records {"TableName":"Users"}             all records of its streams, as an answer of GetRecords
 *   ~ Users                                     wait until no index of the table is being created or deleted
 *   =~ {}                                       likewise; the operation is repeated until it answers this, for a while
 *   Bucket acme                                 make a bucket, which is a directory of the store
 *   Object acme/a/b.json {"Item":{...}}%n       make a file in it; "%n" is a line feed
 *   # a comment
 *
 * "%{3|text}%" is the text three times, "%{3,|text}%" with commas in between; "%i" in it counts from 0.
 *
 * An operation without "=>" must succeed.  "<any>" in an answer matches any value.
 */
#ifndef TESTS_ENGINE_SCRIPT_H
#define TESTS_ENGINE_SCRIPT_H

#include "tests/engine/engines.h"

/** script_run - run every test of a file on every engine; failures are reported to CUnit with file and line */
void script_run(const char *path);

/**
 * script_request - execute one operation
 * @op:   its name: of DynamoDB or of ItemFS
 * @body: the request as JSON
 * @out:  the body of the answer, or of the error
 *
 * Return: 0 or -ERR_*
 */
int script_request(struct engine *e, struct call *c, struct slice op, struct slice body,
		   struct slice *out);

#endif
