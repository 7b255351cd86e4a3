/* tighten - what earlier versions left readable for others becomes its owner's alone */
#ifndef STORE_LOCAL_RECORDS_TIGHTEN_H
#define STORE_LOCAL_RECORDS_TIGHTEN_H

/**
 * tighten_store - db/, backups/, rejected/, scratch/ and damaged/ of the caller's own store
 * @dir: its name, for the line that says so
 * @at:  its descriptor
 */
void tighten_store(const char *dir, int at);

#endif
