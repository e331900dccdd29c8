import Testing

@testable import GlyphwireHTTP

@Suite struct MultipartFormTests {
    private static let type = "multipart/form-data; boundary=XY"

    private func fields(_ body: String, _ type: String = Self.type) throws -> [(
        name: String, file: String?, text: String
    )] {
        let bytes = Array(body.utf8)
        return try MultipartForm(bytes, contentType: type).fields.map {
            ($0.name, $0.fileName, String(decoding: bytes[$0.range], as: UTF8.self))
        }
    }

    private static func part(_ disposition: String, _ content: String) -> String {
        "--XY\r\nContent-Disposition: form-data; \(disposition)\r\nContent-Type: image/png\r\n\r\n\(content)\r\n"
    }

    @Test func fieldsComeInOrderWithTheirNamesAndContents() throws {
        let body =
            Self.part(#"name="file"; filename="a b.png""#, "one\r\n--X\r\n") + Self.part("name=text", "")
            + Self.part(#"filename="c;\"d\".png"; name="e%22f""#, "\r\n") + "--XY--\r\n"
        let fields = try self.fields(body)
        #expect(fields.map(\.name) == ["file", "text", #"e"f"#])
        #expect(fields.map(\.file) == ["a b.png", nil, #"c;"d".png"#])
        #expect(fields.map(\.text) == ["one\r\n--X\r\n", "", "\r\n"])
    }

    @Test func theMediaTypeOfAFieldIsKnown() throws {
        let types = ["Content-Type:IMAGE/Png", "content-type: \ttext/plain; charset=utf-8", ":::", "Content-Type"]
        let parts = types.map { "--XY\r\n\($0)\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n" }
        let form = try MultipartForm(Array((parts.joined() + "--XY--").utf8), contentType: Self.type)
        #expect(form.fields.map(\.contentType) == ["image/png", "text/plain; charset=utf-8", nil, ""])
        #expect(form.fields.map(\.name) == ["a", "a", "a", "a"])
    }

    @Test func aNameMayBeginWithACombiningMark() throws {
        let body = Self.part("filename=\"\u{301}a.png\"; name=\"b%22\u{301};\"", "one") + "--XY--\r\n"
        let fields = try self.fields(body)
        #expect(fields.map(\.file) == ["\u{301}a.png"])
        #expect(fields.map(\.name) == ["b\"\u{301};"])
    }

    @Test(arguments: [
        "multipart/form-data; boundary=XY", #"multipart/form-data; charset=utf-8; boundary="XY""#,
        "Multipart/Form-Data;Boundary=XY",
    ])
    func theBoundaryMayBeWrittenInSeveralWays(type: String) throws {
        let body = "preamble\r\n" + Self.part("name=a", "1") + "--XY-- \r\nepilogue"
        #expect(try self.fields(body, type).map(\.text) == ["1"])
    }

    @Test func aFieldWithoutHeadersOrContentIsOneAllTheSame() throws {
        let body = "--XY \t\r\n\r\n\r\n\r\n--XY\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n--XY--"
        #expect(try self.fields(body).map(\.text) == ["", ""])
    }

    @Test(arguments: [
        ("", Self.type, "nowhere"), ("--XZ\r\n", Self.type, "nowhere"), ("--XY", Self.type, "ends before"),
        ("--XY\r\nA: b\r\n\r\ncontent", Self.type, "ends before"), ("--XY\r\nA: b", Self.type, "no end of its headers"),
        ("--XY\r\n" + String(repeating: "a", count: 9000) + "\r\n\r\n\r\n--XY--", Self.type, "within 8192 bytes"),
        ("--XY--", "multipart/form-data", "no boundary"), ("--XY--", "multipart/form-data; boundary=", "no boundary"),
        ("--XY--", "multipart/form-data; boundary=" + String(repeating: "a", count: 71), "1 to 70 bytes"),
        (String(repeating: Self.part("name=a", ""), count: 65) + "--XY--", Self.type, "more than 64 fields"),
    ])
    func whatIsNoFormIsRefused(body: String, type: String, reason: String) throws {
        let failure = #expect(throws: MultipartForm.Failure.self) { try self.fields(body, type) }
        #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
    }

    @Test func aBodyThatIsCutOffOrChangedAnywhereIsAFormOrRefused() throws {
        let body = Array(
            (Self.part(#"name="a"; filename="b""#, "content") + Self.part("name=c", "d") + "--XY--\r\n").utf8
        )
        for count in body.indices {
            #expect(throws: MultipartForm.Failure.self, "cut after \(count) bytes") {
                guard count >= body.count - 2 else {
                    return _ = try MultipartForm(Array(body[..<count]), contentType: Self.type)
                }
                throw MultipartForm.Failure("only the end of the last line is missing")
            }
            for byte in [0, 10, 13, 34, 45, 59, 61, 92, 255] as [UInt8] {
                var changed = body
                changed[count] = byte
                let fields = (try? MultipartForm(changed, contentType: Self.type).fields) ?? []
                #expect(fields.allSatisfy { $0.range.lowerBound >= 0 && $0.range.upperBound <= changed.count })
            }
        }
    }
}
