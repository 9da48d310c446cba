/// The C interface: network streams.
#include "capi.hpp"
#include "squall/io_subscribe.h"
#include "squall/io_subscribe.hpp"

using namespace squall::io;
using namespace squall::io::capi;

struct squall_io_subscriber {
    Subscriber subscriber;
};

int squall_io_subscribe(const char *where, squall_io_subscriber **subscriber) {
    return guarded([&] {
        need(subscriber, "pointer for the subscriber") =
            new squall_io_subscriber{Subscriber(need_text(where, "address"))};
    });
}

int squall_io_subscribe_on(const char *where, MPI_Comm comm, squall_io_subscriber **subscriber) {
    return guarded([&] {
        need(subscriber, "pointer for the subscriber") =
            new squall_io_subscriber{Subscriber(need_text(where, "address"), comm)};
    });
}

int squall_io_subscribe_on_f(const char *where, MPI_Fint comm, squall_io_subscriber **subscriber) {
    return squall_io_subscribe_on(where, MPI_Comm_f2c(comm), subscriber);
}

int squall_io_subscriber_next(squall_io_subscriber *subscriber, double seconds, squall_io_reader **frame) {
    return guarded([&] {
        auto &place = need(frame, "pointer for the frame");
        auto next = need(subscriber, "subscriber").subscriber.next(seconds);
        place = next ? new squall_io_reader{std::move(*next)} : nullptr;
    });
}

int squall_io_subscriber_release(squall_io_subscriber *subscriber) {
    return guarded([&] { need(subscriber, "subscriber").subscriber.release(); });
}

int squall_io_subscriber_ended(const squall_io_subscriber *subscriber, int *ended) {
    return guarded(
        [&] { need(ended, "pointer for the answer") = need(subscriber, "subscriber").subscriber.ended(); });
}

int squall_io_subscriber_number(const squall_io_subscriber *subscriber, int64_t *number) {
    return guarded(
        [&] { need(number, "pointer for the number") = need(subscriber, "subscriber").subscriber.number(); });
}

void squall_io_subscriber_free(squall_io_subscriber *subscriber) { delete subscriber; }
