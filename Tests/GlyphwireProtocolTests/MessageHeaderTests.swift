import GlyphwireProtocol
import TextModel
import NIOCore
import Testing

@Suite struct MessageHeaderTests {
    static let full = MessageHeader(
        type: .frame,
        format: .grayLZ4Block,
        orientation: 6,
        flags: 0x0F,
        sequence: 0x0102_0304_0506_0708,
        capturedMicroseconds: .max,
        width: 0x1122,
        height: 0x3344,
        bytesPerRow: 0x5566_7788,
        payloadByteCount: 3
    )

    @Test func everyFieldHasTheOffsetOfTheTable() {
        var buffer = ByteBuffer()
        Self.full.write(into: &buffer)
        #expect(
            Array(buffer.readableBytesView) == [
                0, 0, 0, 31, 1, 6, 6, 0x0F, 1, 2, 3, 4, 5, 6, 7, 8, 255, 255, 255, 255, 255, 255, 255, 255,
                0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88,
            ]
        )
    }

    @Test func whatWasWrittenIsReadBack() throws {
        var buffer = ByteBuffer()
        Self.full.write(into: &buffer)
        let header = try MessageHeader(reading: &buffer, limits: WireLimits())
        #expect(header == Self.full)
        #expect(buffer.readableBytes == 0)
    }

    @Test func thePayloadMayTakeWhatTheLengthLeavesOfTheLimit() throws {
        let limits = WireLimits(maxMessageBytes: 100)
        #expect(limits.maxPayloadBytes == 72 && MessageHeader.length(ofPayload: 72) == 100)
        #expect(WireLimits(maxMessageBytes: .min).maxPayloadBytes == 0)
        for (byteCount, isAllowed) in [(72, true), (73, false)] {
            var buffer = ByteBuffer()
            MessageHeader(type: .frame, payloadByteCount: byteCount).write(into: &buffer)
            let header = try? MessageHeader(reading: &buffer, limits: limits)
            #expect((header != nil) == isAllowed)
        }
    }

    @Test func aPartOfAHeaderIsLeftWhereItIs() throws {
        var whole = ByteBuffer()
        Self.full.write(into: &whole)
        for count in 0..<MessageHeader.byteCount {
            var part = whole.getSlice(at: 0, length: count) ?? ByteBuffer()
            #expect(try MessageHeader(reading: &part, limits: WireLimits()) == nil)
            #expect(part.readableBytes == count)
        }
    }

    @Test(
        arguments: [
            (0, .messageTooShort), (1, .messageTooShort), (27, .messageTooShort), (28, nil), (1000, nil),
            (1001, .messageTooLarge), (1 << 31 - 1, .messageTooLarge), (1 << 31, .messageTooLarge),
            (UInt32.max, .messageTooLarge),
        ] as [(UInt32, WireError.Code?)]
    )
    func theLengthIsJudgedFromItsFourBytesAlone(length: UInt32, code: WireError.Code?) {
        var buffer = ByteBuffer(integer: length)
        let error = wireError { () throws(WireError) in
            try MessageHeader(reading: &buffer, limits: WireLimits(maxMessageBytes: 1000))
        }
        #expect(error?.code == code)
        #expect(error == nil || error?.message.contains("\(length) bytes") == true)
    }

    @Test func aTextProtocolIsReportedWithTheTextInPlaceOfTheLength() {
        var buffer = ByteBuffer(string: "GET / HTTP/1.1\r\n")
        let error = wireError { () throws(WireError) in try MessageHeader(reading: &buffer, limits: WireLimits()) }
        #expect(error?.code == .messageTooLarge)
        #expect(error?.message.contains("\"GET \"") == true)
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: box\r\n\r\n", "HTTP request"),
        ("GET / HTTP/1.1\r\nHost: box\r\nUpgrade: WebSocket\r\n\r\n", "WebSocket"),
        ("OPTIONS * HTTP/1.1\r\nHost: box\r\nX: rtsp://\r\n\r\n", "HTTP request"),
        ("OPTIONS rtsp://box/cam RTSP/1.0\r\nCSeq: 1\r\n\r\n", "RTSP"),
        ("{\"level\":\"fast\"}\n", "JSON"), ("{\r\n \"level\":\"fast\"}", "JSON"),
        ("PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n", "--proxy-protocol"),
        ("\r\n\r\n\0\r\nQUIT\n", "--proxy-protocol"), ("SSH-2.0-OpenSSH\r\n", "behind a header"),
        ("OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n", "RTSP"), ("DESCRIBE rtsp://box/cam RTSP/1.0\r\n", "RTSP"),
    ])
    func theAdviceIsForTheProtocolThatIsSpoken(request: String, hint: String) {
        var assembler = MessageAssembler()
        var bytes = ByteBuffer(string: request)
        assembler.append(&bytes)
        let error = wireError { () throws(WireError) in try assembler.next() }
        #expect(error?.code == .messageTooLarge && error?.message.contains(hint) == true, "\(error?.message ?? "")")
    }

    @Test(
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE1], "how a JPEG begins"), ([0x89, 0x50, 0x4E, 0x47], "how a PNG begins"),
            (Array("GIF8".utf8), "how a GIF begins"), (Array("RIFF".utf8), "how a WebP begins"),
            ([0x7B, 0xBC, 0, 0], "if it has 48251, send the length with its most significant byte first"),
            ([0x71, 0xBC, 0, 0], "if it has 48241, send the length with its most significant byte first"),
            ([0xFF, 0xFF, 0xFF, 0xFF], "send smaller frames, or JPEG"),
            ([0x06, 0, 0, 0], "send smaller frames, or JPEG"),
        ] as [([UInt8], String)]
    )
    func bytesThatAreNoLengthAreRecognized(bytes: [UInt8], hint: String) {
        var buffer = ByteBuffer(bytes: bytes)
        let error = wireError { () throws(WireError) in try MessageHeader(reading: &buffer, limits: WireLimits()) }
        #expect(error?.code == .messageTooLarge && error?.message.contains(hint) == true, "\(error?.message ?? "")")
    }

    @Test func onlyTheTypesOfTheTableAreValid() {
        for raw in UInt8.min...UInt8.max {
            var header = Self.full
            header.type = raw
            let error = wireError { () throws(WireError) in try header.checkedType() }
            #expect(error?.code == (1...5 ~= raw ? nil : .unknownType))
        }
    }

    @Test func onlyTheHighHalfOfTheFlagsMustBeUnderstood() {
        for flags in UInt8.min...UInt8.max {
            var header = Self.full
            header.flags = flags
            let error = wireError { () throws(WireError) in try header.checkedType() }
            #expect(error?.code == (flags < 16 ? nil : .unsupportedFlag))
        }
    }
}
