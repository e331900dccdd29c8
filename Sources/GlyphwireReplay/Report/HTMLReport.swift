internal import FoundationEssentials

/// Report as one self-contained page, in light and dark mode.
struct HTMLReport {
    private let report: LoadReport

    init(_ report: LoadReport) {
        self.report = report
    }

    /// HTML of the page.
    var text: String {
        let name = self.report.session.split(separator: "/").last.map(String.init) ?? self.report.session
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(HTML.text(name)): Glyphwire load report</title>
            <style>
            \(Self.style)
            </style>
            </head>
            <body>
            <header>
            <h1>\(HTML.text(name))</h1>
            <p>played to \(HTML.text(self.report.address)) (\(HTML.text(self.report.server))) on \(self.date)</p>
            </header>
            <main>
            \(self.overview)
            \(self.sections.joined(separator: "\n"))
            \(self.origin)
            </main>
            </body>
            </html>

            """
    }

    private var date: String {
        let date = Date(timeIntervalSince1970: self.report.startedAt).formatted(.iso8601)
        return String(date.map { $0 == "T" ? " " : $0 }).replacing("Z", with: " UTC")
    }

    // MARK: All runs

    private var overview: String {
        guard self.report.runs.count > 1 else { return "" }
        let table = self.report.table
        return """
            <section>
            <h2>\(self.report.runs.count) runs</h2>
            \(self.report.finding.map { "<p class=\"finding\">\(HTML.text($0))</p>" } ?? "")
            \(HTML.table(header: table.header, rows: table.rows))
            <div class="plots">
            \(self.report.plots.map(\.html).joined(separator: "\n"))
            </div>
            </section>
            """
    }

    private var sections: [String] {
        guard let run = self.report.runs.first, self.report.runs.count == 1 else {
            return self.report.runs.map { run in
                "<details><summary>\(HTML.text(run.load))</summary>\(self.section(run))</details>"
            }
        }
        return [self.section(run)]
    }

    // MARK: One run

    private func section(_ run: RunReport) -> String {
        """
        <section>
        <p>\(HTML.text(run.load)).</p>
        \(self.tiles(run))
        \((run.allFailures + run.notices + run.caveats).map(self.notice).joined(separator: "\n"))
        <div class="plots">
        \(run.plots.map(\.html).joined(separator: "\n"))
        </div>
        \(self.latencies(run))
        \(self.outcomes(run))
        \(run.agreement.map(self.agreement) ?? "")
        </section>
        """
    }

    private func notice(_ text: String) -> String { "<p class=\"notice\">\(HTML.text(text))</p>" }

    private func tiles(_ run: RunReport) -> String {
        let due = run.latency.sinceDue
        let percentiles = [50.0, 99].map { due.milliseconds(at: $0).map { "\(Decimals.short($0)) ms" } ?? "-" }
        let tiles = [
            ("kept up", Decimals.percent(run.keepUp), "read within \(Decimals.short(run.deadlineMs)) ms of being due"),
            ("throughput", "\(Decimals.short(run.fps))/s", "\(Decimals.short(run.offeredFps))/s offered"),
            ("p50", percentiles[0], "since due"),
            ("p99", percentiles[1], "since due"),
            (
                "not read", Decimals.count(run.frames.offered - run.frames.ok),
                "of \(Decimals.count(run.frames.offered)) frames"
            ),
        ]
        let items = tiles.map { name, value, note in
            "<li><span>\(name)</span><strong>\(HTML.text(value))</strong><small>\(HTML.text(note))</small></li>"
        }
        return "<ul class=\"tiles\">\(items.joined())</ul>"
    }

    private func latencies(_ run: RunReport) -> String {
        guard run.frames.ok > 0 else { return "" }
        let rows = run.latency.rows.map { name, summary in
            [name] + summary.cells([50, 90, 95, 99, 99.9])
        }
        let header = ["milliseconds", "mean", "p50", "p90", "p95", "p99", "p99.9", "max"]
        return """
            <h3>Latency of the frames that were read</h3>
            <p>Since due counts from when a frame should have been sent, so that a server that blocks the sender cannot \
            hide it. Since sent counts from when the socket took it. The server's stages are as it reports them.</p>
            \(HTML.table(header: header, rows: rows))
            """
    }

    private func outcomes(_ run: RunReport) -> String {
        let offered = Double(max(run.frames.offered, 1))
        var rows = run.frames.outcomes.map { outcome in
            [
                outcome.status.text, Decimals.count(outcome.count), Decimals.percent(Double(outcome.count) / offered),
            ]
        }
        rows.append(["offered", Decimals.count(run.frames.offered), "100 %"])
        rows.append([
            "sent more than 10 ms late", Decimals.count(run.frames.late),
            Decimals.percent(Double(run.frames.late) / offered),
        ])
        return """
            <h3>Frames by status</h3>
            \(HTML.table(header: ["status", "frames", "of those offered"], rows: rows))
            """
    }

    private func agreement(_ agreement: Agreement) -> String {
        let rows = [
            ["frames with the expected text", Decimals.count(agreement.framesSame)],
            ["frames that differ", Decimals.count(agreement.framesDifferent)],
            ["frames that were not read", Decimals.count(agreement.framesNotRead)],
            ["frames without an expectation", Decimals.count(agreement.framesUnknown)],
            ["words the same", Decimals.count(agreement.wordsSame)],
            ["words changed", Decimals.count(agreement.wordsChanged)],
            ["words missing", Decimals.count(agreement.wordsMissing)],
            ["words extra", Decimals.count(agreement.wordsExtra)],
            ["overlap of boxes, mean", Decimals.text(orDash: agreement.overlap?.mean, places: 3)],
            ["overlap of boxes, least", Decimals.text(orDash: agreement.overlap?.min, places: 3)],
            ["characters off by, pixels, mean", Decimals.text(orDash: agreement.centreError?.mean, places: 2)],
            ["characters off by, pixels, most", Decimals.text(orDash: agreement.centreError?.max, places: 2)],
        ]
        let examples = agreement.examples.map { "<li>\(HTML.text($0))</li>" }.joined()
        return """
            <h3>Comparison with the expected results</h3>
            \(agreement.framesCompared == 0 ? self.notice("Nothing was compared.") : "")
            \(HTML.table(header: ["", ""], rows: rows))
            \(examples.isEmpty ? "" : "<ul>\(examples)</ul>")
            """
    }

    private var origin: String {
        let arguments = self.report.arguments.map { argument in
            argument.allSatisfy { $0.isLetter || $0.isNumber || "-_./:=,%".contains($0) } ? argument : "'\(argument)'"
        }
        return """
            <footer>
            <p>Measured by glyphwire-replay \(HTML.text(self.report.version)) on \(HTML.text(self.report.machine)).</p>
            <pre>glyphwire-replay \(HTML.text(arguments.joined(separator: " ")))</pre>
            </footer>
            """
    }
}
