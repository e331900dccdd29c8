internal import FramePipeline
internal import GlyphwireProtocol
internal import ImageCodecs
internal import TextFormats
internal import TextModel
internal import TextRecognition

/// Reader of picture files on one thread.
struct PictureReader: ~Copyable {
    /// What is the same for all pictures.
    struct Settings: Sendable {
        /// The options.
        let configuration: StreamConfiguration
        /// The orientation of the pictures; 0 takes it from the files.
        let orientation: UInt8
        /// The limits, checked before memory is allocated.
        let limits: WireLimits
        /// Whether pages have their picture.
        let embedsPictures: Bool
        /// Maximum time for the download of a picture.
        let timeout: Duration
    }

    /// Picture that was read.
    struct Reading: Sendable {
        /// The page of the document.
        let page: Page
        /// Warnings, which the result lines have as well.
        var warnings: [String] = []
        /// What else to report about it.
        var reports: [String] = []
        /// Whether it was read, and its boxes were drawn if they were to be.
        var isComplete = true
    }

    private let settings: Settings
    private let processor: FrameProcessor

    /// A reader with an engine's `reader`.
    init(reader: any TextReader, settings: Settings) {
        self.settings = settings
        self.processor = FrameProcessor(reader: reader, limits: settings.limits)
    }

    /// Reads a picture, and draws its boxes.
    ///
    /// - Parameters:
    ///   - place: Where the picture is.
    ///   - index: Its place among the pictures, from 0.
    ///   - overlay: The path of the picture with boxes, if one is to be written.
    /// - Returns: The page, which has the error if there is one.
    func read(_ place: PicturePlace, index: Int, overlay: String?) -> Reading {
        let name = place.name
        // The first frame of one could pass for a JPEG behind stray bytes.
        if case .file(let path) = place, RecordedSession.isAt(path) {
            return Self.failure(WireError(.fileUnsupported, RecordedSession.advice(path)), of: name, index: index)
        }
        do throws(PictureError) {
            let frame = try PictureFrame(at: place, settings: self.settings)
            let result = self.processor.read(
                frame.description,
                payload: frame.payload.span.bytes,
                configuration: self.settings.configuration,
                sequence: UInt64(index)
            )
            let page = Page(
                number: index + 1,
                name: name,
                result: result,
                image: try self.settings.embedsPictures
                    ? EncodedImage(frame.file, limits: DecodingLimits(self.settings.limits.picture)) : nil
            )
            switch page.text {
            case .success(let text):
                var reading = Reading(page: page, warnings: text.warnings.map { "\(name): \($0)" })
                if let found = text.found, !found.isComplete {
                    reading.warnings.append("\(name): not searched completely: \(Patterns.incompleteSearch)")
                }
                do throws(PictureError) {
                    if let overlay { try frame.writeOverlay(of: text, to: overlay) }
                } catch {
                    reading.reports.append(error.message)
                    reading.isComplete = false
                }
                return reading
            case .failure(let error):
                return Reading(page: page, reports: ["\(name): \(error.reason)"], isComplete: false)
            }
        } catch {
            return Self.failure(WireError(error), of: name, index: index)
        }
    }

    private static func failure(_ error: WireError, of name: String, index: Int) -> Reading {
        let page = Page(number: index + 1, name: name, result: FrameResult(unread: error, sequence: UInt64(index)))
        return Reading(page: page, reports: [error.message], isComplete: false)
    }
}
