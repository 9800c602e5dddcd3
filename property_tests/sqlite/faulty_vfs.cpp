#include "sqlite/faulty_vfs.hpp"

#include <atomic>
#include <cstddef>
#include <new>
#include <ostream>

#include <sqlite3.h>

namespace counterfoil::kit {

namespace {

/// The kinds of call, each a bit.
enum Call : unsigned { reads = 1, writes = 2, locks = 4 };

struct Faults {
    std::atomic<bool> on{false};
    std::atomic<std::int64_t> calls_left{0};
    std::atomic<std::int64_t> failed{0};
    std::atomic<FaultKind> kind{};
    std::atomic<FaultLength> length{};
};

Faults faults;
std::atomic<std::int64_t> checkpoints{0};

bool concerns(FaultKind kind, unsigned call) {
    switch (kind) {
        case FaultKind::io_error: return true;
        case FaultKind::disk_full: return (call & writes) != 0;
        case FaultKind::busy: return (call & locks) != 0;
    }
    return false;
}

/// What a call is to return instead of doing anything; SQLITE_OK where it is to be done.
int failure(unsigned call, int io_error) {
    if (!faults.on) return SQLITE_OK;
    const FaultKind kind = faults.kind;
    if (!concerns(kind, call)) return SQLITE_OK;
    const std::int64_t left = --faults.calls_left;
    const bool fails = faults.length == FaultLength::once ? left == 0 : left <= 0;
    if (!fails) return SQLITE_OK;
    ++faults.failed;
    if (kind == FaultKind::disk_full) return SQLITE_FULL;
    return kind == FaultKind::busy ? SQLITE_BUSY : io_error;
}

sqlite3_vfs* real_vfs() {
    static sqlite3_vfs* const found = sqlite3_vfs_find(nullptr);
    return found;
}

/// A file of ours, with the real one behind it in the same allocation.
struct File {
    sqlite3_file base;

    sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }

    static sqlite3_file* real_of(sqlite3_file* file) {
        return reinterpret_cast<File*>(file)->real();
    }
};

template <class Do>
int unless_failing(unsigned call, int io_error, Do&& run) {
    if (const int code = failure(call, io_error); code != SQLITE_OK) return code;
    return run();
}

int x_close(sqlite3_file* file) {
    sqlite3_file* real = File::real_of(file);
    return real->pMethods != nullptr ? real->pMethods->xClose(real) : SQLITE_OK;
}

int x_read(sqlite3_file* file, void* bytes, int size, sqlite3_int64 at) {
    sqlite3_file* real = File::real_of(file);
    return unless_failing(reads, SQLITE_IOERR_READ,
                          [&] { return real->pMethods->xRead(real, bytes, size, at); });
}

int x_write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 at) {
    sqlite3_file* real = File::real_of(file);
    return unless_failing(writes, SQLITE_IOERR_WRITE,
                          [&] { return real->pMethods->xWrite(real, bytes, size, at); });
}

int x_truncate(sqlite3_file* file, sqlite3_int64 size) {
    sqlite3_file* real = File::real_of(file);
    return unless_failing(writes, SQLITE_IOERR_TRUNCATE,
                          [&] { return real->pMethods->xTruncate(real, size); });
}

int x_sync(sqlite3_file* file, int flags) {
    sqlite3_file* real = File::real_of(file);
    return unless_failing(writes, SQLITE_IOERR_FSYNC,
                          [&] { return real->pMethods->xSync(real, flags); });
}

int x_file_size(sqlite3_file* file, sqlite3_int64* size) {
    sqlite3_file* real = File::real_of(file);
    return unless_failing(reads, SQLITE_IOERR_FSTAT,
                          [&] { return real->pMethods->xFileSize(real, size); });
}

int x_lock(sqlite3_file* file, int level) {
    sqlite3_file* real = File::real_of(file);
    return unless_failing(locks, SQLITE_IOERR_LOCK,
                          [&] { return real->pMethods->xLock(real, level); });
}

int x_unlock(sqlite3_file* file, int level) {
    sqlite3_file* real = File::real_of(file);
    return real->pMethods->xUnlock(real, level);
}

int x_check_reserved_lock(sqlite3_file* file, int* held) {
    sqlite3_file* real = File::real_of(file);
    return unless_failing(reads, SQLITE_IOERR_CHECKRESERVEDLOCK,
                          [&] { return real->pMethods->xCheckReservedLock(real, held); });
}

int x_file_control(sqlite3_file* file, int operation, void* argument) {
    sqlite3_file* real = File::real_of(file);
    return real->pMethods->xFileControl(real, operation, argument);
}

int x_sector_size(sqlite3_file* file) {
    sqlite3_file* real = File::real_of(file);
    return real->pMethods->xSectorSize(real);
}

int x_device_characteristics(sqlite3_file* file) {
    sqlite3_file* real = File::real_of(file);
    return real->pMethods->xDeviceCharacteristics(real);
}

