/// The relay of a network stream: a process of its own, in which ADIOS2 talks to consumers.
///
/// A consumer that is stopped, slow or dies in the middle of a handshake can make ADIOS2 wait for ever within
/// any of its calls, and an error of its code would end the process. So it is not the model's: the relay
/// may hang, be left behind or die, and the model goes on.
#pragma once

namespace squall::io::sst {

/// Serves the stream whose first writer has the other end of `socket`, until that says that it was the last
/// frame or is gone. Does not return.
[[noreturn]] void serve_consumers(int socket);

} // namespace squall::io::sst
