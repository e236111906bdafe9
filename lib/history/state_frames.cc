#include "history/state_frames.h"

#include <zstd.h>

#include <new>
#include <stdexcept>

#include "history/packing.h"

namespace tidemark::history {
namespace {

constexpr int kLevel = 1;  // docs/adr/0005-state.md

void put_number(std::uint32_t value, std::string& out) {
  for (unsigned shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift & 0xffU);
}

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return value;
}

// Two numbers in 32 bits of check: a single wrong bit in any of the three shows.
std::uint32_t check_of(std::uint32_t format, std::uint32_t size) { return ~(size ^ (format << 16U | format >> 16U)); }

void put_about(const FrameAbout& about, std::string& out) {
  auto copy = about;
  Packer packer;
  packer.start(0);
  packer.begin();
  copy.fields(packer);
  packer.end(out);
  put_text(about.cluster, out);
  put_text(about.version, out);
}

}  // namespace

std::optional<FrameHead> read_frame_head(std::string_view bytes) {
  if (bytes.size() < kFrameHead || !bytes.starts_with(kFrameMark)) return std::nullopt;
  const FrameHead head{number_at(bytes, 16), number_at(bytes, 20)};
  const bool whole = number_at(bytes, 24) == check_of(head.format, head.size);
  if (!whole || head.size == 0 || head.size > kLargestFrame) return std::nullopt;
  return head;
}

void put_record(const Record& record, std::string& records) {
  records += record.kind;
  put_text(record.key, records);
  put_text(record.value, records);
}

void FrameWriter::Close::operator()(void* context) const { ZSTD_freeCCtx(static_cast<ZSTD_CCtx*>(context)); }

FrameWriter::FrameWriter() : context_(ZSTD_createCCtx()) {
  auto* context = static_cast<ZSTD_CCtx*>(context_.get());
  if (context == nullptr) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
}

void FrameWriter::add(const FrameAbout& about, std::string_view records, std::string& out) {
  plain_.clear();
  put_about(about, plain_);
  plain_ += records;
  const auto begin = out.size();
  out.resize(begin + kFrameHead + ZSTD_compressBound(plain_.size()));
  const auto room = out.size() - begin - kFrameHead;
  const auto size = ZSTD_compress2(static_cast<ZSTD_CCtx*>(context_.get()), out.data() + begin + kFrameHead, room,
                                   plain_.data(), plain_.size());
  if (ZSTD_isError(size) != 0) throw std::logic_error("zstd: the bound was too small");
  std::string head(kFrameMark);
  put_number(kStateFormat, head);
  put_number(static_cast<std::uint32_t>(size), head);
  put_number(check_of(kStateFormat, static_cast<std::uint32_t>(size)), head);
  out.replace(begin, kFrameHead, head);
  out.resize(begin + kFrameHead + size);
}

void FrameReader::Close::operator()(void* context) const { ZSTD_freeDCtx(static_cast<ZSTD_DCtx*>(context)); }

FrameReader::FrameReader() : context_(ZSTD_createDCtx()) {
  if (context_ == nullptr) throw std::bad_alloc();
}

std::optional<FrameAbout> FrameReader::read(std::string_view body,
                                            const std::function<void(const FrameAbout&, const Record&)>& visit) {
  const auto size = ZSTD_getFrameContentSize(body.data(), body.size());
  if (size > kLargestFrame) return std::nullopt;  // or not told, or no frame: those are the largest numbers
  plain_.resize(size);
  const auto got =
      ZSTD_decompressDCtx(static_cast<ZSTD_DCtx*>(context_.get()), plain_.data(), size, body.data(), body.size());
  if (ZSTD_isError(got) != 0 || got != size) return std::nullopt;
  Unpacker unpacker(plain_);
  FrameAbout about;
  unpacker.start(0);
  unpacker.begin();
  about.fields(unpacker);
  about.cluster = unpacker.text();
  about.version = unpacker.text();
  while (!unpacker.at_end()) {
    Record record;
    record.kind = unpacker.byte();
    record.key = unpacker.text();
    record.value = unpacker.text();
    if (!unpacker.failed()) visit(about, record);
  }
  if (unpacker.failed()) return std::nullopt;
  return about;
}

}  // namespace tidemark::history
