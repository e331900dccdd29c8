import GlyphwireProtocol
import TextFormats
import Testing

@testable import GlyphwireHTTP

/// What errors quote of a request in which one character is as long as the body may be.
@Suite struct QuotedTextTests {
    private static let character = "e" + String(repeating: "\u{301}", count: 100_000)
    /// An error has a sentence, and 64 scalars of each of two names.
    private static let maxScalarCount = 300

    @Test func featuresAreQuotedInPart() throws {
        let features = [
            AnnotateRequest.Feature(type: Self.character),
            AnnotateRequest.Feature(type: "TEXT_DETECTION", model: Self.character),
        ]
        let message = try #require(FeatureDemand(features).refusal?.message)
        #expect(message.unicodeScalars.count < Self.maxScalarCount)
        #expect(message.hasSuffix("… are not offered here; the text was read"), "\(message)")
    }

    @Test func membersAreQuotedInPart() {
        let body = #"{"\#(Self.character)":1}"#
        #expect { try AnnotateRequest(Array(body.utf8), holding: HeldMemory(nil)) } throws: { error in
            guard let message = (error as? JSONError)?.description else { return false }
            return message.hasPrefix("unknown name") && message.unicodeScalars.count < Self.maxScalarCount
        }
    }

    @Test func charactersOfAMaskAreQuotedInPart() {
        #expect { try FieldMask("responses.\(Self.character)", schema: .annotations) } throws: { error in
            guard let message = (error as? FieldMask.Failure)?.message else { return false }
            return message.hasPrefix("expected the name") && message.unicodeScalars.count < Self.maxScalarCount
        }
    }

    @Test func codingsAreQuotedInPart() {
        #expect { try ContentCoding.codings(of: Self.character) } throws: { error in
            guard case .unknownCoding(let name)? = error as? BodyError else { return false }
            return name.unicodeScalars.count < Self.maxScalarCount
        }
    }
}
