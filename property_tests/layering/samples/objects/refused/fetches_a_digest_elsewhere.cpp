// refused: may not keep counterfoil::.*another_place\(\)::digest$
#include <openssl/evp.h>

namespace counterfoil {

const EVP_MD* another_place() {
    static const EVP_MD* const digest = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    return digest;
}

}  // namespace counterfoil
