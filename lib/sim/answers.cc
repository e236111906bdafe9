// Routing of one request. The namespace is looked at first and the topic last, as the broker does, so that each kind of
// nothing has its own answer.
#include "sim/answers.h"

#include <algorithm>
#include <set>
#include <vector>

#include "sim/documents.h"
#include "sim/world.h"

namespace tidemark::sim {
namespace {

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Java's URLDecoder: '+' is a blank.
std::string decode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0) {
      out += static_cast<char>(hex(text[i + 1]) * 16 + hex(text[i + 2]));
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

std::vector<std::string> split(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    if (path.front() == '/') {
      path.remove_prefix(1);
      continue;
    }
    const auto slash = path.find('/');
    parts.push_back(decode(path.substr(0, slash)));
    path = slash == std::string_view::npos ? std::string_view{} : path.substr(slash);
  }
  return parts;
}

Reply make(int status, std::string content_type, std::string body) {
  Reply reply;
  reply.status = status;
  reply.content_type = std::move(content_type);
  reply.body = std::move(body);
  return reply;
}

Reply json(std::string body) { return make(200, "application/json", std::move(body)); }
Reply reason(int status, const std::string& text) { return make(status, "application/json", reason_document(text)); }
Reply page(int status, std::string_view message, std::string_view path) {
  return make(status, "text/html;charset=iso-8859-1", jetty_error_page(status, message, path));
}

bool is_system(const std::string& topic) { return topic.compare(topic.rfind('/') + 1, 2, "__") == 0; }

// One request to one broker.
class Request {
 public:
  Request(World& world, std::size_t broker, const Query& query)
      : world_(world),
        broker_(broker),
        method_(query.method),
        path_(query.path.substr(0, query.path.find('?'))),
        query_(query.path.substr(path_.size())),
        parts_(split(path_)) {}

  Reply answer() {
    if (parts_.size() < 3 || parts_[0] != "admin" || parts_[1] != "v2") return not_found();
    const std::string& kind = parts_[2];
    if (method_ != "GET" && method_ != "HEAD") return write();
    if (kind == "clusters" && parts_.size() == 3) return json(list_document({world_.settings().cluster}));
    if (kind == "brokers") return brokers();
    if (kind == "tenants" && parts_.size() == 3) return tenants();
    if (kind == "namespaces") return namespaces();
    if (kind == "bookies" && parts_.size() == 4 && parts_[3] == "all") return json(bookies_document(world_));
    if (kind == "broker-stats" && parts_.size() == 4 && parts_[3] == "topics") return json(world_.sweep_of(broker_));
    if (kind == "persistent") return persistent();
    return not_found();
  }

 private:
  Reply not_found() const { return page(404, "Not Found", path_); }

  Reply brokers() const {
    if (parts_.size() == 4 && parts_[3] == "version") return make(200, "text/plain", world_.settings().version);
    if (parts_.size() == 4 && parts_[3] == "ready") return make(200, "text/plain", "ok");
    if (parts_.size() == 5 && parts_[3] == "configuration" && parts_[4] == "runtime") {
      return json(runtime_configuration_document(world_));
    }
    if (parts_.size() > 4) return not_found();
    // Whatever cluster is asked for, the local brokers are what one gets.
    std::vector<std::string> up;
    for (const auto& broker : world_.brokers()) {
      if (broker.up()) up.push_back(broker.address());
    }
    return json(list_document(up));
  }

  Reply tenants() const {
    std::set<std::string> tenants;
    for (const auto& [ns, policies] : world_.namespaces()) tenants.insert(ns.substr(0, ns.find('/')));
    return json(list_document({tenants.begin(), tenants.end()}));
  }

  Reply namespaces() const {
    if (parts_.size() == 4) {
      std::vector<std::string> own;
      for (const auto& [ns, policies] : world_.namespaces()) {
        if (ns.compare(0, parts_[3].size() + 1, parts_[3] + '/') == 0) own.push_back(ns);
      }
      if (own.empty()) return reason(404, "Tenant does not exist");
      return json(list_document(own));
    }
    if (parts_.size() != 5) return not_found();
    const std::string ns = parts_[3] + '/' + parts_[4];
    if (world_.namespaces().count(ns) == 0) return reason(404, "Namespace does not exist");
    return json(policies_document(world_, ns));
  }

  Reply persistent() {
    if (parts_.size() < 5) return not_found();
    const std::string ns = parts_[3] + '/' + parts_[4];
    if (world_.namespaces().count(ns) == 0) return reason(404, "Namespace not found");
    if (parts_.size() == 5) return topic_list(ns);
    if (parts_.size() == 6 && parts_[5] == "partitioned") return partitioned_list(ns);
    if (parts_.size() != 7) return not_found();
    const std::string topic = "persistent://" + ns + '/' + parts_[5];
    if (parts_[6] == "internal-info") return internal_info(topic);
    if (parts_[6] == "partitions") return partitions(topic);
    if (parts_[6] == "stats" || parts_[6] == "internalStats" || parts_[6] == "subscriptions") return loading(topic);
    return not_found();
  }

  Reply topic_list(const std::string& ns) const {
    const bool with_system = query_.find("includeSystemTopic=true") != std::string_view::npos;
    std::vector<std::string> names;
    for (const auto* topic : world_.topics()) {
      if (topic->ns() == ns && (with_system || !is_system(topic->name()))) names.push_back(topic->name());
    }
    return json(list_document(names));
  }

