// What every rule's finding begins with.
#include "detect/rules/rules.h"

namespace tidemark::detect::rules {

model::Finding finding_of(model::Rule rule, std::string subject) {
  const auto& word = model::word_of(rule);
  model::Finding finding;
  finding.rule = word.name;
  finding.level = word.level;
  finding.severity = word.severity;
  finding.subject = std::move(subject);
  return finding;
}

model::Finding namespace_finding(model::Rule rule, const std::string& ns) {
  auto finding = finding_of(rule, ns);
  finding.ns = ns;
  return finding;
}

model::Finding topic_finding(model::Rule rule, const model::TopicView& topic) {
  auto finding = finding_of(rule, topic.name);
  finding.topic = topic.name;
  finding.ns = topic.ns;
  return finding;
}

model::Finding cursor_finding(model::Rule rule, const model::TopicView& topic, const model::CursorView& cursor) {
  auto finding = topic_finding(rule, topic);
  finding.cursor = cursor.name;
  finding.subject += " [" + cursor.name + "]";
  return finding;
}

model::Finding bookie_finding(model::Rule rule, const model::BookieView& bookie) {
  auto finding = finding_of(rule, bookie.name);
  if (bookie.status_since_ms != 0) finding.since_ms = bookie.status_since_ms;
  return finding;
}

}  // namespace tidemark::detect::rules
