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
    ///   - path: The path of the file, or `-`.
    ///   - index: Its place among the pictures, from 0.
    ///   - overlay: The path of the picture with boxes, if one is to be written.
    /// - Returns: The page, which has the error if there is one.
    func read(_ path: String, index: Int, overlay: String?) -> Reading {
        // The first frame of one could pass for a JPEG behind stray bytes.
        guard !RecordedSession.isAt(path) else {
            return Self.failure(WireError(.fileUnsupported, RecordedSession.advice(path)), of: path, index: index)
        }
        do throws(PictureError) {
            let frame = try PictureFrame(
                path: path,
                orientation: self.settings.orientation,
                limits: self.settings.limits
            )
            let result = self.processor.read(
                frame.description,
                payload: frame.payload.span.bytes,
                configuration: self.settings.configuration,
                sequence: UInt64(index)
            )
            let page = Page(
                number: index + 1,
                name: path,
                result: result,
                image: try self.settings.embedsPictures
                    ? EncodedImage(frame.file, limits: self.settings.limits.picture) : nil
            )
            switch page.text {
            case .success(let text):
                var reading = Reading(page: page, warnings: text.warnings.map { "\(path): \($0)" })
                if frame.file.pageCount > 1 {
                    reading.reports.append("\(path): the file has \(frame.file.pageCount) pages; the first was read")
                }
                do throws(PictureError) {
                    if let overlay { try frame.writeOverlay(of: text, to: overlay) }
                } catch {
                    reading.reports.append(error.message)
                    reading.isComplete = false
                }
                return reading
            case .failure(let error):
                return Reading(page: page, reports: ["\(path): \(error.reason)"], isComplete: false)
            }
        } catch {
            return Self.failure(WireError(error), of: path, index: index)
        }
    }

    private static func failure(_ error: WireError, of path: String, index: Int) -> Reading {
        let result = FrameResult(
            sequence: UInt64(index),
            capturedMicroseconds: 0,
            outcome: .error(error),
            timings: FrameTimings()
        )
        let page = Page(number: index + 1, name: path, result: result)
        return Reading(page: page, reports: [error.message], isComplete: false)
    }
}
