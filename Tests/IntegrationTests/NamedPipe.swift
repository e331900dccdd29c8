import Foundation
import Glibc
import Testing

/// A named pipe in place of a file, so that a test knows when a program reads it.
struct NamedPipe {
    let path: String

    init(path: String) throws {
        try #require(mkfifo(path, 0o600) == 0)
        self.path = path
        // A program that has ended while it should read is for the test to report.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Waits until a program reads the pipe; it then waits for what the test writes.
    func opened() async -> FileHandle {
        let path = self.path
        let descriptor = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: open(path, O_WRONLY | O_CLOEXEC)) }
        }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Puts a file with `text` in place of the pipe, for whoever reads it again, and lets the program that reads it go on.
    func replace(with text: String, writingTo reader: FileHandle) throws {
        try FileManager.default.removeItem(atPath: self.path)
        try Data(text.utf8).write(to: URL(filePath: self.path))
        try? reader.write(contentsOf: Data(text.utf8))
        try reader.close()
    }
}
