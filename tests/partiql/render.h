/* render - writes trees and operations as text, for comparison */
#ifndef TESTS_PARTIQL_RENDER_H
#define TESTS_PARTIQL_RENDER_H

#include "store/partiql/translate.h"

/** render_node - append "(a = 1 AND size(b[0].c) < 2)" */
void render_node(struct buf *out, const struct node *n);

/** render_path - append a.b[0] */
void render_path(struct buf *out, const struct path *p);

/** render_selection - append "Query [p = "x", s > 1] backward filter ... list a, b AS c" */
void render_selection(struct buf *out, const struct selection *s, const struct statement *st);

/** render_write - append "UpdateItem {key} set a = 1 when ..." */
void render_write(struct buf *out, const struct transact_action *a);

#endif
