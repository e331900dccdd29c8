internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Child process with its standard output as a pipe.
final class ChildProcess {
    /// Standard output of the program.
    let output: File
    private let name: String
    private let process: pid_t
    private let errors: File

    /// Starts a program from the search path.
    ///
    /// - Throws: ``ReplayError`` if it does not exist, with `advice` on the remedy.
    init(_ name: String, _ arguments: [String], advice: String) throws(ReplayError) {
        self.name = name
        var ends: [Int32] = [0, 0]
        // Standard error goes to a file, so that the program does not block without a reader.
        var template = Array("/tmp/glyphwire-XXXXXX".utf8CString)
        let errors = mkstemp(&template)
        guard errors >= 0, pipe(&ends) == 0 else {
            throw ReplayError(.unreadable, "\(name) cannot be run: \(String(cString: strerror(errno)))")
        }
        unlink(template)
        for descriptor in ends + [errors] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        self.output = File(path: "the output of \(name)", descriptor: ends[0], closes: true)
        self.errors = File(path: "the errors of \(name)", descriptor: errors, closes: true)
        let status: Int32
        (status, self.process) = Self.spawn(name, arguments, output: ends[1], errors: errors)
        close(ends[1])
        guard status == 0 else {
            let reason = status == ENOENT ? "is not on the path" : "cannot be run: \(String(cString: strerror(status)))"
            throw ReplayError(.unreadable, "\(name) \(reason); \(advice)")
        }
    }

    private static func spawn(
        _ name: String,
        _ arguments: [String],
        output: Int32,
        errors: Int32
    ) -> (status: Int32, process: pid_t) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        let words = ([name] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        var process = pid_t()
        let status = posix_spawnp(&process, name, &actions, nil, words + [nil], environ)
        return (status, process)
    }

    /// Waits for the program to exit after its output was read.
    ///
    /// - Throws: ``ReplayError`` with its error output if it failed.
    func finish() throws(ReplayError) {
        var status: Int32 = 0
        while waitpid(self.process, &status, 0) < 0 && errno == EINTR {}
        guard status != 0 else { return }
        let errorOutput = String(buffer: try self.errors.bytes(atMost: 4096, at: 0)).split(separator: "\n").last ?? ""
        throw ReplayError(.badPicture, "\(self.name) failed: \(String(errorOutput).withoutControlCharacters)")
    }
}
