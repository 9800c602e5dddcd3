// refused: may not call std::thread::
#include <thread>

namespace counterfoil {

void later() {
    std::thread{[] {}}.join();
}

}  // namespace counterfoil
