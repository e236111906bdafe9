#pragma once
// Prometheus, asked what was exported of a cluster's cursors: the past of those that this daemon does not know. With
// credentials and authorities of its own, so that no secret of a cluster goes there. io thread only.

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "history/exported.h"
#include "http/client.h"
#include "http/credentials.h"
#include "http/url.h"

namespace tidemark::collect {

struct ExportOptions {
  http::Url base;  // "/api/v1/query" comes behind its path
  http::Credentials credentials;
  http::TlsOptions tls;
  Duration lookback{0};
  Duration timeout{0};  // for all questions together
};

class ExportSource {
 public:
  // kConfig when a TLS file cannot be used.
  static Result<std::unique_ptr<ExportSource>> create(boost::asio::any_io_executor io, ExportOptions options);

  // Errors name the URL. `cluster`: the label `pulsar_cluster`.
  boost::asio::awaitable<Result<history::ExportedCursors>> ask(std::string cluster, TimeMs now);

  // Ends a running question soon.
  void stop() { client_->close(); }

 private:
  ExportSource(ExportOptions options, std::unique_ptr<http::Client> client)
      : options_(std::move(options)), client_(std::move(client)) {}

  ExportOptions options_;
  std::unique_ptr<http::Client> client_;
};

}  // namespace tidemark::collect
