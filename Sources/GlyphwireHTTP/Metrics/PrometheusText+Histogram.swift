internal import GlyphwireServer

extension PrometheusText.Samples {
    /// Writes the samples of a histogram of durations, in seconds.
    mutating func add(_ histogram: DurationHistogram, _ labels: KeyValuePairs<String, String> = [:]) {
        let labels = labels.map { ($0.key, $0.value) }
        var count = 0
        for (bound, inBucket) in zip(DurationHistogram.bounds, histogram.counts) {
            count += inBucket
            self.add(count, labels + [("le", "\(Double(bound) / 1_000_000)")], suffix: "_bucket")
        }
        self.add(histogram.count, labels + [("le", "+Inf")], suffix: "_bucket")
        self.add(Double(histogram.sum) / 1_000_000, labels, suffix: "_sum")
        self.add(histogram.count, labels, suffix: "_count")
    }
}
