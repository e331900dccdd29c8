internal import GlyphwireProtocol
internal import NIOCore

/// Timers of a connection without traffic: for a server that is silent while something is due, and for a `ping` of one's own.
final class Liveness {
    /// Timer of a server that is silent while answers, or its close, are due.
    private let silence: InactivityTimer
    /// Timer of a connection without messages, on which a `ping` is due; `nil` if none is sent.
    private let idleness: (timer: InactivityTimer, interval: Duration)?
    /// Header of the unanswered `ping` of an idle connection.
    var idlePing: MessageHeader?

    init(configuration: GlyphwireConnection.Configuration, eventLoop: any EventLoop) {
        self.silence = InactivityTimer(limit: configuration.answerTimeout, eventLoop: eventLoop)
        self.idleness = configuration.pingInterval.map { interval in
            (InactivityTimer(limit: interval, eventLoop: eventLoop), interval)
        }
    }

    /// Whether a line answers the `ping` of an idle connection, which no caller waits for.
    func isIdlePong(_ line: ServerLine) -> Bool { self.idlePing.map(line.answers) ?? false }

    /// Handles bytes of the server, or a pause in which they could not be received.
    func heard() { self.silence.touch() }

    /// Begins the time again after which a `ping` is due.
    ///
    /// - Parameter delay: That time, which is at most the interval that it is given.
    func putPingOff(_ delay: (_ interval: Duration) -> Duration) {
        guard let (timer, interval) = self.idleness else { return }
        timer.touch(limit: delay(interval))
    }

    /// Starts the check for a silent server, unless it runs or nothing is due.
    ///
    /// - Parameters:
    ///   - isDue: Whether something of the server is due.
    ///   - silent: Called after each time without a byte of it.
    func watchSilence(while isDue: @escaping () -> Bool, silent: @escaping () -> Void) {
        self.silence.start(while: isDue, expired: silent)
    }

    /// Starts the check for a connection without messages.
    ///
    /// - Parameters:
    ///   - isNeeded: Whether it goes on.
    ///   - idle: Called when a `ping` is due.
    func watchIdleness(while isNeeded: @escaping () -> Bool, idle: @escaping () -> Void) {
        self.idleness?.timer.start(while: isNeeded, expired: idle)
    }

    /// Stops both checks.
    func stop() {
        self.silence.stop()
        self.idleness?.timer.stop()
    }
}
