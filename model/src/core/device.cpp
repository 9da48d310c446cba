#include "core/device.hpp"

#include <new>
#include <stdexcept>

#include <fmt/format.h>

#ifdef SQUALL_GPU
#include <cuda_runtime_api.h>
#endif

namespace squall::device {

bool detail::used = false;

#ifdef SQUALL_GPU

namespace {

void check(cudaError_t error, const char *what) {
    if (error != cudaSuccess)
        throw std::runtime_error(
            fmt::format("the graphics processor: {}: {}", what, cudaGetErrorString(error)));
}

} // namespace

bool built() { return true; }

Description describe(int rank_on_node) {
    int devices = 0;
    check(cudaGetDeviceCount(&devices), "none was found (is its driver installed?)");
    if (devices == 0) throw std::runtime_error("there is no graphics processor on this machine");
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, rank_on_node % devices), "it does not say what it is");
    if (!properties.managedMemory || !properties.concurrentManagedAccess)
        throw std::runtime_error(fmt::format(
            "{} has no memory that processors see too: Squall needs one of NVIDIA's from Pascal on, on Linux",
            properties.name));
    return {properties.name, properties.totalGlobalMem};
}

void use(int rank_on_node) {
    describe(rank_on_node);
    int devices = 1;
    check(cudaGetDeviceCount(&devices), "none was found");
    check(cudaSetDevice(rank_on_node % devices), "it cannot be used");
    detail::used = true;
}

void detail::wait() { check(cudaDeviceSynchronize(), "a kernel failed"); }

void *allocate(std::size_t bytes) {
    void *memory = nullptr;
    if (cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal) != cudaSuccess) throw std::bad_alloc();
    return memory;
}

void release(void *memory) noexcept { cudaFree(memory); }

#else

bool built() { return false; }

Description describe(int) {
    throw std::runtime_error(
        "this program was built without kernels for graphics processors: build it with PRESET=gpu");
}

void use(int rank_on_node) { describe(rank_on_node); }
void detail::wait() {}
void *allocate(std::size_t) { throw std::bad_alloc(); }
void release(void *) noexcept {}

#endif

} // namespace squall::device
