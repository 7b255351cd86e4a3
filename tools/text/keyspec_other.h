/*
 * keyspec_other - keys and indexes in the notations of other tools, as --key and --gsi write them
 *
 *   PK HASH, SK RANGE    PK S, SK N    pk=PK sk=SK    (PK, SK)    AttributeName=PK,KeyType=HASH ...    CREATE TABLE's
 *   ByYear:Year,Song    ByYear(Year, Song)    Year:N,Song,KEYS_ONLY    IndexName=ByYear,KeySchema=[...] and its JSON
 */
#ifndef TOOLS_TEXT_KEYSPEC_OTHER_H
#define TOOLS_TEXT_KEYSPEC_OTHER_H

#include "store/base/core/buf.h"

enum keyspec_meaning {
	KEYSPEC_UNKNOWN, /* nothing is appended */
	KEYSPEC_LIKELY, /* something to ask about: a name may have the separators, an index has no name */
	KEYSPEC_CERTAIN,
};

/** keyspec_other - append "PK[:T][,SK[:T]]" as @text means it; @index: "NAME=PK[:T][,SK[:T]][/PROJECTION]" */
enum keyspec_meaning keyspec_other(struct buf *out, struct slice text, bool index);

#endif
