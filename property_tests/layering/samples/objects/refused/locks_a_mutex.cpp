// refused: may not call pthread_mutex_lock$
#include <mutex>

namespace counterfoil {

void guard(std::mutex& mutex) {
    const std::lock_guard lock{mutex};
}

}  // namespace counterfoil
