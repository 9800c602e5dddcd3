#include "descriptor.hpp"

#include <utility>

#include <unistd.h>

namespace payments {

Descriptor::Descriptor(Descriptor&& other) noexcept : number_{std::exchange(other.number_, -1)} {}

Descriptor::~Descriptor() {
    if (number_ >= 0) ::close(number_);
}

}  // namespace payments
