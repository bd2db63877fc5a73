/* 128-bit integers, which ISO C does not have. */
#ifndef DOSI_RELEASE_INT128_H
#define DOSI_RELEASE_INT128_H

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

#endif
