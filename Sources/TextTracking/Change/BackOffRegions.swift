/// Which parts of a frame that changed before a still camera are scanned, and which are only in the next frame.
///
/// Where text was looked for in vain, the next frame is not scanned, and the one after that is: what moves and is no text
/// costs half, and text that comes up there is reported one frame late at most.
struct BackOffRegions {
    /// What is scanned now.
    let due: [Box]
    /// What is not.
    let resting: [Box]
    /// What of ``due`` was scanned in vain.
    private var fruitless: [Box] = []

    /// No parts.
    init() { (self.due, self.resting) = ([], []) }

    /// The parts of a frame.
    ///
    /// - Parameters:
    ///   - parts: Where something changed.
    ///   - before: The parts of the frame before.
    ///   - places: Where text has changed, which is always looked at.
    init(_ parts: [Box], after before: BackOffRegions, changedText places: [Box]) {
        func rests(_ part: Box) -> Bool {
            before.fruitless.contains(where: part.touches) && !(before.resting + places).contains(where: part.touches)
        }
        self.due = parts.filter { !rests($0) }
        self.resting = parts.filter(rests)
    }

    /// What is due was scanned.
    ///
    /// - Parameter places: Where text came up, or was lost.
    mutating func scanned(found places: [Box]) {
        self.fruitless = self.due.filter { !places.contains(where: $0.touches) }
    }
}
