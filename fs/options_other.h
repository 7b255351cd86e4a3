/* options_other - what itemfs has in place of options of other mount programs */
#ifndef FS_OPTIONS_OTHER_H
#define FS_OPTIONS_OTHER_H

/** options_other - @name is without its value: advice to print behind "unknown option: NAME: "; NULL: there is none */
const char *options_other(const char *name);

#endif
