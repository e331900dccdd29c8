internal import Dispatch
internal import Glibc
internal import NIOConcurrencyHelpers

/// A program that runs beside the tests.
package final class Program: Sendable {
    private let process: pid_t
    private let output: Int32
    private let errors: Int32
    private let unread = NIOLockedValueBox<[UInt8]>([])

    /// Path of the system's program `name`; `nil` if there is none.
    package static func system(_ name: String) -> String? {
        let folders = getenv("PATH").map { String(cString: $0).split(separator: ":") } ?? []
        return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// Starts the program `name` from the folder of these tests, or at that path.
    ///
    /// Its environment has the variables that programs need to be found and run, and `environment`; its standard input
    /// is the file `standardInput`. With `sharesPipe`, standard error goes to standard output, a pipe that does not block.
    package init(
        _ name: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        standardInput: String = "/dev/null",
        sharesPipe: Bool = false
    ) throws {
        let path = name.hasPrefix("/") ? name : try Self.path(of: name)
        let kept = Self.keptVariables.compactMap { (name: String) -> String? in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        let words = ([path] + arguments).map { strdup($0) }
        let variables = (kept + environment.map { "\($0)=\($1)" }).map { strdup($0) }
        defer { for text in words + variables { free(text) } }
        (self.process, self.output, self.errors) = try Self.spawning.withLockedValue { _ in
            try Self.spawn(path, words + [nil], variables + [nil], input: standardInput, sharesPipe: sharesPipe)
        }
    }

    /// Variables that programs need to be found and run, also under the sanitizers of `scripts/sanitize.sh`.
    private static let keptVariables = [
        "PATH", "LD_LIBRARY_PATH", "HOME", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "TBB_ENABLE_SANITIZERS",
        "SWIFT_BACKTRACE",
    ]

    /// Lock that is held while there are descriptors that another child process would inherit, and keep open.
    private static let spawning = NIOLockedValueBox(())

    private static func spawn(
        _ path: String,
        _ arguments: [UnsafeMutablePointer<CChar>?],
        _ environment: [UnsafeMutablePointer<CChar>?],
        input: String,
        sharesPipe: Bool
    ) throws -> (process: pid_t, output: Int32, errors: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failed("pipe") }
        // Standard error goes to a file, so that the program does not block without a reader.
        var name = Array("/tmp/glyphwire-errors-XXXXXX".utf8CString)
        let errors = mkstemp(&name)
        guard errors >= 0 else { throw Failed("mkstemp") }
        unlink(name)
        for descriptor in ends + [errors] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        if sharesPipe { _ = fcntl(ends[1], F_SETFL, O_NONBLOCK) }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, sharesPipe ? ends[1] : errors, STDERR_FILENO)
        var process = pid_t()
        let status = posix_spawn(&process, path, &actions, nil, arguments, environment)
        close(ends[1])
        guard status == 0 else { throw Failed("\(path): \(String(cString: strerror(status)))") }
        return (process, ends[0], errors)
    }

    deinit {
        close(self.output)
        close(self.errors)
    }

    /// Returns the next line of standard output, without its end; `nil` at the end of the output.
    package func nextLine() async -> String? {
        await Self.offThePool {
            while true {
                let line = self.unread.withLockedValue { unread -> [UInt8]? in
                    guard let end = unread.firstIndex(of: 10) else { return nil }
                    defer { unread.removeFirst(end + 1) }
                    return Array(unread[..<end])
                }
                if let line { return String(decoding: line, as: UTF8.self) }
                guard let more = Self.read(self.output) else { return nil }
                self.unread.withLockedValue { $0 += more }
            }
        }
    }

    /// Returns the next line of standard output that contains `text`; `nil` at the end of the output.
    package func nextLine(with text: String) async -> String? {
        while let line = await self.nextLine() {
            if line.contains(text) { return line }
        }
        return nil
    }

    package func signal(_ number: Int32) { kill(self.process, number) }

    /// Waits for the program to exit.
    package func wait() async -> Outcome {
        await Self.offThePool {
            while let more = Self.read(self.output) { self.unread.withLockedValue { $0 += more } }
            var status: Int32 = 0
            while waitpid(self.process, &status, 0) < 0 && errno == EINTR {}
            lseek(self.errors, 0, SEEK_SET)
            var errors: [UInt8] = []
            while let more = Self.read(self.errors) { errors += more }
            return Outcome(
                // The low seven bits are the signal that ended it, the next byte its own exit code.
                exitCode: status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F),
                output: String(decoding: self.unread.withLockedValue(\.self), as: UTF8.self),
                errors: String(decoding: errors, as: UTF8.self)
            )
        }
    }

    /// Outcome of a program.
    package struct Outcome: Sendable {
        /// Exit code; a negative number is the signal that ended it.
        package let exitCode: Int32
        /// Unread standard output.
        package let output: String
        /// Standard error.
        package let errors: String
    }

    package struct Failed: Error {
        package let reason: String
        init(_ reason: String) { self.reason = reason }
    }

    private static func read(_ descriptor: Int32) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 65536) { buffer, count in
            count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
        }
        return bytes.isEmpty ? nil : bytes
    }

    private static func offThePool<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: work()) }
        }
    }

    /// Path of the program `name` beside these tests.
    package static func path(of name: String) throws -> String { "\(try Self.buildFolder())/\(name)" }

    private static func buildFolder() throws -> String {
        guard let path = realpath("/proc/self/exe", nil) else { throw Failed("/proc/self/exe") }
        defer { free(path) }
        let executable = String(cString: path)
        return String(executable[..<(executable.lastIndex(of: "/") ?? executable.startIndex)])
    }
}
