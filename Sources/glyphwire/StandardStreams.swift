#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Standard input, standard output and standard error.
enum StandardStreams {
    /// Opens those that the process was started without, so that no file or connection gets their descriptors.
    ///
    /// Using one is an error all the same: input can only be written, and the others can only be read. It must come before
    /// anything else is opened.
    static func openMissing() {
        let streams = [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        // The lowest descriptor that is free is the one that is opened.
        for (descriptor, mode) in streams where fcntl(descriptor, F_GETFD) < 0 { _ = open("/dev/null", mode) }
    }
}
