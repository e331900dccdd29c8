/// The secret that a client must show before it is served.
package struct AccessToken: Sendable {
    private let bytes: [UInt8]

    /// The secret `text`, in UTF-8.
    package init(_ text: String) { self.bytes = Array(text.utf8) }

    /// Whether `guess` is the secret, in a time that does not depend on how much of it is right.
    package func matches(_ guess: String) -> Bool {
        let guessed = Array(guess.utf8)
        var difference = self.bytes.count ^ guessed.count
        for (index, byte) in self.bytes.enumerated() {
            // A guess of another length is wrong already; comparing the secret with itself keeps the work the same.
            let other = guessed.count == self.bytes.count ? guessed[index] : byte
            difference |= Int(byte ^ other)
        }
        return difference == 0
    }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible {
    /// Never the secret: it must not get into a log.
    package var description: String { "<token>" }
    package var debugDescription: String { self.description }
}
