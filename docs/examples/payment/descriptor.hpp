#pragma once

namespace payments {

/// A file descriptor that is closed with its owner.
class Descriptor {
public:
    explicit Descriptor(int number) : number_{number} {}

    Descriptor(Descriptor&& other) noexcept;
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor();

    [[nodiscard]] int number() const noexcept { return number_; }

private:
    int number_;
};

}  // namespace payments
