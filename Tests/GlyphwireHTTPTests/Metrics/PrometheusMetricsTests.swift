import CoreMetrics
import Foundation
import GlyphwireServer
import TestSupport
import Testing

@testable import GlyphwireHTTP

struct PrometheusMetricsTests {
    private func text(of metrics: PrometheusMetrics) -> String {
        var text = PrometheusText()
        metrics.write(into: &text)
        return text.text
    }

    @Test func metricsOfAllKindsAreWrittenInTheOrderOfTheFamilies() {
        let metrics = PrometheusMetrics()
        metrics.meter(.workers).set(3)
        Gauge(label: "d", factory: metrics).record(0.5)
        metrics.counter(.frameWarnings, ["code": "x"]).increment(by: 2)
        FloatingPointCounter(label: "c.seconds", factory: metrics).increment(by: 0.1 + 0.2)
        #expect(
            self.text(of: metrics) == """
                # HELP glyphwire_frame_warnings_total Warnings about frames that were read nevertheless, by code.
                # TYPE glyphwire_frame_warnings_total counter
                glyphwire_frame_warnings_total{code="x"} 2
                # HELP glyphwire_workers Threads that read frames.
                # TYPE glyphwire_workers gauge
                glyphwire_workers 3
                # HELP d d
                # TYPE d gauge
                d 0.5
                # HELP c_seconds c.seconds
                # TYPE c_seconds counter
                c_seconds 0.3

                """
        )
    }

    @Test(.timeLimit(.minutes(1))) func aServerWritesEachFamilyWithItsHelpAndItsKind() async throws {
        let text = try await TestHTTPServer.run { server async throws in try await server.get("/metrics").body }
        // Without TLS, no certificate expires.
        let expected = MetricFamily.allCases.filter { $0 != .certificateExpiry }.flatMap { family in
            let name = family.rawValue
            let own = ["# HELP \(name) \(family.help)", "# TYPE \(name) \(family.kind.rawValue)"]
            guard let former = family.formerName else { return own }
            return own + ["# HELP \(former) The former name of \(name).", "# TYPE \(former) untyped"]
        }
        #expect(text.split(separator: "\n").filter { $0.hasPrefix("#") }.map(String.init) == expected)
    }

    /// OpenMetrics leaves out the ending of counters.
    @Test func noTwoFamiliesShareANameInOpenMetrics() {
        let metrics = PrometheusMetrics()
        let server = GlyphwireServer(engine: StubEngine(), logger: .silent, metrics: metrics)
        _ = HTTPService(server: server, metrics: metrics, logger: .silent)
        let lines = self.text(of: metrics).split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
        let names = lines.map { line in
            let name = line.split(separator: " ")[2]
            return line.hasSuffix(" counter") && name.hasSuffix("_total") ? name.dropLast("_total".count) : name
        }
        #expect(names.contains("glyphwire_connections") && Set(names).count == names.count)
    }

    @Test func aFormerNameIsWrittenAsWellWithoutAKind() {
        let metrics = PrometheusMetrics()
        metrics.counter(.acceptedConnections).increment(by: 2)
        #expect(
            self.text(of: metrics) == """
                # HELP glyphwire_connections_accepted_total Connections to the frame port that were accepted.
                # TYPE glyphwire_connections_accepted_total counter
                glyphwire_connections_accepted_total 2
                # HELP glyphwire_connections_total The former name of glyphwire_connections_accepted_total.
                # TYPE glyphwire_connections_total untyped
                glyphwire_connections_total 2

                """
        )
    }

    @Test func theTableOfTheDocumentHasEachMetricAndNoOther() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/deploying.md")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let rows = lines.drop { $0 != "| metric | labels | |" }.dropFirst(2).prefix { $0.hasPrefix("|") }
        let names = rows.flatMap { row in
            row.split(separator: "|")[0].matches(of: /`([a-z_]+)`/).map { String($0.1) }
        }
        #expect(names == MetricFamily.allCases.map(\.rawValue))
    }

    @Test func aTimerIsAHistogramOfSeconds() {
        let metrics = PrometheusMetrics()
        let timer = Timer(label: "t", dimensions: [("stage", "x")], factory: metrics)
        timer.recordMicroseconds(500)
        timer.recordMilliseconds(20_000)
        let lines = self.text(of: metrics).split(separator: "\n").dropFirst(2)
        #expect(lines.first == #"t_bucket{stage="x",le="0.0005"} 1"#)
        #expect(
            lines.suffix(3) == [
                #"t_bucket{stage="x",le="+Inf"} 2"#, #"t_sum{stage="x"} 20.0005"#, #"t_count{stage="x"} 2"#,
            ]
        )
    }

    @Test func theSameNameAndLabelsAreOneMetric() {
        let metrics = PrometheusMetrics()
        for _ in 0..<2 { Counter(label: "n", dimensions: [("a", "b")], factory: metrics).increment() }
        // A name has one kind, so this metric is not written.
        Meter(label: "n", factory: metrics).set(7)
        #expect(self.text(of: metrics).hasSuffix("# TYPE n counter\nn{a=\"b\"} 2\n"))
    }

    @Test func aMetricThatIsDestroyedIsNotWritten() {
        let metrics = PrometheusMetrics()
        let counter = Counter(label: "n", factory: metrics)
        counter.increment()
        counter.destroy()
        #expect(self.text(of: metrics).isEmpty)
    }
}
