#include "history/pieces.h"

#include <algorithm>
#include <new>

namespace tidemark::history {
namespace {

constexpr std::size_t kFirstBlock = 4096;
constexpr std::size_t kLargestBlock = 256 << 10;

}  // namespace

Pieces::OfOneSize::OfOneSize(std::size_t size)
    : pool(size, std::max<std::size_t>(1, kFirstBlock / size), kLargestBlock / size) {}

char* Pieces::take(std::size_t size) {
  taken_bytes_ += size;
  if (size > kPooled) {
    kept_bytes_ += size;
    return static_cast<char*>(::operator new(size));
  }
  auto& pieces = pools_[size / kStep];
  if (!pieces) pieces.emplace(size);
  auto* piece = pieces->pool.malloc();
  if (piece == nullptr) throw std::bad_alloc();
  if (++pieces->taken > pieces->most) {
    pieces->most = pieces->taken;
    kept_bytes_ += size;
  }
  return static_cast<char*>(piece);
}

void Pieces::give_back(char* piece, std::size_t size) {
  taken_bytes_ -= size;
  if (size > kPooled) {
    kept_bytes_ -= size;
    ::operator delete(piece);
    return;
  }
  auto& pieces = *pools_[size / kStep];
  --pieces.taken;
  pieces.pool.free(piece);
}

}  // namespace tidemark::history
