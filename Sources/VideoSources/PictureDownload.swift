internal import AsyncHTTPClient
internal import Dispatch
package import HTTPRequests
internal import NIOConcurrencyHelpers
internal import NIOCore

/// Download of a picture from an address, within limits.
package struct PictureDownload: Sendable {
    private let address: HTTPAddress
    private let maxByteCount: Int
    private let timeout: Duration

    /// Creates a download that has not begun.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - maxByteCount: Maximum number of bytes.
    ///   - timeout: Maximum time from the request to the last byte.
    package init(_ address: HTTPAddress, maxByteCount: Int, timeout: Duration) {
        self.address = address
        self.maxByteCount = maxByteCount
        self.timeout = timeout
    }

    /// Downloads, and blocks the thread meanwhile, which must not be one of the task pool.
    ///
    /// - Returns: The bytes.
    /// - Throws: ``SourceError`` with the reason.
    package func bytes() throws(SourceError) -> [UInt8] {
        let done = DispatchSemaphore(value: 0)
        let result = NIOLockedValueBox<Result<[UInt8], SourceError>?>(nil)
        Task {
            let outcome = await self.download()
            result.withLockedValue { $0 = outcome }
            done.signal()
        }
        done.wait()
        guard let outcome = result.withLockedValue(\.self) else { throw self.failure("it was interrupted") }
        return try outcome.get()
    }

    private func download() async -> Result<[UInt8], SourceError> {
        do {
            let bytes = try await withThrowingTaskGroup(of: [UInt8].self) { tasks in
                tasks.addTask { try await self.request() }
                tasks.addTask {
                    try await Task.sleep(for: self.timeout)
                    throw SourceError(.unreachable, "it took longer than \(self.timeout)")
                }
                defer { tasks.cancelAll() }
                return try await tasks.next() ?? []
            }
            return .success(bytes)
        } catch {
            return .failure(self.failure((error as? SourceError)?.message ?? error.requestReason))
        }
    }

    private func request() async throws -> [UInt8] {
        var requester = HTTPRequester(self.address)
        var body = ByteBuffer()
        for try await chunk in try await requester.response().body {
            guard body.readableBytes + chunk.readableBytes <= self.maxByteCount else {
                throw SourceError(.notAPicture, "it has more than \(self.maxByteCount) bytes, which is the limit")
            }
            body.writeImmutableBuffer(chunk)
        }
        return Array(body.readableBytesView)
    }

    private func failure(_ reason: String) -> SourceError {
        SourceError(.unreachable, "\(self.address.url) cannot be read: \(reason).")
    }
}
