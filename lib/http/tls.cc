// Host names are checked by OpenSSL itself rather than by Asio's callback: only then does the verify result tell a
// wrong name from an unknown authority, and people fix these two in different places.

#include "http/tls.h"

#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>

namespace tidemark::http {
namespace {

namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;

bool is_address(const std::string& host) {
  boost::system::error_code ec;
  asio::ip::make_address(host, ec);
  return !ec;
}

Error unusable(const char* key, const std::string& file, const boost::system::error_code& ec) {
  return {Errc::kConfig, std::string(key) + " " + file + ": " + ec.message()};
}

Result<void> load_authorities(ssl::context& context, const TlsOptions& options) {
  boost::system::error_code ec;
  if (!options.verify) {
    context.set_verify_mode(ssl::verify_none, ec);
    return {};
  }
  context.set_verify_mode(ssl::verify_peer, ec);
  if (options.ca_file.empty()) {
    context.set_default_verify_paths(ec);
    if (ec) return unusable("tls.ca_file", "(the system's)", ec);
  } else {
    context.load_verify_file(options.ca_file, ec);
    if (ec) return unusable("tls.ca_file", options.ca_file, ec);
  }
  return {};
}

Result<void> load_own_certificate(ssl::context& context, const TlsOptions& options) {
  if (options.cert_file.empty() && options.key_file.empty()) return {};
  if (options.key_file.empty()) return Error{Errc::kConfig, "tls.cert_file needs tls.key_file"};
  if (options.cert_file.empty()) return Error{Errc::kConfig, "tls.key_file needs tls.cert_file"};
  boost::system::error_code ec;
  context.use_certificate_chain_file(options.cert_file, ec);
  if (ec) return unusable("tls.cert_file", options.cert_file, ec);
  context.use_private_key_file(options.key_file, ssl::context::pem, ec);
  if (ec) return unusable("tls.key_file", options.key_file, ec);
  if (SSL_CTX_check_private_key(context.native_handle()) != 1) {
    return Error{Errc::kConfig, "tls.key_file " + options.key_file + ": not the key of tls.cert_file"};
  }
  return {};
}

}  // namespace

Result<TlsContext> make_tls_context(const TlsOptions& options) {
  auto context = std::make_shared<ssl::context>(ssl::context::tls_client);
  SSL_CTX_set_min_proto_version(context->native_handle(), TLS1_2_VERSION);
  if (auto loaded = load_authorities(*context, options); !loaded) return loaded.error();
  if (auto loaded = load_own_certificate(*context, options); !loaded) return loaded.error();
  return context;
}

Result<void> expect_host(ssl_st* session, const std::string& host) {
  const bool address = is_address(host);
  // An address must not stand in the server name extension (RFC 6066). OpenSSL's macro for this has a C cast in it.
  if (!address && SSL_ctrl(session, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                           const_cast<char*>(host.c_str())) != 1) {
    return Error{Errc::kTls, "the host name cannot be used with TLS"};
  }
  if ((SSL_get_verify_mode(session) & SSL_VERIFY_PEER) == 0) return {};
  auto* parameters = SSL_get0_param(session);
  X509_VERIFY_PARAM_set_hostflags(parameters, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  const int set = address ? X509_VERIFY_PARAM_set1_ip_asc(parameters, host.c_str())
                          : X509_VERIFY_PARAM_set1_host(parameters, host.c_str(), host.size());
  if (set != 1) return Error{Errc::kTls, "the host name cannot be checked against a certificate"};
  return {};
}

Error explain_handshake(ssl_st* session, const std::string& host, const boost::system::error_code& ec) {
  const long verdict = SSL_get_verify_result(session);
  const bool verifying = (SSL_get_verify_mode(session) & SSL_VERIFY_PEER) != 0;
  if (verifying && (verdict == X509_V_ERR_HOSTNAME_MISMATCH || verdict == X509_V_ERR_IP_ADDRESS_MISMATCH)) {
    return {Errc::kTls, "the server's certificate is not for '" + host + "'; use a name that stands in it"};
  }
  if (verifying && (verdict == X509_V_ERR_CERT_HAS_EXPIRED || verdict == X509_V_ERR_CERT_NOT_YET_VALID)) {
    return {Errc::kTls,
            std::string("the server's certificate is not valid now: ") + X509_verify_cert_error_string(verdict)};
  }
  if (verifying && verdict != X509_V_OK) {
    return {Errc::kTls, std::string("the server's certificate cannot be verified (") +
                            X509_verify_cert_error_string(verdict) +
                            "); set tls.ca_file to the authority that signed it"};
  }
  if (ec == asio::error::eof || ec == asio::error::connection_reset || ec == ssl::error::stream_truncated) {
    return {Errc::kTls, "the server closed the connection during the TLS handshake"};
  }
  return {Errc::kTls, "TLS handshake: " + ec.message() + " (does this port speak https?)"};
}

}  // namespace tidemark::http
