#include "counterfoil/sample.hpp"

#include <cstdio>

#include <boost/json.hpp>
#include <boost/json/basic_parser.hpp>
#include <openssl/evp.h>  // digests

static_assert(words == 8);

const EVP_MD* fetched_sha256() {
    static const EVP_MD* const fetched = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    return fetched;
}
