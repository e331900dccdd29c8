internal import NIOConcurrencyHelpers

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Child process whose standard output is read through a pipe, and whose error output is sorted by lines.
///
/// It ends when it is stopped or released. One thread reads it; any thread may stop it.
final class ChildProcess: Sendable {
    /// Time for a stopped process to end by itself, for instance to take leave of a camera; then it is killed.
    private static let grace = Duration.seconds(2)
    /// Interval at which the reader checks whether a stopped process has used up its time.
    private static let pollMilliseconds: Int32 = 500
    /// `F_SETPIPE_SZ` of Linux, which the C library declares only for GNU C.
    private static let setPipeSize: Int32 = 1031
    /// Size of the pipe: as many bytes as an unprivileged process may ask for, so that the processes alternate less often.
    private static let pipeByteCount: Int32 = 1 << 20
    /// Number of bytes of error output that are read at once, as many as a page of memory has.
    private static let errorChunkByteCount = 4096

    private struct State {
        var errorOutput: ErrorOutput
        var hasClosedErrors = false
        var stopTime: ContinuousClock.Instant?
        var isReaped = false
    }

    private let name: String
    private let process: pid_t
    private let output: Int32
    private let errors: Int32
    private let state: NIOLockedValueBox<State>

    /// Starts a program from the search path.
    ///
    /// - Parameters:
    ///   - name: The name of the program.
    ///   - arguments: Its arguments.
    ///   - advice: What to do if it is not installed.
    ///   - kindOfLine: Sorts the lines of its error output; by default each is a complaint.
    /// - Throws: ``SourceError``.
    init(
        _ name: String,
        _ arguments: [String],
        advice: String,
        kindOfLine: @escaping @Sendable (String) -> ErrorOutput.Kind = { .complaint($0) }
    ) throws(SourceError) {
        self.name = name
        self.state = NIOLockedValueBox(State(errorOutput: ErrorOutput(kind: kindOfLine)))
        let status: Int32
        (status, self.process, self.output, self.errors) = Self.start([name] + arguments)
        guard status == 0 else {
            self.state.withLockedValue { $0.isReaped = true }
            if status == ENOENT { throw SourceError(.missingProgram, "\(name) is not installed; \(advice)") }
            throw SourceError(.unreachable, "\(name) cannot be run: \(String(cString: strerror(status)))")
        }
    }

    deinit {
        close(self.output)
        close(self.errors)
        if !self.state.withLockedValue(\.isReaped) {
            kill(self.process, SIGKILL)
            _ = self.reap()
        }
    }

    /// Asks the process to end; it is killed if it does not.
    func stop() {
        self.state.withLockedValue { state in
            guard !state.isReaped, state.stopTime == nil else { return }
            state.stopTime = .now
            kill(self.process, SIGTERM)
        }
    }

