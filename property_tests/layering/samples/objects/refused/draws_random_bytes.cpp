// refused: may not call RAND_bytes$
#include <array>

#include <openssl/rand.h>

namespace counterfoil {

int token(std::array<unsigned char, 16>& bytes) {
    return RAND_bytes(bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace counterfoil
