/* reorder - command lines whose words stand in another order than here */
#ifndef TOOLS_REORDER_H
#define TOOLS_REORDER_H

#include <stdbool.h>

#include "store/base/core/call.h"

/** reorder_java - "java ... -jar DynamoDBLocal.jar OPTION...", alone or behind a command, becomes "serve OPTION..." */
void reorder_java(int *argc, char **argv);

/** reorder_command - move the first word that is a command in front of the options of it; Return: false, nothing is moved */
bool reorder_command(int argc, char **argv);

/** reorder_host - "-h HOST -p PORT" of other clients becomes the URL of a server, unless one is to be started */
void reorder_host(int *argc, char **argv);

/** reorder_statement - "-c STATEMENT" of psql, duckdb and sqlite3, before any command, becomes "sql STATEMENT", "-c '\d TABLE'" that word */
void reorder_statement(int *argc, char **argv);

/** reorder_explained - "explain --table T --key PK=x" becomes "query --explain ...", without a key a scan; else it is of a statement */
void reorder_explained(struct call *c, int *argc, char ***argv);

#endif
