import ImageCodecs
import TextModel
import TextRecognition
import Testing

@testable import TextTracking

/// Streams with named regions.
@Suite struct StreamTrackerTests {
    /// Reader that finds one line around everything that is not white, whose text is the darkest byte and the characters allowed.
    private final class SpotReader: RegionReader {
        private(set) var scanCount = 0

        private func spot(in frame: UprightFrame) -> (line: DetectedLine, byte: UInt8)? {
            let view = frame.view
            var (xs, ys, least) = ([Int](), [Int](), UInt8.max)
            for y in 0..<view.height {
                for x in 0..<view.width {
                    let byte = view.base.load(fromByteOffset: y * view.bytesPerRow + x, as: UInt8.self)
                    guard byte < 255 else { continue }
                    least = min(least, byte)
                    xs.append(x)
                    ys.append(y)
                }
            }
            guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else {
                return nil
            }
            let quad = Quad(
                x: Float(left),
                y: Float(top),
                width: Float(right - left + 1),
                height: Float(bottom - top + 1)
            )
            return (DetectedLine(quad, score: 0.9, in: frame), least)
        }

        func detect(in frame: UprightFrame, regions: [PixelRect]?, options: ReadingOptions) throws(RecognitionError)
            -> [DetectedLine]
        {
            self.scanCount += 1
            return self.spot(in: frame).map { [$0.line] } ?? []
        }

        func propose(in frame: UprightFrame, options: ReadingOptions) throws(RecognitionError) -> [DetectedLine] {
            self.spot(in: frame).map { [$0.line] } ?? []
        }

        func read(
            _ lines: [DetectedLine],
            in frame: UprightFrame,
            options: ReadingOptions,
            votes: inout LineVotes
        ) throws(RecognitionError) -> [TextLine?] {
            lines.map { line in
                let text = "\(self.spot(in: frame)?.byte ?? 0)\(options.allowedCharacters?.source ?? "")"
                let box = frame.sent(line.rect.quad)
                let word = TextWord(text: text, confidence: 1, box: box, characters: [])
                return TextLine(
                    text: text,
                    confidence: 1,
                    box: box,
                    words: [word],
                    scores: TextLine.Scores(detection: 0.9, recognition: 1)
                )
            }
        }

        func detectionCost(of regions: [PixelRect], in frame: UprightFrame, options: ReadingOptions) -> Float { 1 }

        func read(_ pixels: PixelView, orientation: Orientation, options: ReadingOptions) throws(RecognitionError)
            -> Reading
        {
            throw RecognitionError(.inferenceFailed, "a stream reads line by line")
        }
    }

    private static let left = region("left", x: 0)
    private static let right = region("right", x: 0.5)

    private static func region(_ name: String, x: Double, characters: String? = nil) -> ReadingRegion {
        let area = Region(x: x, y: 0, width: 0.5, height: 0.5)
        let options = ReadingOptions(allowedCharacters: characters.flatMap { AllowedCharacters($0) })
        return ReadingRegion(name: name, outline: .rectangle(area), options: options)
    }

    /// A white picture of 400 x 200 with spots of 60 x 40: 10 at the top left, 20 at the top right, 30 at the bottom.
    private static let picture: [UInt8] = {
        var bytes = [UInt8](repeating: 255, count: 400 * 200)
        for (left, top, value) in [(60, 30, 10), (260, 30, 20), (60, 140, 30)] {
            for y in top..<top + 40 {
                for x in left..<left + 60 { bytes[y * 400 + x] = UInt8(value) }
            }
        }
        return bytes
    }()

    private let tracker = StreamTracker()

    private func see(
        _ regions: [ReadingRegion],
        orientation: Orientation = .up,
        options: ReadingOptions = ReadingOptions(),
        at milliseconds: Int
    ) throws -> ReportedReading {
        let reading = try Self.picture.withUnsafeBytes { bytes throws -> StreamReading in
            let base = try #require(bytes.baseAddress)
            let view = PixelView(base: base, width: 400, height: 200, bytesPerRow: 400, format: .gray)
            return try self.tracker.read(
                view,
                orientation: orientation,
                options: options,
                regions: regions,
                refresh: .seconds(60),
                at: .milliseconds(milliseconds),
                with: SpotReader()
            )
        }
        return ReportedReading(reading, of: self.tracker)
    }

