/* reorder - command lines of other tools, whose words have another order than ours */
#ifndef TOOLS_REORDER_H
#define TOOLS_REORDER_H

#include "store/base/core/base.h"

/*
 * All functions change the words in place.  The array ends with NULL; argv[0] is the program, except in
 * reorder_explained().
 */

/**
 * reorder_java - change "java ... -jar DynamoDBLocal.jar OPTION..." to "serve OPTION..."
 *
 * It may follow serve.  "-jar DynamoDBLocal.jar" may follow options of serve, too.
 */
void reorder_java(int *argc, char **argv);

/** reorder_command - move the first word that is a command before its options; Return: false if there is none */
bool reorder_command(int argc, char **argv);

/**
 * reorder_host - change "-h HOST -p PORT", as other clients have it, to the URL of a server, unless a server is to be
 * started
 *
 * The URL is in a static buffer: call it once.
 */
void reorder_host(int *argc, char **argv);

/**
 * reorder_statement - change "-c STATEMENT" of psql, duckdb and sqlite3, if it comes before any command, to
 * "sql STATEMENT"; "-c '\d TABLE'" becomes that word alone
 */
void reorder_statement(int *argc, char **argv);

/**
 * reorder_explained - change "explain --table T --key PK=x" to "query --explain ...", or to a scan if there is no key
 *
 * An explain without a table is followed by a statement and stays unchanged.
 */
void reorder_explained(struct call *c, int *argc, char ***argv);

#endif
