import GlyphwireProtocol
import Testing

@testable import GlyphwireServer

@Suite struct ErrorDigestTests {
    @Test func repeatsAreCountedAndReportedOnceAMinute() {
        var digest = ErrorDigest()
        let start = ContinuousClock.now
        let seconds = [0, 1, 59, 60, 61, 119, 120, 200]
        let entries = seconds.map { digest.errorOccurred(.jpegCorrupt, at: start + .seconds($0)) }
        #expect(entries == [.first, nil, nil, .repeated(3), nil, nil, .repeated(3), .repeated(1)])
        #expect(digest.errorOccurred(.badOrientation, at: start + .seconds(201)) == .first)
        _ = digest.errorOccurred(.jpegCorrupt, at: start + .seconds(202))
        let rest = digest.takeRest()
        #expect(rest.map(\.code) == [.jpegCorrupt] && rest.map(\.count) == [1])
        #expect(digest.takeRest().isEmpty)
    }
}
