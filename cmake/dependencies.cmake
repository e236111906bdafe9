# Everything comes from Debian's packages (12 and 13); the few names that differ between the two are levelled here.
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(ZLIB REQUIRED)
find_package(zstd REQUIRED)
find_package(prometheus-cpp REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(spdlog REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(RapidJSON REQUIRED)

# yaml-cpp 0.7 calls its target yaml-cpp, 0.8 yaml-cpp::yaml-cpp.
if(NOT TARGET yaml-cpp::yaml-cpp)
  add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
endif()

# Debian 12's re2 ships no package file for CMake.
find_library(RE2_LIBRARY re2 REQUIRED)
find_path(RE2_INCLUDE_DIR re2/re2.h REQUIRED)
add_library(re2::re2 UNKNOWN IMPORTED)
set_target_properties(re2::re2 PROPERTIES IMPORTED_LOCATION ${RE2_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${RE2_INCLUDE_DIR})

# RapidJSON ships no target. kParse flags are given per call; std::string support is wanted everywhere.
add_library(tidemark_rapidjson INTERFACE)
target_include_directories(tidemark_rapidjson SYSTEM INTERFACE ${RAPIDJSON_INCLUDE_DIRS})
target_compile_definitions(tidemark_rapidjson INTERFACE RAPIDJSON_HAS_STDSTRING=1)

# Beast and Asio are compiled once, in lib/http/impl_src.cc.
add_library(tidemark_asio INTERFACE)
target_link_libraries(tidemark_asio INTERFACE Boost::headers OpenSSL::SSL OpenSSL::Crypto Threads::Threads)
target_compile_definitions(tidemark_asio INTERFACE BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION
                                                   BOOST_ASIO_NO_DEPRECATED)

# Boost.System's result is header only.
add_library(tidemark_boost INTERFACE)
target_link_libraries(tidemark_boost INTERFACE Boost::headers)
