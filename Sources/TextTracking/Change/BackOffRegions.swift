/// Back-off of regions that change before a still camera: which are scanned, and which are not before the next frame.
///
/// Where a scan finds no text, the next frame is not scanned, and the one after that is: what moves and is no text costs half,
/// and text that appears there is reported one frame late at most.
struct BackOffRegions {
    /// Regions that are scanned.
    let scanned: [Box]
    /// Regions that are not scanned.
    let skipped: [Box]
    /// Regions of ``scanned`` in which no text appeared or was lost.
    private var withoutText: [Box] = []

    /// No regions.
    init() { (self.scanned, self.skipped) = ([], []) }

    /// Divides the regions of a frame.
    ///
    /// - Parameters:
    ///   - regions: Where something changed.
    ///   - previous: The regions of the frame before.
    ///   - changedText: Where text has changed, which is always scanned.
    init(_ regions: [Box], after previous: BackOffRegions, changedText: [Box]) {
        func isSkipped(_ region: Box) -> Bool {
            previous.withoutText.contains(where: region.touches)
                && !(previous.skipped + changedText).contains(where: region.touches)
        }
        self.scanned = regions.filter { !isSkipped($0) }
        self.skipped = regions.filter(isSkipped)
    }

    /// Records the result of the scan.
    ///
    /// - Parameter text: Where text appeared or was lost.
    mutating func record(text: [Box]) {
        self.withoutText = self.scanned.filter { !text.contains(where: $0.touches) }
    }
}
