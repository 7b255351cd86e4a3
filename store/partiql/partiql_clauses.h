/* partiql_clauses - parts of statements, each read behind the word that announces it */
#ifndef STORE_PARTIQL_PARTIQL_CLAUSES_H
#define STORE_PARTIQL_PARTIQL_CLAUSES_H

#include "store/partiql/partiql_reader.h"
#include "store/partiql/statement.h"

/* What SELECT lists: the star, or paths. */
int clause_projection(struct reader *r, struct statement *st) __attribute__((warn_unused_result));

/* ORDER BY, if it is there. */
int clause_order(struct reader *r, struct statement *st) __attribute__((warn_unused_result));

/* What UPDATE does: SET and REMOVE, as often as they come. */
int clause_changes(struct reader *r, struct statement *st) __attribute__((warn_unused_result));

/* RETURNING, if it is there. */
int clause_returning(struct reader *r, struct statement *st) __attribute__((warn_unused_result));

#endif
