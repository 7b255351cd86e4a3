/*
 * partiql_clauses - parsers of the clauses of statements
 *
 * Each function reads from the next lexeme on and fills its part of @st.
 */
#ifndef STORE_PARTIQL_PARTIQL_CLAUSES_H
#define STORE_PARTIQL_PARTIQL_CLAUSES_H

#include "store/partiql/partiql_reader.h"
#include "store/partiql/statement.h"

/** clause_projection - the list of SELECT: the star, or paths */
void clause_projection(struct reader *r, struct statement *st);

/** clause_order - an optional ORDER BY */
void clause_order(struct reader *r, struct statement *st);

/** clause_changes - the SET and REMOVE clauses of UPDATE; at least one */
void clause_changes(struct reader *r, struct statement *st);

/** clause_returning - an optional RETURNING */
void clause_returning(struct reader *r, struct statement *st);

#endif
