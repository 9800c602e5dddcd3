// refused: sample.cpp:2: may not include <openssl/rand.h>
#include <openssl/rand.h>
