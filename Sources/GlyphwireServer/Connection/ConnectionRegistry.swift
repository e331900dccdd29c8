internal import NIOConcurrencyHelpers
internal import NIOCore

/// The connections that are open, so that all of them can be told to finish.
final class ConnectionRegistry: Sendable {
    /// Told to a connection's handler: answer what was accepted, then close.
    struct DrainStarted: Sendable {}

    /// Told to a connection's handler: look whether its token still lets in.
    struct TokensChanged: Sendable {}

    private struct State: Sendable {
        var channels: [ConnectionID: any Channel] = [:]
        var gauges: [ConnectionID: StreamGauge] = [:]
        var isDraining = false
        var emptied: [EventLoopPromise<Void>] = []
    }

    private let state = NIOLockedValueBox(State())

    /// Connections that are open.
    var count: Int { self.state.withLockedValue { $0.channels.count } }

    /// What is known of each of them, the oldest first.
    var gauges: [StreamGauge] {
        self.state.withLockedValue(\.gauges).sorted { $0.key.number < $1.key.number }.map(\.value)
    }

    /// Remembers an open connection until it closes; one that comes while others are told to finish is told so too.
    func add(_ channel: any Channel, id: ConnectionID, gauge: StreamGauge) {
        let isDraining = self.state.withLockedValue { state in
            state.channels[id] = channel
            state.gauges[id] = gauge
            return state.isDraining
        }
        channel.closeFuture.whenComplete { _ in self.remove(id) }
        if isDraining { channel.pipeline.fireUserInboundEventTriggered(DrainStarted()) }
    }

    /// Tells every connection to finish, and waits until all have closed.
    ///
    /// - Parameters:
    ///   - deadline: Connections that are open for so long after this call are closed as they are.
    ///   - eventLoop: Where the deadline is watched.
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

    /// Has every connection look whether its token still lets in.
    func tokensChanged() {
        let channels = self.state.withLockedValue { Array($0.channels.values) }
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(TokensChanged()) }
    }

    /// Closes every connection as it is.
    func closeAll() {
        let channels = self.state.withLockedValue { Array($0.channels.values) }
        for channel in channels { channel.close(promise: nil) }
    }

    private func remove(_ id: ConnectionID) {
        let emptied = self.state.withLockedValue { state -> [EventLoopPromise<Void>] in
            state.channels[id] = nil
            state.gauges[id] = nil
            guard state.channels.isEmpty else { return [] }
            defer { state.emptied = [] }
            return state.emptied
        }
        for promise in emptied { promise.succeed() }
    }
}