    /// Reads from standard output, and waits for bytes.
    ///
    /// - Parameter buffer: Where to put them.
    /// - Returns: The number of bytes; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            self.killIfOverdue()
            let isAlone = self.state.withLockedValue(\.hasClosedErrors)
            var descriptors = [
                pollfd(fd: self.output, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isAlone ? -1 : self.errors, events: Int16(POLLIN), revents: 0),
            ]
            poll(&descriptors, 2, Self.pollMilliseconds)
            if descriptors[1].revents != 0 { self.readErrors() }
            if descriptors[0].revents != 0 {
                let count = Glibc.read(self.output, buffer.baseAddress, buffer.count)
                if count >= 0 { return count }
                if errno != EINTR { return 0 }
            }
        }
    }

    /// Fills a buffer from standard output, and waits for the bytes.
    ///
    /// - Parameter buffer: Where to put them.
    /// - Returns: Whether it was filled before the end.
    func readFully(into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        var filled = 0
        while filled < buffer.count {
            let count = self.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            if count == 0 { return false }
            filled += count
        }
        return true
    }

    /// Waits for the next report in its error output.
    ///
    /// - Returns: The line; `nil` after the last one.
    func nextReport() -> String? {
        while true {
            let (report, isLast) = self.state.withLockedValue { ($0.errorOutput.nextReport(), $0.hasClosedErrors) }
            if report != nil || isLast { return report }
            self.awaitErrors()
        }
    }

    /// Waits for the process to end after its output was read.
    ///
    /// - Returns: The last complaints of its error output.
    /// - Throws: ``SourceError`` with the complaint that says why if it failed.
    @discardableResult
    func finish() throws(SourceError) -> [String] {
        while !self.state.withLockedValue(\.hasClosedErrors) { self.awaitErrors() }
        let complaints = self.state.withLockedValue(\.errorOutput.complaints)
        guard self.reap() != 0 else { return complaints }
        throw SourceError(.ended, "\(self.name) failed: \(Self.reason(in: complaints))")
    }

    /// Waits for error output, but not for long.
    private func awaitErrors() {
        var descriptor = pollfd(fd: self.errors, events: Int16(POLLIN), revents: 0)
        poll(&descriptor, 1, Self.pollMilliseconds)
        if descriptor.revents != 0 { self.readErrors() }
        self.killIfOverdue()
    }

    private func killIfOverdue() {
        self.state.withLockedValue { state in
            guard let stopTime = state.stopTime, !state.isReaped, .now - stopTime > Self.grace else { return }
            kill(self.process, SIGKILL)
        }
    }

    private func readErrors() {
        var bytes = [UInt8](repeating: 0, count: Self.errorChunkByteCount)
        let count = bytes.withUnsafeMutableBytes { Glibc.read(self.errors, $0.baseAddress, $0.count) }
        guard count >= 0 || errno != EINTR else { return }
        self.state.withLockedValue { state in
            if count > 0 {
                state.errorOutput.append(bytes[..<count])
            } else {
                state.errorOutput.finish()
                state.hasClosedErrors = true
            }
        }
    }

    /// Parts of lines of `ffmpeg` that say nothing by themselves: what was wrong stands in front of them.
    private static let consequences = [
        "Last message repeated ", "Cannot determine format of input stream", "Error marking filters as finished",
    ]

    /// Returns the line that says why a process failed: the last one, or an earlier one with a cause if that says nothing.
    ///
    /// `ffmpeg` ends with "Input/output error" where a host has no address, and begins with the part that failed, in brackets.
    static func reason(in lines: [String]) -> String {
        guard let last = lines.last(where: { line in !Self.consequences.contains { line.contains($0) } }) else {
            return "without a message"
        }
        guard last.hasSuffix("Input/output error") else { return last }
        let causes = lines.compactMap { line in line.firstRange(of: "Failed to ").map { line[$0.lowerBound...] } }
        return causes.last.map { "\(last) (\($0))" } ?? last
    }

    /// Waits for the end of the process.
    ///
    /// - Returns: Its status; 0 for success.
    private func reap() -> Int32 {
        var information = siginfo_t()
        // Its number stays taken until the lock is held, so that `stop` never signals another process.
        while waitid(P_PID, id_t(self.process), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        return self.state.withLockedValue { state in
            guard !state.isReaped else { return 0 }
            var status: Int32 = 0
            waitpid(self.process, &status, 0)
            state.isReaped = true
            return status
        }
    }

    /// Lock under which a process starts: another one must not inherit its pipes, which would then not end with it.
    private static let starting = NIOLock()

    /// Starts a program with two pipes.
    private static func start(
        _ words: [String]
    ) -> (status: Int32, process: pid_t, output: Int32, errors: Int32) {
        Self.starting.withLock {
            var (output, errors): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
            guard pipe(&output) == 0, pipe(&errors) == 0 else {
                let status = errno
                for descriptor in output where descriptor >= 0 { close(descriptor) }
                return (status, 0, -1, -1)
            }
            for descriptor in output + errors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
            _ = fcntl(output[0], Self.setPipeSize, Self.pipeByteCount)
            let (status, process) = Self.spawn(words, output: output[1], errors: errors[1])
            close(output[1])
            close(errors[1])
            return (status, process, output[0], errors[0])
        }
    }

    private static func spawn(_ words: [String], output: Int32, errors: Int32) -> (status: Int32, process: pid_t) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A group of its own: a terminal's interrupt is for this process, which then stops its children. Signals that this
        // process ignores, or this thread blocks, reach the child.
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let arguments = words.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        let status = posix_spawnp(&process, words[0], &actions, &attributes, arguments + [nil], environ)
        return (status, process)
    }
}
