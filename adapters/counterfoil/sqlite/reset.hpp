#pragma once

#include <SQLiteCpp/Statement.h>

namespace counterfoil::sqlite {

/// A statement that is ready for its next use when this goes, whatever happened to it.
///
/// One that failed for a lock stands where it was, and with it the connection's view of the file:
/// whatever that reads afterwards would be of that time.
class Reset {
public:
    explicit Reset(SQLite::Statement& statement) : statement_{statement} {}

    ~Reset() { statement_.tryReset(); }

    Reset(const Reset&) = delete;
    Reset& operator=(const Reset&) = delete;

private:
    SQLite::Statement& statement_;
};

}  // namespace counterfoil::sqlite
