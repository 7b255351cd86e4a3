/* number_int - what number.c and number_key.c share */
#ifndef STORE_MODEL_NUMBER_INT_H
#define STORE_MODEL_NUMBER_INT_H

typedef unsigned __int128 u128;

/** number_digits - write the digits of @v < 10^38 without leading zeros; returns how many */
int number_digits(char *to, u128 v);

#endif
