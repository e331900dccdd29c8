internal import TextModel

extension [Track] {
    /// Those that the latest frame does not show.
    var lost: [Track] { self.filter { $0.status == .lost } }

    /// Gives each word without a number that of the word that was lost in its place, or the next one.
    ///
    /// Words of a line that waits hand no number on before they are reported, so that they are new then.
    mutating func number(from lostWords: ReidentificationBuffer, at time: Duration, next: inout UInt64) {
        let due = self.indices.filter { !self[$0].awaitsFullScan && self[$0].wordIDs.contains(WordIDs.none) }
        guard !due.isEmpty else { return }
        var lost = [lostWords.source(without: Set(self.flatMap(\.wordIDs)), at: time)]
        for index in due {
            self[index].inheritIDs(from: &lost)
            for word in self[index].wordIDs.indices where self[index].wordIDs[word] == WordIDs.none {
                self[index].wordIDs[word] = next
                next += 1
            }
        }
    }

    /// Has what came up as single characters wait for a full scan, where no text was known.
    ///
    /// When a camera moves, marks and pieces of rules come up in parts of the frame, and look like 一 or 口 there. In all of the
    /// frame they do not.
    mutating func distrustCharacters(insteadOf lost: [Track]) {
        for index in self.indices where self[index].state == .new && self[index].isCharacters {
            let place = self[index].place
            self[index].awaitsFullScan = !lost.contains { $0.place.intersectionArea(with: place) > 0 }
        }
    }
}
