#include "pulsar/internal_info.h"

#include "pulsar/fields.h"

namespace tidemark::pulsar {
namespace {

using formats::Shape;

struct Partition {};

struct Building : InternalInfo {
  std::optional<Partition> partitions;
};

const Shape<model::Ledger>& ledger_shape() {
  static const auto shape = [] {
    using L = model::Ledger;
    Shape<L> made;
    made.value<&L::id>("ledgerId")
        .value<&L::entries>("entries")
        .value<&L::bytes>("size")
        .set<set_ms<&L::closed_ms, L>>("timestamp")
        .value<&L::offloaded>("isOffloaded");
    return made;
  }();
  return shape;
}

const Shape<model::AckRange>& range_shape() {
  static const auto shape = [] {
    using R = model::AckRange;
    Shape<R> made;
    made.object<&R::after>("from", position_shape()).object<&R::through>("to", position_shape());
    return made;
  }();
  return shape;
}

const Shape<InfoCursor>& cursor_shape() {
  static const auto shape = [] {
    using C = InfoCursor;
    Shape<C> made;
    made.object<&C::mark_delete>("markDelete", position_shape())
        .value<&C::cursor_ledger>("cursorsLedgerId")
        .list<&C::acked>("individualDeletedMessages", range_shape())
        .set<set_iso<&C::created_ms, C>>("creationDate")
        .set<set_iso<&C::modified_ms, C>>("modificationDate");
    return made;
  }();
  return shape;
}

const Shape<Building>& info_shape() {
  static const Shape<Partition> nothing;
  static const auto shape = [] {
    using I = Building;
    Shape<I> made;
    made.value<&I::version>("version")
        .set<set_iso<&I::created_ms, I>>("creationDate")
        .set<set_iso<&I::modified_ms, I>>("modificationDate")
        .list<&I::ledgers>("ledgers", ledger_shape())
        .named<&I::cursors, &InfoCursor::name>("cursors", cursor_shape())
        .object<&I::partitions>("partitions", nothing);
    return made;
  }();
  return shape;
}

}  // namespace

Result<InternalInfo> decode_internal_info(std::string_view body) {
  Building info;
  if (auto done = read_shape("internal-info", body, info_shape(), info); done.has_error()) return done.error();
  if (info.partitions) {
    return Error{Errc::kMalformed, "internal-info: of a partitioned topic; its partitions are to be asked for"};
  }
  if (!info.ledgers.empty() && !info.ledgers.back().entries) info.ledgers.back().closed_ms.reset();
  decode_names(info.cursors);
  return InternalInfo(std::move(info));
}

}  // namespace tidemark::pulsar
