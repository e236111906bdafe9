// The rows. To add a key: a member with its default in settings.h, a row here, a line in docs/configuration.md and
// config/example.yml (tests hold both against this table). Defaults are not repeated here: they come from the structs.
#include "settings/keys.h"

#include "settings/kinds.h"
#include "settings/row.h"
#include "settings/texts.h"

namespace tidemark::settings {
namespace {

using namespace std::chrono_literals;

constexpr Length kDeadline{100ms, 1h};
constexpr Length kPeriod{100ms, 24h};
constexpr Length kWindow{1s, 24h * 3650};
constexpr Real kCallRate{0.01, 10000};
constexpr Size kCap{64LL << 10, 1LL << 30};
constexpr Text kFile{is_file_name};
constexpr Text kOptionalText{is_any_text};

const Choice<Mode> kMode{
    {{"cluster", Mode::kCluster}, {"sidecar", Mode::kSidecar}, {"beside_sidecars", Mode::kBesideSidecars}}};
const Choice<Compression> kCompression{{{"none", Compression::kNone}, {"gzip", Compression::kGzip}}};
const Choice<log::Level> kLevel{{{"debug", log::Level::kDebug},
                                 {"info", log::Level::kInfo},
                                 {"warning", log::Level::kWarning},
                                 {"error", log::Level::kError},
                                 {"off", log::Level::kOff}}};

// clang-format off
// How something is spoken to, alike for all that is; `in` leads to the struct with `auth` and `tls`.
template <class Peer, class In>
std::vector<Key> access_rows(const std::string& path, In in) {
  const auto name = [&](const char* key) { return path + key; };
  return {
      row(name(".auth.token_file"), in(&Peer::auth, &Auth::token_file), kFile, "File with the token that is sent as bearer; read again when it changes."),
      row(name(".auth.basic.user"), in(&Peer::auth, &Auth::basic, &Basic::user), kOptionalText, "User for basic authentication, instead of a token."),
      row(name(".auth.basic.password_file"), in(&Peer::auth, &Auth::basic, &Basic::password_file), kFile, "File with that user's password; read again when it changes."),
      row(name(".tls.ca_file"), in(&Peer::tls, &Tls::ca_file), kFile, "PEM file of the authorities to trust; without it the system's."),
      row(name(".tls.verify"), in(&Peer::tls, &Tls::verify), Flag{}, "Whether certificates and host names are verified; `false` lets anyone in between read the token."),
      row(name(".tls.cert_file"), in(&Peer::tls, &Tls::cert_file), kFile, "PEM file of the client certificate, where one is asked for."),
      row(name(".tls.key_file"), in(&Peer::tls, &Tls::key_file), kFile, "PEM file of that certificate's private key."),
  };
}

constexpr auto kInCluster = [](auto... members) { return at(&Settings::clusters, members...); };
constexpr auto kInRestore = [](auto... members) { return at(&Settings::restore, members...); };

std::vector<Key> cluster_rows() {
  const auto in = kInCluster;
  return {
      row("clusters[].url", in(&Cluster::url), Text{is_url, true}, "Admin URL of any broker, or of a service before them; the brokers are found from it."),
      row("clusters[].name", in(&Cluster::name), kOptionalText, "Label `pulsar_cluster` of its metrics; without it the cluster is asked, then the URL's host is used. Of several clusters each needs one."),
      row("clusters[].mode", in(&Cluster::mode), kMode, "Which part of the cluster is watched: `cluster` is every broker, `sidecar` the broker at `url` with the topics it has loaded, `beside_sidecars` what they leave: unloaded topics, bookies, policies."),
      row("clusters[].shards", in(&Cluster::shards), Whole{1, 1000}, "So many daemons split the cluster by its namespaces; each is given the same number, and all together watch everything once."),
      row("clusters[].shard", in(&Cluster::shard), Text{is_shard}, "Which of them this one is, from 0; without it the number at the end of the host's name, as a StatefulSet gives it to its pods."),
      row("clusters[].bookies.urls[]", in(&Cluster::bookies, &Bookies::urls), Text{is_url, true}, "HTTP address of each bookie; without any the broker is asked for them."),
      row("clusters[].bookies.metrics_port", in(&Cluster::bookies, &Bookies::metrics_port), Whole{1, 65535}, "HTTP port of bookies that the broker named (their `prometheusStatsHttpPort`)."),
  };
}

std::vector<Key> restore_rows() {
  const auto in = kInRestore;
  return {
      row("restore.prometheus_url", in(&Restore::prometheus_url), Text{is_base_url}, "Prometheus, or what answers like it, that is asked for the ages which a former self or a sibling exported; a path before `/api/v1/query` may follow the port."),
      row("restore.lookback", in(&Restore::lookback), kWindow, "How long ago that may have been at most."),
      row("restore.timeout", in(&Restore::timeout), kDeadline, "For all of its answers; then the poll goes on without, and it is asked again later."),
      row("restore.interval", in(&Restore::interval), kPeriod, "At least so long it is not asked again, whoever appears: each question goes over all series of the cluster."),
  };
}

std::vector<Key> poll_rows() {
  const auto in = [](auto member) { return at(&Settings::poll, member); };
  return {
      row("poll.interval", in(&Poll::interval), kPeriod, "Between two sweeps of the topic statistics; brokers renew them once a minute."),
      row("poll.topology_interval", in(&Poll::topology_interval), kPeriod, "Between two listings of brokers, namespaces, policies and topics."),
      row("poll.suspect_rate", in(&Poll::suspect_rate), kCallRate, "Calls a second to one broker for the documents of single topics that look stuck."),
      row("poll.internal_info_rate", in(&Poll::internal_info_rate), kCallRate, "Calls a second to the whole cluster for `internal-info` of topics that are not loaded (metadata reads)."),
      row("poll.requests_in_flight", in(&Poll::requests_in_flight), Whole{1, 64}, "Requests to one broker at the same time."),
      row("poll.document_timeout", in(&Poll::document_timeout), kDeadline, "For one document, from the connection to its last byte."),
      row("poll.sweep_idle_timeout", in(&Poll::sweep_idle_timeout), kDeadline, "For a sweep to go without a byte."),
      row("poll.sweep_timeout", in(&Poll::sweep_timeout), kDeadline, "For a sweep in all."),
      row("poll.max_topic_bytes", in(&Poll::max_topic_bytes), kCap, "The largest statistics of one topic that are read in a sweep; a larger topic is unknown, the others are read on."),
      row("poll.max_document_bytes", in(&Poll::max_document_bytes), kCap, "The largest other document that is read."),
      row("poll.compression", in(&Poll::compression), kCompression, "Of the sweep. `gzip` costs the broker CPU and saves network; brokers honour it from 3.0 on."),
      row("poll.load_topics", in(&Poll::load_topics), Flag{}, "Whether topics that are not loaded may be asked for what loads them: exact, but it writes metadata and restarts their clocks."),
      row("poll.audit_share", in(&Poll::audit_share), Real{0, 1}, "Share of `poll.suspect_rate` that goes to topics that look healthy, in rotation; 0 for none."),
      row("poll.ledger_list_interval", in(&Poll::ledger_list_interval), Length{0s, 24h * 30}, "Between two looks through all ledgers of the cluster for `orphan_ledgers`; 0 for none: the list is read from a bookie and can kill a small one."),
  };
}

std::vector<Key> other_rows() {
  return {
      row("listen", at(&Settings::listen), Text{is_listen_address, true}, "Where metrics, API and page are served: HOST:PORT, `[::]:10920` for IPv6, port 0 for any free one."),
      row("detect.abandoned_after", at(&Settings::detect, &Detect::abandoned_after), kWindow, "Without consumer and activity for this long a subscription is abandoned; the default spares weekly jobs."),
      row("detect.stuck_after", at(&Settings::detect, &Detect::stuck_after), kWindow, "A position that does not move for this long is stuck."),
      row("detect.internal_stuck_after", at(&Settings::detect, &Detect::internal_stuck_after), kWindow, "An internal cursor without a measure of its own that stands with something to do for this long is stalled."),
      row("detect.lag_window", at(&Settings::detect, &Detect::lag_window), kWindow, "A backlog that did not shrink over this time is not being worked off."),
      row("detect.lag_floor", at(&Settings::detect, &Detect::lag_floor), kWindow, "A backlog that publishers fill in less time than this is no lag."),
      row("detect.rhythm_merge", at(&Settings::detect, &Detect::rhythm_merge), Length{0s, 24h * 365}, "Activities closer together than this are one run of a job, when its rhythm is learnt."),
      row("detect.growth_window", at(&Settings::detect, &Detect::growth_window), kWindow, "How far back the number of subscriptions without a consumer is looked at; half of it must have been watched."),
      row("detect.disk_window", at(&Settings::detect, &Detect::disk_window), kWindow, "How far back the usage of bookies' disks is looked at; no forecast goes further ahead."),
      row("detect.disk_min_history", at(&Settings::detect, &Detect::disk_min_history), kWindow, "So long a disk is watched before anything is said about its growth, and so long is its present slope."),
      row("detect.held_min_bytes", at(&Settings::detect, &Detect::held_min_bytes), Size{0, 1LL << 60}, "Storage that a topic keeps without any cursor is reported from here on."),
      row("origins[].pattern", at(&Settings::origins, &Origin::pattern), Text{is_regex, true}, "Regular expression (RE2), searched for in a subscription's name; looked at in order, before the built-in ones."),
      row("origins[].origin", at(&Settings::origins, &Origin::origin), one_of({"per_instance", "batch_job", "test_or_dev", "function_or_sink", "reader_like", "named"}), "What made the subscriptions that match."),
      row("owners[].pattern", at(&Settings::owners, &Owner::pattern), Text{is_regex, true}, "Regular expression (RE2), searched for in `persistent://tenant/namespace/topic [subscription]`; looked at in order, behind the property `owner` of the subscription and of the namespace."),
      row("owners[].owner", at(&Settings::owners, &Owner::owner), Text{is_any_text, true}, "Whom to ask about what matches."),
      row("exceptions[].pattern", at(&Settings::exceptions, &Exception::pattern), Text{is_regex, true}, "The same kind of pattern; findings about what matches are only `info`."),
      row("exceptions[].until", at(&Settings::exceptions, &Exception::until), Text{is_date}, "The last day on which that holds, in UTC; without it for good."),
      row("exceptions[].reason", at(&Settings::exceptions, &Exception::reason), Text{is_any_text, true}, "Why, for whoever finds it silenced."),
      row("metrics.max_cursor_series", at(&Settings::metrics, &Metrics::max_cursor_series), Whole{0, 1000000}, "Cursors with series of their own: those of the topics with most to reclaim."),
      row("history.max_bytes", at(&Settings::history, &History::max_bytes), Size{64LL << 10, 1LL << 50}, "Memory for what is remembered of one cluster's subscriptions, some 100 bytes each. Who comes when it is full is judged as just seen at each poll; nobody who is remembered is forgotten for it."),
      row("history.max_removed", at(&Settings::history, &History::max_removed), Whole{0, 100000000}, "Subscriptions and topics that are gone and still remembered. Beyond that the longest gone are forgotten, leftovers with a receipt last."),
      row("history.max_figures", at(&Settings::history, &History::max_figures), Whole{1, 10000000}, "Figures that are followed over time: subscriptions of topics, namespaces and tenants, storage of namespaces, disks."),
      row("state.path", at(&Settings::state, &State::path), kFile, "Folder of its own in which what is remembered outlives the daemon, one file a cluster; without it a restart forgets."),
      row("state.max_bytes", at(&Settings::state, &State::max_bytes), Size{1LL << 20, 1LL << 50}, "The largest such file; some 100 bytes a subscription are enough. What does not fit is not written, and said so."),
      row("log.level", at(&Settings::log, &Log::level), kLevel, "The least severe lines that are written to stderr."),
  };
}
// clang-format on

}  // namespace

const std::vector<Key>& keys() {
  static const std::vector<Key> all = [] {
    std::vector<Key> rows;
    for (auto part : {cluster_rows(), access_rows<Cluster>("clusters[]", kInCluster), poll_rows(), other_rows(),
                      restore_rows(), access_rows<Restore>("restore", kInRestore)}) {
      for (auto& key : part) rows.push_back(std::move(key));
    }
    return rows;
  }();
  return all;
}

}  // namespace tidemark::settings
