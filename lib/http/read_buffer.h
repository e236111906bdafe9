#pragma once
// What was read and not yet used, in one run of memory. Fixed size: Beast's growing buffer starts with reads of 512
// bytes, which makes a 500 MB answer three times slower. Private to this room.

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace tidemark::http {

class ReadBuffer {
 public:
  // The memory stays untouched until something is read into it.
  explicit ReadBuffer(std::size_t capacity)
      : capacity_(capacity), memory_(std::make_unique_for_overwrite<char[]>(capacity)) {}

  std::string_view data() const { return {memory_.get() + begin_, end_ - begin_}; }
  bool full() const { return end_ - begin_ == capacity_; }
  void consume(std::size_t bytes) { begin_ += bytes; }

  // Makes the room behind the data as large as possible; views of data() end here.
  void compact() {
    std::memmove(memory_.get(), memory_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  char* free_space() { return memory_.get() + end_; }
  std::size_t free_size() const { return capacity_ - end_; }
  void commit(std::size_t bytes) { end_ += bytes; }

 private:
  std::size_t capacity_;
  std::unique_ptr<char[]> memory_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace tidemark::http
