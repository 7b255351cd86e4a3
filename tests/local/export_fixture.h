/* export_fixture - exports of the table "tab" into the bucket of transfer_fixture.h */
#ifndef TESTS_LOCAL_EXPORT_FIXTURE_H
#define TESTS_LOCAL_EXPORT_FIXTURE_H

#include "tests/local/transfer_fixture.h"

#define EXPORT_FIXTURE_TABLE "arn:aws:dynamodb:us-east-1:000000000000:table/tab"

/** export_fixture_fill - create the table with @n items, each with a text of @bytes random letters */
void export_fixture_fill(size_t n, size_t bytes);

/** export_fixture_begin - begin an export; @token: "" for none */
struct transfer export_fixture_begin(const char *prefix, const char *token);

/** export_fixture_arn - the ARN of the export @id */
struct slice export_fixture_arn(struct slice id);

struct transfer export_fixture_described(struct slice id);

/** export_fixture_ended - wait for the end of the export, and describe it */
struct transfer export_fixture_ended(struct slice id);

/** export_fixture_file - the path of the file @name of the export @id without a prefix */
const char *export_fixture_file(struct slice id, const char *name);

/** export_fixture_make_file - make an empty file */
void export_fixture_make_file(const char *path);

/** export_fixture_no_files - check that no file of the export is left */
void export_fixture_no_files(struct slice id);

#endif
