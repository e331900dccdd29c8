import GlyphwireProtocol
import Testing

@Suite struct WireErrorTests {
    @Test func codesAreDistinctAndSpelledAlike() {
        let strings = WireError.Code.allCases.map(\.rawValue)
        #expect(Set(strings).count == strings.count)
        #expect(strings.allSatisfy { $0.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" } })
    }

    @Test func onlyWhatCannotBeFollowedOrTrustedIsFatal() {
        let fatal = WireError.Code.allCases.filter(\.isFatal)
        #expect(
            fatal == [
                .messageTooLarge, .messageTooShort, .wrongProtocol, .authRequired, .authFailed, .tooManyGuesses,
                .timeout,
                .tooManyConnections, .slowReader,
            ]
        )
    }
}
