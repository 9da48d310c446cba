/// Sockets that ADIOS2 has opened in this process.
///
/// TCP keeps a small message back while the one before it was not acknowledged, which its receiver puts off
/// for 40 ms. ADIOS2 2.12 means to forbid that for its connections, but the request is compiled only where
/// <netinet/tcp.h> is included, which it is not (EVPath, cmsockets.c); and each of its messages has two
/// parts.
#pragma once

#include <set>

namespace squall::io::sst {

/// Descriptors that are open in this process.
std::set<int> open_descriptors();

/// Has TCP send each message at once, through the sockets among all descriptors but these. What is accepted
/// by a socket that listens does as that.
void send_at_once(const std::set<int> &but = {});

} // namespace squall::io::sst
