extension LoadReport {
    /// Diagrams that compare several runs by their offered load.
    var plots: [Plot] {
        let runs = self.runs.sorted { $0.offeredFps < $1.offeredFps }
        let most = runs.last?.offeredFps ?? 1
        let latencies = runs.filter { $0.latency.sinceDue.count > 0 }
        let values = latencies.flatMap { [$0.latency.sinceDue.p50Ms, $0.latency.sinceDue.p99Ms] }.filter { $0 > 0 }
        let (low, high) = (values.min() ?? 1, values.max() ?? 1)
        return [
            Plot(
                title: "Throughput by load",
                caption: "Frames read a second, and those of them in time, against those offered. A server that keeps "
                    + "up stays on the dashed line.",
                x: .linear(upTo: most),
                y: .linear(upTo: most),
                xName: "frames per second offered",
                yName: "frames per second",
                lines: [
                    Plot.Line(name: "offered", colour: 5, isDashed: true, points: [(0, 0), (most, most)]),
                    Plot.Line(name: "read", colour: 1, points: runs.map { ($0.offeredFps, $0.fps) }),
                    Plot.Line(
                        name: "in time",
                        colour: 3,
                        points: runs.map { ($0.offeredFps, $0.keepUp * $0.offeredFps) }
                    ),
                ]
            ),
            Plot(
                title: "Latency by load",
                caption: "Since due, of the frames that were read.",
                x: .linear(upTo: most),
                y: high > 30 * low ? .logarithmic(over: low...high) : .linear(upTo: high),
                xName: "frames per second offered",
                yName: "milliseconds",
                lines: [
                    Plot.Line(
                        name: "p50",
                        colour: 1,
                        points: latencies.map { ($0.offeredFps, $0.latency.sinceDue.p50Ms) }
                    ),
                    Plot.Line(
                        name: "p99",
                        colour: 2,
                        points: latencies.map { ($0.offeredFps, $0.latency.sinceDue.p99Ms) }
                    ),
                ]
            ),
        ]
    }
}
