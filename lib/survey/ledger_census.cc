#include "survey/ledger_census.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "bookie/ledger_list.h"
#include "pulsar/paths.h"
#include "pulsar/schema_metadata.h"

namespace tidemark::survey {
namespace {

// For a page the bookie reads the metadata of a hundred ledgers: as many reads as that many internal-infos.
constexpr double kLedgersOfPage = 100;
// A ledger that is deleted between its listing and its reading fails the whole page.
constexpr int kMostFailures = 5;
// What did not come by then stays unproven.
constexpr Duration kPatience{2LL * 3600000};

}  // namespace

void LedgerCensus::begin_poll(TimeMs now) {
  now_ = now;
  if (!open_) forget_before(now);
  const auto seconds = static_cast<double>(options_.interval.count()) / 1000;
  const auto pages = static_cast<std::size_t>(options_.internal_info_rate * seconds / kLedgersOfPage);
  allowance_ = options_.one_pass ? std::numeric_limits<std::size_t>::max() : std::max<std::size_t>(1, pages);
  const bool sees_all = options_.share == model::Share{};  // whose topics others judge, those it knows nothing of
  const bool wanted = options_.ledger_list_interval.count() > 0 && sees_all && !options_.replay;
  if (!wanted || open_) return;
  if (started_ms_ != 0 && now - started_ms_ < options_.ledger_list_interval.count()) return;
  started_ms_ = now;
  begin();
}

void LedgerCensus::begin() {
  open_ = true;
  whole_ = false;
  next_page_ = 1;
  failures_ = 0;
  pass_ = {};
  pass_.at_ms = now_;
  forget_before(now_);
}

void LedgerCensus::forget_before(TimeMs at) {
  const auto is_old = [at](const auto& item) { return item.second.at_ms < at; };
  std::erase_if(refused_, [at](const auto& item) { return item.second < at; });
  std::erase_if(schema_ledgers_, is_old);
  std::erase_if(early_, is_old);
}

void LedgerCensus::add(Page page) {
  whole_ = page.last;
  if (whole_) whole_ms_ = now_;
  ++next_page_;
  for (auto& ledger : page.ledgers) {
    auto& of_topic = pass_.by_topic[ledger.topic];
    of_topic.push_back(std::move(ledger));
  }
}

std::optional<Ask> LedgerCensus::next_page(const std::vector<std::string>& bookies) {
  if (!open_ || whole_ || allowance_ == 0 || bookies.empty()) return std::nullopt;
  --allowance_;
  return Ask{pulsar::Endpoint::kLedgerList, model::Target::kBookie, bookies[bookie_ % bookies.size()],
             pulsar::ledger_list_path(next_page_)};
}

// Tried again at the next poll, of another bookie.
void LedgerCensus::failed() {
  if (options_.replay) return;
  allowance_ = 0;
  ++bookie_;
  if (++failures_ >= kMostFailures) open_ = false;
}

Result<bool> LedgerCensus::take_page(const model::Exchange& exchange) {
  const auto page = pulsar::page_of(exchange.path);
  if (exchange.status != 200) {
    failed();
    return false;
  }
  auto ledgers = bookie::decode_ledger_list(exchange.body);
  if (!ledgers) {
    failed();
    return ledgers.error();
  }
  failures_ = 0;
  const int number = page.value_or(1);
  Page read{now_, !page || ledgers->empty(), std::move(*ledgers)};
  if (number == 1) begin();
  if (!open_ || whole_ || number != next_page_) {
    if (options_.replay) early_[number] = std::move(read);
    return false;
  }
  add(std::move(read));
  while (!whole_ && early_.contains(next_page_)) add(std::move(early_.extract(next_page_).mapped()));
  return whole_;
}

void LedgerCensus::saw_info(const std::string& topic, int status) {
  // No answer is none: it is asked again.
  if (status == 0 || status == 429 || status == 503) return;
  if (pass_.infos.erase(topic) > 0) answered_ms_ = now_;
  if (status == 404 || status == 500) refused_[topic] = now_;
  if (status == 200) refused_.erase(topic);
}

void LedgerCensus::saw_stats(const std::string& topic) {
  if (open_ && pass_.stats.erase(topic) > 0) answered_ms_ = now_;
}

Result<void> LedgerCensus::take_schema(const std::string& topic, const model::Exchange& exchange) {
  if (pass_.schemas.erase(topic) > 0) answered_ms_ = now_;
  if (exchange.status != 200) return {};
  auto ledgers = pulsar::decode_schema_metadata(exchange.body);
  if (!ledgers) return ledgers.error();
  schema_ledgers_[topic] = {now_, std::move(*ledgers)};
  return {};
}

const std::vector<std::int64_t>* LedgerCensus::schema_ledgers(const std::string& topic) const {
  const auto at = schema_ledgers_.find(topic);
  return at == schema_ledgers_.end() ? nullptr : &at->second.ledgers;
}

// Who recorded by hand put the documents beside the list; what is not there does not come any more.
bool LedgerCensus::is_complete() const {
  if (!is_whole()) return false;
  if (pass_.infos.empty() && pass_.schemas.empty() && pass_.stats.empty()) return true;
  if (options_.replay && whole_ms_ == now_ && answered_ms_ == now_) return true;
  return now_ - whole_ms_ >= kPatience.count();
}

}  // namespace tidemark::survey
