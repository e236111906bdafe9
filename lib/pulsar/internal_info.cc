#include "pulsar/internal_info.h"

#include <utility>

#include "pulsar/fields.h"
#include "pulsar/internal_stats.h"

namespace tidemark::pulsar {
namespace {

using formats::Shape;

// {"ledgerId":1,"entryId":2} while it is read: half a position is none.
struct PositionParts {
  std::optional<std::int64_t> ledger;
  std::optional<std::int64_t> entry;

  std::optional<model::Position> whole() const {
    return ledger && entry ? std::optional(model::Position{*ledger, *entry}) : std::nullopt;
  }
};

struct RangeParts {
  PositionParts from;
  PositionParts to;
};

struct BuildingCursor : InfoCursor {
  PositionParts stored;
  std::vector<RangeParts> ranges;
};

struct Partition {};

struct Building : InternalInfo {
  std::vector<BuildingCursor> read;
  std::optional<Partition> partitions;
};

const Shape<PositionParts>& position_shape() {
  static const auto shape = [] {
    using P = PositionParts;
    Shape<P> made;
    made.value<&P::ledger>("ledgerId").value<&P::entry>("entryId");
    return made;
  }();
  return shape;
}

const Shape<RangeParts>& range_shape() {
  static const auto shape = [] {
    using R = RangeParts;
    Shape<R> made;
    made.object<&R::from>("from", position_shape()).object<&R::to>("to", position_shape());
    return made;
  }();
  return shape;
}

const Shape<BuildingCursor>& cursor_shape() {
  using C = BuildingCursor;
  static const auto properties = Shape<C>().value<&C::compacted_ledger>("CompactedTopicLedger");
  static const auto shape = [] {
    Shape<C> made;
    made.object<&C::stored>("markDelete", position_shape())
        .value<&C::cursor_ledger>("cursorsLedgerId")
        .list<&C::ranges>("individualDeletedMessages", range_shape())
        .flat("properties", properties)
        .set<set_iso<&C::created_ms, C>>("creationDate")
        .set<set_iso<&C::modified_ms, C>>("modificationDate");
    return made;
  }();
  return shape;
}

const Shape<Building>& info_shape() {
  static const Shape<Partition> nothing;
  static const auto ledger = [] {
    using L = model::Ledger;
    auto made = ledger_shape();
    made.set<set_ms<&L::closed_ms, L>>("timestamp").value<&L::offloaded>("isOffloaded");
    return made;
  }();
  static const auto shape = [] {
    using I = Building;
    Shape<I> made;
    made.value<&I::version>("version")
        .set<set_iso<&I::created_ms, I>>("creationDate")
        .set<set_iso<&I::modified_ms, I>>("modificationDate")
        .list<&I::ledgers>("ledgers", ledger)
        .needed()
        .named<&I::read, &InfoCursor::name>("cursors", cursor_shape())
        .needed()
        .object<&I::partitions>("partitions", nothing);
    return made;
  }();
  return shape;
}

InfoCursor finished(BuildingCursor read) {
  read.mark_delete = read.stored.whole();
  for (const auto& range : read.ranges) {
    const auto after = range.from.whole();
    const auto through = range.to.whole();
    if (!after || !through) continue;
    ++read.acked_ranges;
    if (read.acked.size() < kMaxAckRanges) read.acked.push_back({*after, *through});
  }
  return InfoCursor(std::move(read));
}

}  // namespace

Result<InternalInfo> decode_internal_info(std::string_view body) {
  Building info;
  const auto done = read_shape("internal-info", body, info_shape(), info);
  if (info.partitions) {
    return Error{Errc::kMalformed, "internal-info: of a partitioned topic; its partitions are to be asked for"};
  }
  if (done.has_error()) return done.error();
  if (!info.ledgers.empty() && !info.ledgers.back().entries) info.ledgers.back().closed_ms.reset();
  for (auto& cursor : info.read) info.cursors.push_back(finished(std::move(cursor)));
  decode_names(info.cursors);
  return InternalInfo(std::move(info));
}

}  // namespace tidemark::pulsar
