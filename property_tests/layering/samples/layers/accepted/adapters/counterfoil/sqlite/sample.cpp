#include <mutex>

#include <SQLiteCpp/Database.h>
#include <counterfoil/judge.hpp>
#include <counterfoil/sqlite/sample.hpp>
#include <counterfoil/store/clock.hpp>
#include <sqlite3.h>

static int connections = 0;
