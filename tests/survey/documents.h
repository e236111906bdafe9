#pragma once
// Small documents in the brokers' shapes, for tests of planning and merging. Real ones are in tests/data.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "model/exchange.h"

namespace tidemark::testing {

inline constexpr TimeMs kMinute = 60000;
inline constexpr TimeMs kHour = 60 * kMinute;
inline constexpr TimeMs kStart = 1735776000000;
inline const std::string kOrders = "persistent://acme/shop/orders";

struct Sub {
  std::string name = "sub";
  std::int64_t backlog = 0;
  int consumers = 0;
  std::string type = "Shared";
};

inline std::string sweep_of(const std::vector<std::pair<std::string, std::vector<Sub>>>& topics,
                            std::int64_t messages_in = 100) {
  std::string members;
  for (const auto& [topic, subs] : topics) {
    std::string listed;
    for (const auto& sub : subs) {
      std::string consumers;
      for (int i = 0; i < sub.consumers; ++i)
        consumers += fmt::format(R"({}{{"consumerName":"c{}"}})", i > 0 ? "," : "", i);
      listed += fmt::format(R"({}"{}":{{"consumers":[{}],"msgBacklog":{},"type":"{}","msgRateOut":1.0}})",
                            listed.empty() ? "" : ",", sub.name, consumers, sub.backlog, sub.type);
    }
    members += fmt::format(
        R"({}"{}":{{"publishers":[],"subscriptions":{{{}}},"storageSize":1000,"backlogSize":1000,"msgInCount":{},"bytesInCount":{}}})",
        members.empty() ? "" : ",", topic, listed, messages_in, messages_in * 10);
  }
  return fmt::format(R"({{"acme/shop":{{"0x00000000_0x40000000":{{"persistent":{{{}}}}}}}}})", members);
}

inline std::string stats_of(const Sub& sub, bool durable = true, std::int64_t messages_in = 100) {
  std::string consumers;
  for (int i = 0; i < sub.consumers; ++i)
    consumers += fmt::format(R"({}{{"consumerName":"c{}"}})", i > 0 ? "," : "", i);
  return fmt::format(
      R"({{"storageSize":1000,"msgInCounter":{},"bytesInCounter":{},"subscriptions":{{"{}":{{"durable":{},"consumers":[{}],"msgBacklog":{},"type":"{}"}}}}}})",
      messages_in, messages_in * 10, sub.name, durable, consumers, sub.backlog, sub.type);
}

inline std::string internal_of(const std::string& mark_delete, const std::string& switched = "2025-01-01T00:00:00Z",
                               const std::string& cursor = "sub") {
  return fmt::format(
      R"({{"entriesAddedCounter":100,"numberOfEntries":150,"totalSize":1500,"currentLedgerEntries":50,"currentLedgerSize":500,"lastConfirmedEntry":"8:49","state":"LedgerOpened","ledgers":[{{"ledgerId":7,"entries":100,"size":1000}},{{"ledgerId":8,"entries":0,"size":0}}],"cursors":{{"{}":{{"markDeletePosition":"{}","cursorLedger":9,"cursorLedgerLastEntry":3,"state":"Open","lastLedgerSwitchTimestamp":"{}"}}}}}})",
      cursor, mark_delete, switched);
}

inline std::string info_of(std::int64_t cursor_ledger, const std::string& cursor = "sub") {
  return fmt::format(
      R"({{"version":3,"creationDate":"2024-01-01T00:00:00Z","modificationDate":"2025-01-01T00:00:00Z","ledgers":[{{"ledgerId":7,"entries":100,"size":1000,"timestamp":1735689600000}},{{"ledgerId":8,"timestamp":1735776000000}}],"cursors":{{"{}":{{"version":1,"creationDate":"2024-06-01T00:00:00Z","modificationDate":"2025-01-01T00:00:00Z","cursorsLedgerId":{},"markDelete":{{"ledgerId":7,"entryId":19}}}}}}}})",
      cursor, cursor_ledger);
}

inline model::Exchange from_broker(TimeMs at, const std::string& path, std::string body, int status = 200,
                                   const std::string& name = "broker-0:8080") {
  return {at, model::Target::kBroker, name, path, status, std::move(body)};
}

}  // namespace tidemark::testing
