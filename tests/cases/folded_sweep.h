#pragma once
// A topic's `stats` as the same broker would print the topic in broker-stats/topics: fewer members, some under other
// names. Written from what real brokers print side by side, not from what our decoders read.

#include <map>
#include <string>
#include <string_view>

namespace tidemark::cases {

// Empty when `stats` is no JSON object: a broker that cannot render a topic leaves it out.
std::string folded_topic(std::string_view stats);

// The whole document: topic name -> its object.
std::string sweep_document(const std::map<std::string, std::string>& topics);

std::string json_text(std::string_view text);

}  // namespace tidemark::cases
