/* same_page - is what an answer says of the next page what this page was asked for with? */
#ifndef STORE_WIRE_SAME_PAGE_H
#define STORE_WIRE_SAME_PAGE_H

#include "store/op/op.h"

/**
 * same_page - would whoever asks for the next page get this one again, for ever?
 *
 * An iterator of a stream may stay the same while there are no records.
 */
bool same_page(const struct op_in *in, const struct op_out *out);

#endif
