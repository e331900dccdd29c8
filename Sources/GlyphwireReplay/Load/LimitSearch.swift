/// Search for the greatest load that meets a limit, by doubling and then bisection.
///
/// A load that misses it is tried once more before that counts: whatever else the machine does can be the cause, and
/// would halve the answer.
package struct LimitSearch: Sendable {
    /// The greatest load that is tried.
    private let most: Int
    /// The greatest load that was met; 0 before there is one.
    package private(set) var met = 0
    /// The least load that was not met; `nil` before there is one.
    package private(set) var missed: Int?

    /// The load that was not met at its first try.
    private var failedOnce: Int?

    /// A search from 1 up to `most`.
    package init(most: Int) {
        self.most = most
    }

    /// The load to try next; `nil` once the answer is known.
    package var next: Int? {
        if let failedOnce = self.failedOnce { return failedOnce }
        guard let missed = self.missed else {
            return self.met < self.most ? min(max(self.met * 2, 1), self.most) : nil
        }
        return missed - self.met > 1 ? self.met + (missed - self.met) / 2 : nil
    }

    /// What became of a load that was tried.
    package mutating func tried(_ load: Int, isMet: Bool) {
        let isRepeated = !isMet && self.failedOnce != load
        self.failedOnce = isRepeated ? load : nil
        if isMet {
            self.met = max(self.met, load)
        } else if !isRepeated {
            self.missed = min(self.missed ?? load, load)
        }
    }
}
