#pragma once
// Where the packed memory of topics lives, apart from the rest of the heap: each poll makes and frees millions of short
// lived things there, and what stays between them keeps their pages. Pieces of one size share their blocks, so one that
// is given back is used again.

#include <array>
#include <boost/pool/pool.hpp>
#include <cstddef>
#include <optional>

namespace tidemark::history {

class Pieces {
 public:
  Pieces() = default;
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;

  // `size` as size_of() gives it, when a piece is taken and when it is given back.
  static constexpr std::size_t size_of(std::size_t needed) { return (needed + kStep - 1) / kStep * kStep; }
  char* take(std::size_t size);
  void give_back(char* piece, std::size_t size);

  // Of the pieces that are taken, and of all that ever were at the same time, size by size: blocks stay.
  std::size_t taken_bytes() const { return taken_bytes_; }
  std::size_t kept_bytes() const { return kept_bytes_; }

 private:
  struct OfOneSize {
    explicit OfOneSize(std::size_t size);
    boost::pool<> pool;
    std::size_t taken = 0;
    std::size_t most = 0;
  };

  static constexpr std::size_t kStep = 32;
  static constexpr std::size_t kPooled = 4096;  // larger ones come from the heap
  std::array<std::optional<OfOneSize>, kPooled / kStep + 1> pools_;
  std::size_t taken_bytes_ = 0;
  std::size_t kept_bytes_ = 0;
};

}  // namespace tidemark::history
