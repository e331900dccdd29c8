internal import Foundation

/// Timers of TCP keep-alive, as Linux reports them.
package enum KeepAliveTimer {
    /// Waits for the keep-alive timer of a connection, and returns the hundredths of a second until it fires.
    ///
    /// Until the other side has acknowledged what was sent, another timer runs.
    package static func hundredths(from local: Int, to remote: Int) throws -> Int {
        while true {
            try Task.checkCancellation()
            if let hundredths = try self.running(from: local, to: remote) { return hundredths }
        }
    }

    private static func running(from local: Int, to remote: Int) throws -> Int? {
        func port(_ column: Substring) -> Int? { column.split(separator: ":").last.flatMap { Int($0, radix: 16) } }
        // It is returned in parts, so it must be read to its end.
        let table = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/net/tcp")).readToEnd() ?? Data()
        for row in String(decoding: table, as: UTF8.self).split(separator: "\n") {
            let columns = row.split(separator: " ")
            guard columns.count > 5, port(columns[1]) == local, port(columns[2]) == remote else { continue }
            let timer = columns[5].split(separator: ":")
            // 2 is the keep-alive timer.
            return timer.count == 2 && timer[0] == "02" ? Int(timer[1], radix: 16) : nil
        }
        return nil
    }
}
