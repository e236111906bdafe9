// Rendezvous hashing: each shard draws a number for the namespace, and the highest has it.
#include "model/share.h"

#include <cstdint>

#include "model/names.h"

namespace tidemark::model {
namespace {

// FNV-1a.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

// The finaliser of splitmix64: each bit depends on all.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111eb;
  return x ^ (x >> 31U);
}

}  // namespace

bool Shard::owns(std::string_view ns) const {
  if (count <= 1) return true;
  const auto name = hash_of(ns);
  const auto draw = [&](int shard) {
    return mixed(name + 0x9e3779b97f4a7c15 * (static_cast<std::uint64_t>(shard) + 1));
  };
  const auto mine = draw(index);
  for (int other = 0; other < count; ++other) {
    if (other != index && draw(other) > mine) return false;
  }
  return true;
}

bool Share::knows_gone(std::string_view topic) const {
  const auto name = parse_topic(topic);
  return watch == Watch::kCluster && name && owns_namespace(name->ns);
}

std::string Share::part_of_namespace() const {
  switch (watch) {
    case Watch::kSidecar:
      return "on " + broker;
    case Watch::kBesideSidecars:
      return "not loaded";
    case Watch::kCluster:
      break;
  }
  return {};
}

std::string Share::part_of_tenant() const {
  if (watch != Watch::kCluster || shard.count <= 1) return part_of_namespace();
  return "shard " + std::to_string(shard.index) + " of " + std::to_string(shard.count);
}

}  // namespace tidemark::model
