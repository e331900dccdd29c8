extension [TimelineEntry] {
    /// The same timeline in at most `count` entries of equal length, as far as possible.
    func merged(to count: Int) -> [TimelineEntry] {
        guard self.count > count, count > 0 else { return self }
        let width = (self.count + count - 1) / count
        return stride(from: 0, to: self.count, by: width).compactMap { start in
            TimelineEntry(merging: self[start..<Swift.min(start + width, self.count)])
        }
    }
}

extension TimelineEntry {
    /// Merges consecutive entries into one, with sums of counts, maximum latencies and mean stages.
    fileprivate init?(merging entries: ArraySlice<TimelineEntry>) {
        guard var merged = entries.last else { return nil }
        var outcomes: [FrameStatus: Int] = [:]
        for outcome in entries.flatMap(\.outcomes) { outcomes[outcome.status, default: 0] += outcome.count }
        merged.length = entries.reduce(0) { $0 + $1.length }
        merged.isWarmUp = entries.first?.isWarmUp ?? false
        merged.sent = entries.reduce(0) { $0 + $1.sent }
        merged.ok = entries.reduce(0) { $0 + $1.ok }
        merged.outcomes = StatusCount.list(outcomes)
        merged.p50Ms = entries.compactMap(\.p50Ms).max()
        merged.p99Ms = entries.compactMap(\.p99Ms).max()
        merged.maxMs = entries.compactMap(\.maxMs).max()
        merged.ageMs = entries.compactMap(\.ageMs).max()
        merged.stages = StageMeans(averaging: entries.compactMap { entry in entry.stages.map { ($0, entry.ok) } })
        self = merged
    }
}

extension StageMeans {
    /// Averages the means of several entries, weighted by their frames.
    fileprivate init?(averaging entries: [(means: StageMeans, frames: Int)]) {
        let frames = entries.reduce(0) { $0 + $1.frames }
        guard frames > 0 else { return nil }
        let mean = { (stage: (StageMeans) -> Double) in
            entries.reduce(0) { $0 + stage($1.means) * Double($1.frames) } / Double(frames)
        }
        self.init(
            held: mean(\.held),
            wire: mean(\.wire),
            queue: mean(\.queue),
            decode: mean(\.decode),
            detect: mean(\.detect),
            recognize: mean(\.recognize),
            other: mean(\.other)
        )
    }
}