    private static func short(_ reading: ReportedReading) -> [String] {
        reading.lines.map { "\($0.region ?? "-") \($0.text) \($0.words[0].id ?? 0)" }
    }

    @Test func aRegionThatChangesLeavesTheIDsOfTheOthers() throws {
        let first = try self.see([Self.left, Self.right], at: 0)
        #expect(Self.short(first) == ["left 10 1", "right 20 2"])
        #expect(first.lines[1].box.bounds == (260, 30, 320, 70))
        let changed = try self.see([Self.region("left", x: 0, characters: "0-9"), Self.right], at: 40)
        #expect(Self.short(changed) == ["left 100-9 3", "right 20 2"])
        #expect(changed.lost == [1])
        #expect(changed.lines.map(\.state) == [.new, .read])
        let removed = try self.see([Self.right], at: 80)
        #expect(Self.short(removed) == ["right 20 2"])
        #expect(removed.lost == [3])
        let moved = try self.see([Self.region("right", x: 0)], at: 120)
        #expect(Self.short(moved) == ["right 10 4"])
        #expect(moved.lost == [2])
    }

    @Test func theScanForTheOrientationCounts() throws {
        var region = Self.left
        region.options.upright = .auto
        let first = try self.see([region], options: region.options, at: 0)
        #expect(first.work == TrackingWork(scan: .full, linesRead: 1))
        #expect(!first.isReused)
        #expect(try self.see([region], options: region.options, at: 40).work.scan == .none)
    }

    @Test func idsGoOnWithoutRegions() throws {
        #expect(Self.short(try self.see([Self.left], at: 0)) == ["left 10 1"])
        let whole = try self.see([], at: 40)
        #expect(whole.lines.map(\.region) == [nil])
        #expect(whole.lines[0].words[0].id == 2)
        #expect(whole.lost == [1])
    }

    @Test func theOptionsOfTheStreamSayWhetherItsPicturesAreTurned() throws {
        let reader = SpotReader()
        var options = ReadingOptions()
        options.upright = .auto
        Self.picture.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            let view = PixelView(base: base, width: 400, height: 200, bytesPerRow: 400, format: .gray)
            // The regions themselves are beyond this reader.
            _ = try? ReadingRegion.read([Self.left], of: view, orientation: .up, options: options, with: reader)
        }
        #expect(reader.scanCount == 1)
    }

    @Test func regionsAreOfTheUprightPicture() throws {
        // Turned by 90° clockwise, the picture's lower left corner is at the top left.
        let area = Region(x: 0, y: 0, width: 0.5, height: 0.5)
        let region = ReadingRegion(name: "a", outline: .rectangle(area), options: ReadingOptions())
        let reading = try self.see([region], orientation: .right, at: 0)
        #expect(reading.lines.map(\.text) == ["30"])
        #expect(reading.lines[0].box.bounds == (60, 140, 120, 180))
    }

    @Test func aPolygonHasTheWordsWhoseCentreIsInside() throws {
        func polygon(_ corners: [(Double, Double)]) -> ReadingRegion {
            let corners = corners.map { RegionOutline.Corner(x: $0.0, y: $0.1) }
            return ReadingRegion(name: "a", outline: .polygon(corners), options: ReadingOptions())
        }
        // The centre of the spot is at 0.225, 0.25 of the picture; both triangles have it in the rectangle around them.
        #expect(try self.see([polygon([(0, 0), (0.5, 0), (0, 0.6)])], at: 0).lines.map(\.text) == ["10"])
        #expect(try self.see([polygon([(0.5, 0), (0.5, 0.6), (0, 0.6)])], at: 40).lines.isEmpty)
    }

    @Test func aRegionWithoutTextHasNoLines() throws {
        let area = Region(x: 0.6, y: 0.6, width: 0.001, height: 0.4)
        let region = ReadingRegion(name: "a", outline: .rectangle(area), options: ReadingOptions())
        #expect(try self.see([region], at: 0).lines.isEmpty)
        #expect(try self.see([region], at: 40).isReused)
    }
}
