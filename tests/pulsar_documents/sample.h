#pragma once
// Documents that real brokers gave, one folder a version (tests/data/pulsar-samples).

#include <cmath>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace tidemark::pulsar::testing {

inline const char* const kVersions[] = {"2.10.5", "3.0.7", "4.0.7", "5.0.1"};

inline std::string sample(const std::string& version, const std::string& name) {
  const std::string path = std::string(TIDEMARK_TEST_DATA) + "/pulsar-samples/" + version + "/" + name;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("no sample " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The text with one piece of it replaced: a real document with something in it that no recorded one has.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("nothing to replace: " + from);
  return text.replace(at, from.size(), to);
}

// RapidJSON is right to 15 digits.
inline bool near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

template <class List>
auto& named(List& list, const std::string& name) {
  for (auto& element : list) {
    if (element.name == name) return element;
  }
  throw std::runtime_error("not there: " + name);
}

}  // namespace tidemark::pulsar::testing
