// Stands in for libFuzzer: runs every file of a folder, whole and cut short, through the target.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/fuzz.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    std::ifstream in(entry.path(), std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    const std::size_t step = std::max<std::size_t>(1, bytes.size() / 200);
    for (std::size_t size = 0; size < bytes.size(); size += step) LLVMFuzzerTestOneInput(data, size);
    LLVMFuzzerTestOneInput(data, bytes.size());
    ++files;
  }
  std::printf("%d files of %s\n", files, argv[1]);
  return files > 0 ? 0 : 1;
}