int x_shm_map(sqlite3_file* file, int region, int size, int extend, void volatile** mapped) {
    sqlite3_file* real = File::real_of(file);
    return unless_failing(extend != 0 ? writes : reads, SQLITE_IOERR_SHMMAP, [&] {
        return real->pMethods->xShmMap(real, region, size, extend, mapped);
    });
}

int x_shm_lock(sqlite3_file* file, int offset, int count, int flags) {
    sqlite3_file* real = File::real_of(file);
    const auto run = [&] { return real->pMethods->xShmLock(real, offset, count, flags); };
    constexpr int checkpointer_s_lock = 1;  // https://sqlite.org/walformat.html, 2.3.1
    if (offset == checkpointer_s_lock && count == 1 && (flags & SQLITE_SHM_LOCK) != 0) {
        ++checkpoints;
    }
    // Giving a lock back never fails.
    if ((flags & SQLITE_SHM_LOCK) == 0) return run();
    return unless_failing(locks, SQLITE_IOERR_SHMLOCK, run);
}

void x_shm_barrier(sqlite3_file* file) {
    sqlite3_file* real = File::real_of(file);
    real->pMethods->xShmBarrier(real);
}

int x_shm_unmap(sqlite3_file* file, int remove) {
    sqlite3_file* real = File::real_of(file);
    return real->pMethods->xShmUnmap(real, remove);
}

// Version 2: no mapped pages.
const sqlite3_io_methods methods{2,
                                 x_close,
                                 x_read,
                                 x_write,
                                 x_truncate,
                                 x_sync,
                                 x_file_size,
                                 x_lock,
                                 x_unlock,
                                 x_check_reserved_lock,
                                 x_file_control,
                                 x_sector_size,
                                 x_device_characteristics,
                                 x_shm_map,
                                 x_shm_lock,
                                 x_shm_barrier,
                                 x_shm_unmap,
                                 nullptr,
                                 nullptr};

int x_open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* flags_out) {
    file->pMethods = nullptr;
    sqlite3_file* real = File::real_of(file);
    real->pMethods = nullptr;
    const unsigned call = (flags & SQLITE_OPEN_WAL) != 0 ? writes : reads;
    if (const int code = failure(call, SQLITE_CANTOPEN); code != SQLITE_OK) return code;
    const int code = real_vfs()->xOpen(real_vfs(), name, real, flags, flags_out);
    if (real->pMethods != nullptr) file->pMethods = &methods;
    return code;
}

int x_delete(sqlite3_vfs*, const char* name, int sync) {
    return unless_failing(writes, SQLITE_IOERR_DELETE,
                          [&] { return real_vfs()->xDelete(real_vfs(), name, sync); });
}

int x_access(sqlite3_vfs*, const char* name, int flags, int* allowed) {
    return unless_failing(reads, SQLITE_IOERR_ACCESS,
                          [&] { return real_vfs()->xAccess(real_vfs(), name, flags, allowed); });
}

int x_full_pathname(sqlite3_vfs*, const char* name, int size, char* full) {
    return unless_failing(reads, SQLITE_CANTOPEN,
                          [&] { return real_vfs()->xFullPathname(real_vfs(), name, size, full); });
}

int x_sleep(sqlite3_vfs*, int microseconds) {
    return microseconds;
}

sqlite3_vfs made_vfs() {
    sqlite3_vfs vfs = *real_vfs();
    vfs.szOsFile += static_cast<int>(sizeof(File));
    vfs.pNext = nullptr;
    vfs.zName = "counterfoil-faulty";
    vfs.xOpen = x_open;
    vfs.xDelete = x_delete;
    vfs.xAccess = x_access;
    vfs.xFullPathname = x_full_pathname;
    vfs.xSleep = x_sleep;
    return vfs;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, FaultKind kind) {
    switch (kind) {
        case FaultKind::io_error: return out << "io_error";
        case FaultKind::disk_full: return out << "disk_full";
        case FaultKind::busy: return out << "busy";
    }
    return out;
}

std::ostream& operator<<(std::ostream& out, FaultLength length) {
    return out << (length == FaultLength::once ? "once" : "from_then_on");
}

const char* faulty_vfs() {
    static sqlite3_vfs vfs = made_vfs();
    static const int registered = sqlite3_vfs_register(&vfs, 0);
    return registered == SQLITE_OK ? vfs.zName : "";
}

void fail_call(std::int64_t n, FaultKind kind, FaultLength length) {
    faults.calls_left = n;
    faults.failed = 0;
    faults.kind = kind;
    faults.length = length;
    faults.on = true;
}

std::int64_t checkpoints_begun() {
    return checkpoints;
}

std::int64_t end_faults() {
    faults.on = false;
    return faults.failed;
}

}  // namespace counterfoil::kit
