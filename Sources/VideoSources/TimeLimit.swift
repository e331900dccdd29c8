/// Runs `body`, which gets a picture, and cancels it after some time.
///
/// - Parameters:
///   - limit: Maximum time.
///   - body: What to run.
/// - Returns: What `body` returns.
/// - Throws: ``SourceError`` after the time, or what `body` throws.
func withTimeLimit<Value: Sendable>(
    _ limit: Duration,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { tasks in
        tasks.addTask { try await body() }
        tasks.addTask {
            try await Task.sleep(for: limit)
            throw SourceError(.unreachable, "the picture took longer than \(limit)")
        }
        defer { tasks.cancelAll() }
        guard let value = try await tasks.next() else { throw CancellationError() }
        return value
    }
}
