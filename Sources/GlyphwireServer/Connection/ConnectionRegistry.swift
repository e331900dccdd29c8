internal import CoreMetrics
internal import NIOConcurrencyHelpers
internal import NIOCore

/// Registry of the open connections.
final class ConnectionRegistry: Sendable {
    /// Event for a connection's handlers: answer what was accepted, then close.
    struct DrainStarted: Sendable {}

    /// Event for a connection's handlers: check whether the token is still valid.
    struct TokensChanged: Sendable {}

    private struct State: Sendable {
        var channels: [ConnectionID: any Channel] = [:]
        var gauges: [ConnectionID: StreamGauge] = [:]
        var isDraining = false
        var emptied: [EventLoopPromise<Void>] = []
    }

    private let state = NIOLockedValueBox(State())
    private let openConnections: Meter

    /// Creates a registry without connections.
    ///
    /// - Parameter openConnections: Records how many are open.
    init(openConnections: Meter) { self.openConnections = openConnections }

    /// Number of open connections.
    var count: Int { self.state.withLockedValue { $0.channels.count } }

    /// Gauges of the open connections, the oldest first.
    var gauges: [StreamGauge] {
        self.state.withLockedValue(\.gauges).sorted { $0.key.number < $1.key.number }.map(\.value)
    }

    /// Registers a connection until it closes; one accepted during a drain is drained as well.
    func add(_ channel: any Channel, id: ConnectionID, gauge: StreamGauge) {
        let isDraining = self.state.withLockedValue { state in
            state.channels[id] = channel
            state.gauges[id] = gauge
            self.openConnections.set(state.channels.count)
            return state.isDraining
        }
        channel.closeFuture.whenComplete { _ in self.remove(id) }
        if isDraining { channel.pipeline.fireUserInboundEventTriggered(DrainStarted()) }
    }

    /// Registers the gauge of a stream without a channel until ``removeGauge(_:)``.
    func add(_ gauge: StreamGauge, id: ConnectionID) { self.state.withLockedValue { $0.gauges[id] = gauge } }

    /// Removes the gauge of a stream without a channel.
    func removeGauge(_ id: ConnectionID) { self.state.withLockedValue { $0.gauges[id] = nil } }

    /// Drains every connection, and waits until all have closed.
    ///
    /// - Parameters:
    ///   - deadline: The time after which connections that are still open are closed.
    ///   - eventLoop: The event loop of the deadline.
    func drain(deadline: TimeAmount, on eventLoop: any EventLoop) async {
        let emptied = eventLoop.makePromise(of: Void.self)
        let channels = self.state.withLockedValue { state in
            state.isDraining = true
            if state.channels.isEmpty { emptied.succeed() } else { state.emptied.append(emptied) }
            return Array(state.channels.values)
        }
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(DrainStarted()) }
        let timeout = eventLoop.scheduleTask(in: deadline) { self.closeAll() }
        await withTaskCancellationHandler {
            // The promise never fails.
            try? await emptied.futureResult.get()
        } onCancel: {
            self.closeAll()
        }
        timeout.cancel()
    }

    /// Makes every connection check whether its token is still valid.
    func tokensChanged() {
        let channels = self.state.withLockedValue { Array($0.channels.values) }
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(TokensChanged()) }
    }

    /// Closes every connection at once.
    func closeAll() {
        let channels = self.state.withLockedValue { Array($0.channels.values) }
        for channel in channels { channel.eventLoop.execute { channel.closeSocket() } }
    }

    private func remove(_ id: ConnectionID) {
        let emptied = self.state.withLockedValue { state -> [EventLoopPromise<Void>] in
            state.channels[id] = nil
            state.gauges[id] = nil
            self.openConnections.set(state.channels.count)
            guard state.channels.isEmpty else { return [] }
            defer { state.emptied = [] }
            return state.emptied
        }
        for promise in emptied { promise.succeed() }
    }
}
