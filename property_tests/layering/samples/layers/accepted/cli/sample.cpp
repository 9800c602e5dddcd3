#include <iostream>

#include <CLI/CLI.hpp>
#include <counterfoil/http/key_field.hpp>
#include <counterfoil/judge.hpp>
#include <counterfoil/sqlite/store.hpp>

#include "cli/rendering.hpp"
