/* tighten - removal of other users' permissions that earlier versions left on the store's folders */
#ifndef STORE_LOCAL_RECORDS_TIGHTEN_H
#define STORE_LOCAL_RECORDS_TIGHTEN_H

/**
 * tighten_store - make db/, backups/, rejected/, scratch/ and damaged/ of a store accessible to its owner only
 * @dir: path of the store, for the log line that reports a change
 * @at:  descriptor of the store's directory
 */
void tighten_store(const char *dir, int at);

#endif
