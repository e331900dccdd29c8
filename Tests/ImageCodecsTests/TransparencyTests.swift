import ImageCodecs
import Testing

/// Backdrops of pictures with transparency.
@Suite("Transparency")
struct TransparencyTests {
    private typealias Ink = TransparentPicture.Ink

    /// The gray of a picture's backdrop, from an empty corner.
    private func backdrop(_ picture: TransparentPicture, _ kind: TransparentPicture.Kind = .colour) throws -> UInt8 {
        let pixels = try PictureFile(bytes: picture.png(kind), path: "drawn.png").picture().pixels
        return try #require(pixels.bytes.first)
    }

    private func letters(_ ink: Ink, edge: Ink? = nil) -> TransparentPicture {
        var picture = TransparentPicture()
        picture.letters(10..<150, 10..<50, in: ink, edge: edge)
        return picture
    }

    @Test("light letters are laid on black", arguments: TransparentPicture.Kind.allCases)
    func light(kind: TransparentPicture.Kind) throws {
        #expect(try self.backdrop(self.letters(Ink(255)), kind) == 0)
    }

    @Test("dark letters are laid on white", arguments: TransparentPicture.Kind.allCases)
    func dark(kind: TransparentPicture.Kind) throws {
        #expect(try self.backdrop(self.letters(Ink(0)), kind) == 255)
    }

    @Test("coloured letters get a backdrop with contrast")
    func coloured() throws {
        let light = [Ink(red: 255, green: 230, blue: 0), Ink(red: 0, green: 255, blue: 255), Ink(200)]
        for ink in light { #expect(try self.backdrop(self.letters(ink)) == 0, "\(ink)") }
        let dark = [
            Ink(red: 220, green: 0, blue: 0), Ink(red: 0, green: 0, blue: 255), Ink(red: 0, green: 130, blue: 0),
            Ink(128),
            Ink(60),
        ]
        for ink in dark { #expect(try self.backdrop(self.letters(ink)) == 255, "\(ink)") }
    }

    @Test("letters that are half seen through are laid like others")
    func half() throws {
        #expect(try self.backdrop(self.letters(Ink(255, alpha: 100))) == 0)
        #expect(try self.backdrop(self.letters(Ink(0, alpha: 100))) == 255)
    }

    @Test("letters and the lines around them are both seen", arguments: [(255, 0), (0, 255)])
    func outlined(ink: UInt8, edge: UInt8) throws {
        #expect(try self.backdrop(self.letters(Ink(ink), edge: Ink(edge))) == 128)
        // A shadow or a glow.
        let gray = try self.backdrop(self.letters(Ink(ink), edge: Ink(edge, alpha: 140)))
        #expect(abs(Int(gray) - Int(ink)) >= 112)
    }

    @Test("letters of which some are light and some dark are all seen")
    func mixed() throws {
        for share in [20..<80, 20..<40, 20..<130] {
            var picture = self.letters(Ink(255))
            picture.fill(0..<160, 0..<60, with: Ink(0, alpha: 0))
            picture.letters(share, 10..<50, in: Ink(255))
            picture.letters(share.upperBound + 2..<158, 10..<50, in: Ink(20))
            #expect(try self.backdrop(picture) == 128, "\(share)")
        }
    }

    @Test("a seam of another colour around letters does not count")
    func seam() throws {
        #expect(try self.backdrop(self.letters(Ink(0), edge: Ink(255, alpha: 30))) == 255)
        #expect(try self.backdrop(self.letters(Ink(255), edge: Ink(0, alpha: 30))) == 0)
    }

    @Test("a dark panel keeps white around it, and light letters beside a white panel are visible")
    func panels() throws {
        var picture = TransparentPicture(width: 200, height: 160)
        picture.fill(10..<190, 10..<80, with: Ink(30))
        picture.letters(30..<170, 30..<60, in: Ink(255))
        #expect(try self.backdrop(picture) == 255)
        picture.fill(10..<190, 10..<80, with: Ink(255))
        picture.letters(30..<170, 30..<60, in: Ink(0))
        picture.letters(30..<170, 100..<150, in: Ink(255))
        #expect(try self.backdrop(picture) != 255)
        // Black letters below.
        picture.letters(30..<170, 100..<150, in: Ink(0))
        #expect(try self.backdrop(picture) == 128)
    }

    @Test("letters cut out of a white sheet are seen")
    func cutOut() throws {
        var picture = TransparentPicture()
        picture.fill(0..<160, 0..<60, with: Ink(255))
        picture.letters(10..<150, 10..<50, in: Ink(0, alpha: 0))
        let pixels = try PictureFile(bytes: picture.png(), path: "drawn.png").picture().pixels
        #expect(pixels.bytes.min() == 0)
    }

    @Test("a sheet with clear corners, and one without anything, lie on white")
    func corners() throws {
        var picture = TransparentPicture()
        #expect(try self.backdrop(picture) == 255)
        picture.fill(0..<160, 0..<60, with: Ink(255))
        picture.letters(20..<140, 10..<50, in: Ink(0))
        for columns in [0..<8, 152..<160] {
            for rows in [0..<8, 52..<60] { picture.fill(columns, rows, with: Ink(0, alpha: 0)) }
        }
        #expect(try self.backdrop(picture) == 255)
    }

    @Test("each pixel is mixed with the gray by its alpha")
    func mixing() throws {
        var picture = self.letters(Ink(255))
        picture.fill(0..<2, 0..<1, with: Ink(200, alpha: 128))
        let pixels = try PictureFile(bytes: picture.png(), path: "drawn.png").picture().pixels
        #expect(Array(pixels.bytes[..<8]) == [100, 100, 100, 255, 100, 100, 100, 255])
        #expect(Array(pixels.bytes[8..<12]) == [0, 0, 0, 255])
    }
}
