/* csv_int - types in the header, which csv.c reads and csv_write.c writes */
#ifndef STORE_MODEL_CSV_INT_H
#define STORE_MODEL_CSV_INT_H

#include "store/model/csv.h"

/** csv_suffix - return what follows the name of a column of @kind in the header, such as ":N"; not for CSV_GUESS */
const char *csv_suffix(enum csv_kind kind);

/** csv_looks_typed - return true if @name ends like a type, so that a text column must have one in the header */
bool csv_looks_typed(struct slice name);

#endif
