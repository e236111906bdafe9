#pragma once
// Client side TLS: what the configuration asks for, and errors that say which key to set. Private to this room.

#include <boost/system/error_code.hpp>
#include <memory>
#include <string>

#include "base/result.h"
#include "http/client.h"

struct ssl_st;  // OpenSSL's SSL
namespace boost::asio::ssl {
class context;  // NOLINT(readability-identifier-naming): Asio's name
}

namespace tidemark::http {

using TlsContext = std::shared_ptr<boost::asio::ssl::context>;

// TLS 1.2 or later. kConfig when a file cannot be used.
Result<TlsContext> make_tls_context(const TlsOptions& options);

// Before the handshake: server name indication and, when the context verifies, the name to be found in the certificate.
Result<void> expect_host(ssl_st* session, const std::string& host);

// What went wrong in the handshake, as kTls.
Error explain_handshake(ssl_st* session, const std::string& host, const boost::system::error_code& ec);

}  // namespace tidemark::http
