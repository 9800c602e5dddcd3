#pragma once

// refused: sample.hpp:4: may not include <openssl/evp.h>
#include <openssl/evp.h>
