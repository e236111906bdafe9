#pragma once
// The simulator's answers: every document with the keys, types, order and oddities of Pulsar 4.0.7. A test holds them
// against recorded ones. All are pure functions of the state and the time of the request.

#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace tidemark::sim {

class JavaJson;
class Topic;
class World;

// GET /admin/v2/broker-stats/topics of one broker: the loaded topics it owns, as of now.
std::string sweep_document(World& world, std::size_t broker);

// GET .../{topic}/stats, internalStats, internal-info.
// `earliest`: with getEarliestTimeInBacklog=true.
std::string stats_document(const Topic& topic, const std::string& owner, TimeMs now, bool earliest = false);
std::string internal_stats_document(const Topic& topic);
std::string internal_info_document(const Topic& topic, TimeMs now);
std::string partitioned_internal_info_document(const World& world, const std::string& parent, TimeMs now);

std::string partitions_document(int count);
std::string policies_document(const World& world, const std::string& ns);
std::string runtime_configuration_document(const World& world);
std::string bookies_document(const World& world);
std::string list_document(const std::vector<std::string>& items);
std::string reason_document(std::string_view reason);

// The member `replication` of stats and of the bulk statistics.
void write_replication(JavaJson& json, const Topic& topic);

// Jetty's own page, for what the application did not answer itself.
std::string jetty_error_page(int status, std::string_view message, std::string_view uri);

// "2026-11-29T21:43:13.91Z": Java drops trailing zeros of the fraction.
std::string java_time(TimeMs at);

// A connection's time has nanoseconds, made up from `salt`.
std::string java_nano_time(TimeMs at, std::string_view salt);

// Java's URLEncoder, which spells cursor names.
std::string url_encode(std::string_view text);

}  // namespace tidemark::sim