  Reply partitioned_list(const std::string& ns) const {
    std::vector<std::string> names;
    const std::string prefix = "persistent://" + ns + '/';
    for (const auto& [parent, count] : world_.partitioned()) {
      if (parent.compare(0, prefix.size(), prefix) == 0) names.push_back(parent);
    }
    return json(list_document(names));
  }

  Reply partitions(const std::string& name) const {
    const auto known = world_.partitioned().find(name);
    if (known != world_.partitioned().end()) return json(partitions_document(known->second));
    if (std::as_const(world_).find(name) != nullptr) return json(partitions_document(0));
    return reason(404, "Topic " + name + " not found");
  }

  // Read from the metadata store: any broker answers, nothing is loaded.
  Reply internal_info(const std::string& name) const {
    if (world_.partitioned().count(name) > 0) {
      return json(partitioned_internal_info_document(world_, name, world_.now()));
    }
    const auto* topic = std::as_const(world_).find(name);
    if (topic == nullptr) return page(500, "Request failed.", path_);
    return json(internal_info_document(*topic, world_.now()));
  }

  // persistent/TENANT/NAMESPACE/TOPIC/subscription/NAME, whose name the broker decodes once more.
  Reply write() {
    if (method_ != "DELETE" || parts_.size() != 8 || parts_[6] != "subscription")
      return page(405, "Method Not Allowed", path_);
    const std::string name = "persistent://" + parts_[3] + '/' + parts_[4] + '/' + parts_[5];
    auto* topic = world_.find(name);
    if (topic == nullptr) return reason(404, "Topic " + name + " not found");
    if (const auto owner = world_.owner_of(*topic); owner != broker_) return redirect(owner);
    const auto subscription = decode(parts_[7]);
    const auto* found = topic->find(subscription);
    if (found == nullptr) return reason(404, "Subscription " + subscription + " not found");
    if (!found->consumers.empty()) return reason(412, "Subscription has active connected consumers");
    topic->unsubscribe(subscription, world_.now());
    return make(204, "", "");
  }

  Reply redirect(std::size_t owner) const {
    auto reply = make(307, "", "");
    reply.location = "http://" + world_.brokers()[owner].address() + std::string(path_) +
                     (query_.empty() ? "?" : std::string(query_) + '&') + "authoritative=true";
    return reply;
  }

  // These load the topic, and only its owner answers them.
  Reply loading(const std::string& name) {
    auto* topic = world_.find(name);
    if (topic == nullptr) return reason(404, "Topic " + name + " not found");
    const std::size_t owner = world_.owner_of(*topic);
    if (owner != broker_) return redirect(owner);
    world_.load_for_get(*topic, world_.now());
    const std::string& document = parts_[6];
    const bool earliest = query_.find("getEarliestTimeInBacklog=true") != std::string_view::npos;
    if (document == "stats") {
      return json(stats_document(*topic, world_.brokers()[owner].address(), world_.now(), earliest));
    }
    if (document == "internalStats") return json(internal_stats_document(*topic));
    std::vector<std::string> names;
    for (const auto& one : topic->subscriptions()) names.push_back(one->name());
    return json(list_document(names));
  }

  World& world_;
  std::size_t broker_;
  std::string_view method_;
  std::string_view path_;
  std::string_view query_;
  std::vector<std::string> parts_;
};

}  // namespace

Reply broker_reply(World& world, std::size_t broker, const Query& query) {
  if (broker >= world.brokers().size() || !world.brokers()[broker].up()) return {};
  return Request(world, broker, query).answer();
}

Reply bookie_reply(World& world, std::size_t bookie, const Query& query) {
  auto& bookies = world.bookies();
  if (bookie >= bookies.list().size()) return {};
  const auto path = query.path.substr(0, query.path.find('?'));
  if (query.method == "PUT" && path == "/api/v1/bookie/state/readonly") {
    bookies.list()[bookie].set_read_only(query.body.find("true") != std::string_view::npos);
    return make(200, "", "");
  }
  if (query.method == "PUT" && path == "/api/v1/bookie/gc") {
    // With an empty body it honours the suspension.
    if (query.body.find(R"("forceMajor":true)") != std::string_view::npos) bookies.list()[bookie].force_compaction();
    return make(200, "", "");
  }
  if (path == "/api/v1/bookie/gc/suspend_compaction") return make(200, "", bookies.list()[bookie].suspension());
  if (path == "/api/v1/config/server_config") return make(200, "", bookies.list()[bookie].configuration());
  if (path == "/api/v1/bookie/info") return make(200, "", bookies.list()[bookie].info());
  if (path != "/metrics") return make(404, "text/plain", "");
  // Ledgers are spread evenly enough to tell their number from the cluster's.
  const auto& storage = world.storage();
  const std::int64_t quorum = world.settings().write_quorum;
  const auto count = static_cast<std::int64_t>(bookies.list().size());
  const std::int64_t alive = storage.ledgers_created - storage.ledgers_deleted;
  return make(
      200, "text/plain; version=0.0.4; charset=utf-8",
      bookies.list()[bookie].metrics(world.now(), alive * quorum / count, storage.ledgers_deleted * quorum / count));
}

}  // namespace tidemark::sim
