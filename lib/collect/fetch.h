#pragma once
// One question to one broker: resolves who is meant, sends the credentials, follows a redirect to a known broker and to
// nobody else, since the token goes along.

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "http/client.h"
#include "http/credentials.h"
#include "http/url.h"
#include "survey/ask.h"

namespace tidemark::collect {

struct FetchOptions {
  Duration document_timeout{30000};
  Duration sweep_idle_timeout{30000};
  Duration sweep_timeout{300000};
  std::size_t max_document_bytes = std::size_t{64} << 20;
  bool gzip_sweeps = false;
};

class Fetcher {
 public:
  // `client` must outlive the fetcher. `bookies`: origins by authority, for those given as URLs.
  Fetcher(http::Client& client, http::Credentials credentials, http::Origin seed,
          std::map<std::string, http::Origin> bookies, FetchOptions options);

  // Who may be asked and redirected to besides the seed: "host:port" each.
  void know_brokers(const std::vector<std::string>& brokers) { brokers_ = brokers; }

  // Where a question goes, without its query: the part of a URL where secrets are put.
  std::string url_of(const survey::Ask& ask) const;

  boost::asio::awaitable<Result<http::Response>> get(survey::Ask ask);
  // Streams a 200 body into `sink`; other statuses have a Head only.
  boost::asio::awaitable<Result<http::Head>> stream(survey::Ask ask, http::BodySink sink);

 private:
  http::Origin origin_of(const survey::Ask& ask) const;
  Result<http::Url> redirected(const http::Origin& from, const http::Head& head) const;
  bool is_known(const http::Origin& origin) const;
  http::GetOptions options_for(const survey::Ask& ask) const;

  http::Client& client_;
  http::Credentials credentials_;
  http::Origin seed_;
  std::map<std::string, http::Origin> bookies_;
  std::vector<std::string> brokers_;
  FetchOptions options_;
};

}  // namespace tidemark::collect
