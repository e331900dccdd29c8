import Foundation
import GlyphwireProtocol
import Testing

@Suite struct WireErrorTests {
    @Test func codesAreDistinctAndSpelledAlike() {
        let strings = WireError.Code.allCases.map(\.rawValue)
        #expect(Set(strings).count == strings.count)
        #expect(strings.allSatisfy { $0.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" } })
    }

    @Test func errorsAreEqualOnlyWithTheirMessages() {
        let error = WireError(.badOption, "use 0 to 1")
        #expect(error == WireError(.badOption, "use 0 to 1"))
        #expect(error != WireError(.badOption, "use true or false"))
        #expect(error != WireError(.unknownOption, "use 0 to 1"))
    }

    @Test func theyStandInTheOrderOfTheTableInProtocol() throws {
        let document = try ProtocolDocument().text
        let table = document.components(separatedBy: "\n## Errors\n")[1].components(separatedBy: "\n## ")[0]
        let codes = table.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { $0.split(separator: "`")[1] }
        #expect(codes.map { WireError.Code(rawValue: String($0)) } == WireError.Code.allCases)
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
