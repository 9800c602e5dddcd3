# Cases that run a script instead of a test program. Each check comes with samples that it has to
# refuse, since a check that never fails checks nothing.

set(COUNTERFOIL_MUST_REFUSE ${CMAKE_CURRENT_LIST_DIR}/must_refuse.sh)

# Sanitizers add their own calls and variables to the object code, so what reads object code or
# installs a user's build is left out of these presets.
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  set(COUNTERFOIL_INSTRUMENTED ON)
else()
  set(COUNTERFOIL_INSTRUMENTED OFF)
endif()

# counterfoil_check(NAME COMMAND...): the command must succeed.
function(counterfoil_check name)
  add_test(NAME ${name} COMMAND ${ARGN} COMMAND_EXPAND_LISTS)
  set_tests_properties(${name} PROPERTIES TIMEOUT 600)
endfunction()

# counterfoil_must_refuse(NAME SAMPLE COMMAND...): the command must fail, and say what the sample's
# line `refused: PATTERN` announces.
function(counterfoil_must_refuse name sample)
  counterfoil_check(${name} ${COUNTERFOIL_MUST_REFUSE} ${sample} ${ARGN})
endfunction()
