extension RunReport {
    /// Maximum number of bars; more would be narrower than a pixel.
    private static let maxBars = 300

    /// Diagrams of one run.
    var plots: [Plot] {
        let timeline = self.timeline.merged(to: Self.maxBars)
        return [
            self.percentiles, self.latencyOverTime(timeline), self.throughput(timeline), self.stagesOverTime(timeline),
            self.notRead(timeline),
        ]
    }

    private func time(of timeline: [TimelineEntry]) -> PlotScale {
        .linear(over: 0...max(timeline.last?.seconds ?? 1, 0.1))
    }

    private var warmUpRange: ClosedRange<Double>? { self.warmupSeconds > 0 ? 0...self.warmupSeconds : nil }

    private var percentiles: Plot {
        let latency = self.latency
        let kinds = [
            ("since due", 1, latency.sinceDue, false), ("since sent (uncorrected)", 2, latency.sinceSent, true),
            ("server", 3, latency.server, true),
        ]
        let values = kinds.flatMap { $0.2.curve.map(\.ms) }.filter { $0 > 0 }
        let (low, high) = (values.min() ?? 1, values.max() ?? 1)
        return Plot(
            title: "Latency by percentile",
            caption: "Latency by percentile of the frames that were read. Each step to the right "
                + "leaves a tenth of the frames. Where the uncorrected line is lower, frames waited to be sent.",
            x: .percentile(count: latency.sinceDue.count),
            y: high > 30 * low ? .logarithmic(over: low...high) : .linear(upTo: high),
            xName: "frames",
            yName: "milliseconds",
            lines: kinds.map { name, colour, summary, isDashed in
                Plot.Line(
                    name: name,
                    colour: colour,
                    isDashed: isDashed,
                    points: summary.curve.map { ($0.percentile, $0.ms) }
                )
            }
        )
    }

    private func latencyOverTime(_ timeline: [TimelineEntry]) -> Plot {
        let kinds: [(String, Int, (TimelineEntry) -> Double?)] = [
            // The maximum first, under the p99, which often equals it.
            ("max", 4, \.maxMs), ("p99", 2, \.p99Ms), ("p50", 1, \.p50Ms), ("age of the newest text", 5, \.ageMs),
        ]
        let most = timeline.flatMap { entry in kinds.compactMap { $0.2(entry) } }.max() ?? 1
        return Plot(
            title: "Latency over time",
            caption:
                "Since due, of the frames with a result in each second; and the age of the newest text at its end, "
                + "on the worst connection.",
            x: self.time(of: timeline),
            y: .linear(upTo: most),
            xName: "seconds",
            yName: "milliseconds",
            lines: kinds.map { name, colour, value in
                Plot.Line(
                    name: name,
                    colour: colour,
                    isDashed: colour == 5,
                    isBroad: colour == 4,
                    points: timeline.map { ($0.seconds - $0.length / 2, value($0)) }
                )
            },
            shaded: self.warmUpRange
        )
    }

    private func throughput(_ timeline: [TimelineEntry]) -> Plot {
        // A last entry of a few milliseconds has no meaningful rate, unless the run was no longer.
        let rated = timeline.filter { $0.length > 0.25 || timeline.count == 1 }
        let kinds: [(String, Int, (TimelineEntry) -> Int)] = [("sent", 2, \.sent), ("read", 1, \.ok)]
        let rate = { (value: Int, entry: TimelineEntry) in Double(value) / max(entry.length, 0.001) }
        let most = rated.flatMap { entry in kinds.map { rate($0.2(entry), entry) } }.max() ?? 1
        return Plot(
            title: "Throughput",
            caption: "Frames a second on all connections together; \(Decimals.short(self.offeredFps)) were offered.",
            x: self.time(of: timeline),
            y: .linear(upTo: max(most, self.offeredFps)),
            xName: "seconds",
            yName: "frames per second",
            lines: kinds.map { name, colour, value in
                Plot.Line(
                    name: name,
                    colour: colour,
                    isDashed: colour == 2,
                    points: rated.map { ($0.seconds - $0.length / 2, rate(value($0), $0)) }
                )
            },
            shaded: self.warmUpRange
        )
    }

    private func stagesOverTime(_ timeline: [TimelineEntry]) -> Plot {
        let bars = timeline.compactMap { entry in
            entry.stages.map { Plot.Bars.Bar(from: entry.seconds - entry.length, to: entry.seconds, parts: $0.values) }
        }
        return Plot(
            title: "Where the time went",
            caption:
                "From when a frame was due to its result, on average over the frames read in each second, from the "
                + "bottom in the order of the stages.",
            x: self.time(of: timeline),
            y: .linear(upTo: bars.map { $0.parts.reduce(0, +) }.max() ?? 1),
            xName: "seconds",
            yName: "milliseconds",
            bars: Plot.Bars(names: StageMeans.names, colours: [6, 7, 5, 3, 1, 2, 8], bars: bars),
            shaded: self.warmUpRange
        )
    }

    private func notRead(_ timeline: [TimelineEntry]) -> Plot {
        let kinds = Set(timeline.flatMap { $0.outcomes.map(\.status) }).sorted()
        let bars = timeline.map { entry in
            Plot.Bars.Bar(
                from: entry.seconds - entry.length,
                to: entry.seconds,
                parts: kinds.map { kind in Double(entry.outcomes.first { $0.status == kind }?.count ?? 0) }
            )
        }
        let total = self.frames.offered - self.frames.ok
        return Plot(
            title: "Frames that were not read",
            caption: total == 0
                ? "None: every frame that was offered was read."
                : "Frames that were dropped, lost, not sent, or ended with an error, by the second of their outcome.",
            x: self.time(of: timeline),
            y: .linear(upTo: max(bars.map { $0.parts.reduce(0, +) }.max() ?? 0, 5)),
            xName: "seconds",
            yName: "frames",
            bars: Plot.Bars(
                names: kinds.map(\.text),
                colours: kinds.indices.map { [2, 5, 4, 6, 3, 7, 8, 1][$0 % 8] },
                bars: bars
            ),
            shaded: self.warmUpRange
        )
    }
}
