// The replicators of a topic, by remote cluster; spelled alike in stats and in the bulk statistics.
#include "sim/documents.h"
#include "sim/java_json.h"
#include "sim/topic.h"

namespace tidemark::sim {

void write_replication(JavaJson& json, const Topic& topic) {
  json.key("replication");
  json.begin_object();
  for (const auto& one : topic.subscriptions()) {
    if (!one->replicator()) continue;
    const double seconds = topic.seconds_in_period();
    json.key(one->remote_cluster());
    json.begin_object();
    json.member("msgRateIn", 0.0);
    json.member("msgThroughputIn", 0.0);
    json.member("msgRateOut", static_cast<double>(one->out_in_period) / seconds);
    json.member("msgThroughputOut", static_cast<double>(one->bytes_in_period) / seconds);
    json.member("msgRateExpired", static_cast<double>(one->expired_in_period) / seconds);
    json.member("replicationBacklog", one->cursor.backlog(topic.ledger()));
    json.member("connected", !one->consumers.empty());
    json.member("replicationDelayInSeconds", 0);
    json.end_object();
  }
  json.end_object();
}

}  // namespace tidemark::sim
