/*
 * keyspec_other - translates keys and indexes from notations of other tools into that of --key and --gsi
 *
 *   PK HASH, SK RANGE    PK S, SK N    pk=PK sk=SK    (PK, SK)    AttributeName=PK,KeyType=HASH ...    CREATE TABLE's
 *   ByYear:Year,Song    ByYear(Year, Song)    Year:N,Song,KEYS_ONLY    IndexName=ByYear,KeySchema=[...] and its JSON
 */
#ifndef TOOLS_TEXT_KEYSPEC_OTHER_H
#define TOOLS_TEXT_KEYSPEC_OTHER_H

#include "store/base/core/buf.h"

enum keyspec_meaning {
	KEYSPEC_UNKNOWN, /* nothing is appended */
	KEYSPEC_LIKELY, /* only a suggestion: the separators may belong to a name, or the index has no name */
	KEYSPEC_CERTAIN,
};

/** keyspec_other - append @text as "PK[:T][,SK[:T]]"; if @index, as "NAME=PK[:T][,SK[:T]][/PROJECTION]" */
enum keyspec_meaning keyspec_other(struct buf *out, struct slice text, bool index);

#endif
