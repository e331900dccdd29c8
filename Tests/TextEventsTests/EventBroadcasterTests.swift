import NIOConcurrencyHelpers
import Testing
import TextEvents

struct EventBroadcasterTests {
    /// Sink that keeps the reasons of its events.
    private final class Recorder: EventSink {
        private let kept = NIOLockedValueBox<[String]>([])

        var reasons: [String] { self.kept.withLockedValue(\.self) }

        func send(_ report: EventReport) {
            for case .offline(let reason) in report.events.map(\.kind) {
                self.kept.withLockedValue { $0.append(reason) }
            }
        }

        func close() async -> Int { 0 }
    }

    @Test func allSinksHaveTheEventsOfAllSourcesInOneOrder() async {
        let recorders = (0..<3).map { _ in Recorder() }
        let broadcaster = EventBroadcaster(to: recorders)
        let (sources, events) = (8, 500)
        await withTaskGroup { tasks in
            for source in 0..<sources {
                tasks.addTask {
                    for event in 0..<events { broadcaster.send(Self.report("\(event)", of: "\(source)")) }
                }
            }
        }
        #expect(recorders[0].reasons.count == sources * events)
        #expect(recorders.allSatisfy { $0.reasons == recorders[0].reasons })
    }

    private static func report(_ reason: String, of source: String) -> EventReport {
        let event = TextEvent(.offline("\(source) \(reason)"), source: source, time: .wall(microseconds: 0))
        return EventReport(events: [event], texts: [], source: EventSource(name: source))
    }
}
