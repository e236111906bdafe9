# room(NAME SRCS ... DEPS other rooms ... LIBS third-party targets ...) makes the static library tidemark_<NAME>.
# Headers are included as "room/file.h". DEPS is the whole list of rooms it may include: tests/layers_test.py checks it.

add_library(tidemark_flags INTERFACE)
target_compile_options(
  tidemark_flags
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor
            -Woverloaded-virtual -Wextra-semi -Wundef -Wformat=2)
# g++ 12 inlines one of the two operators of a coroutine's frame and then takes them for a mismatched pair.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(tidemark_flags INTERFACE -Wno-mismatched-new-delete)
endif()
if(TIDEMARK_WERROR)
  target_compile_options(tidemark_flags INTERFACE -Werror)
endif()
if(TIDEMARK_SANITIZE)
  target_compile_options(tidemark_flags INTERFACE -fsanitize=${TIDEMARK_SANITIZE} -fno-omit-frame-pointer
                                                  -fno-sanitize-recover=all)
  target_link_options(tidemark_flags INTERFACE -fsanitize=${TIDEMARK_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # false alarms in the library's own <regex>; the sanitizers find the true ones
    target_compile_options(tidemark_flags INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()

function(room name)
  cmake_parse_arguments(ARG "" "" "SRCS;DEPS;LIBS" ${ARGN})
  set(target tidemark_${name})
  add_library(${target} STATIC ${ARG_SRCS})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/lib)
  target_link_libraries(${target} PUBLIC ${ARG_LIBS} PRIVATE tidemark_flags)
  foreach(dep ${ARG_DEPS})
    target_link_libraries(${target} PUBLIC tidemark_${dep})
  endforeach()
endfunction()

# room_test(ROOM SRCS ... DEPS more rooms ...) makes tests/<ROOM>'s program; one ctest a program.
function(room_test name)
  cmake_parse_arguments(ARG "" "" "SRCS;DEPS;LIBS" ${ARGN})
  set(target ${name}_test)
  add_executable(${target} ${ARG_SRCS})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${target} PRIVATE TIDEMARK_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data"
                                               TIDEMARK_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE tidemark_flags Catch2::Catch2WithMain ${ARG_LIBS})
  foreach(dep ${ARG_DEPS})
    target_link_libraries(${target} PRIVATE tidemark_${dep})
  endforeach()
  add_test(NAME ${name} COMMAND ${target})
endfunction()
