internal import TextModel

/// Reader of a rectified line by a ``ScriptReader``: in the most evident of some languages, and in the best of some crops.
///
/// It is for one thread at a time.
final class CropReader {
    private enum Tuning {
        /// Evidence for a language, as ``CropReading/languageEvidence``, from which no other one of the script is tried.
        ///
        /// Higher ones take more time and gain no words (accuracy log, *Dictionaries of one script's languages*).
        static let sureLanguage: Float = 1.05
        /// Confidence of a reading from which no other crop of the line is tried.
        ///
        /// Words of lines of `bench/scripts`, clear and as a camera sees them, in the mean of eleven scripts: 0.726 with one crop;
        /// with three 0.761, 0.779 and 0.784 where they are tried below 0.9, 0.93 and 0.95, and 0.788 where they always are
        /// (accuracy log, *Scripts of a frame, and crops for Tesseract*).
        static let sureCrop: Float = 0.93
        /// Margins of the other crops around the ink, as shares of its height.
        ///
        /// The text that Tesseract was trained on has some; no single one is best for all scripts (accuracy log, *Scripts of a frame,
        /// and crops for Tesseract*).
        static let cropMargins: [Float] = [0.15, 0.1]
        /// Margin of a detected line in which its ink is looked for, as a share of its height.
        ///
        /// The detector was trained on Latin and Han, and cuts off vowel signs above and below other scripts' letters (accuracy log,
        /// *Scripts of a frame, and crops for Tesseract*).
        static let inkMargin: Float = 0.25
    }

    private let reader: any ScriptReader
    private let images: LineImagePool
    private var pixels = ScratchBuffer<UInt8>()
    private var segmenter = CharacterSegmenter()

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - reader: The reader of scripts.
    ///   - images: The pool of buffers for rectified lines.
    init(_ reader: any ScriptReader, images: LineImagePool) { (self.reader, self.images) = (reader, images) }

    /// Returns the languages of a script that it reads; see ``ScriptReader/languages``.
    func languages(of script: Script) -> [String] { self.reader.languages.filter { Script(language: $0) == script } }

    /// Returns the languages of a script that it reads, of those that BCP 47 codes name.
    func languages(of script: Script, named codes: [String]) -> [String] {
        let codes = Set(codes.map(\.primaryLanguageSubtag))
        return self.languages(of: script).filter(codes.contains)
    }

    /// Calls a closure with the most confident reading of a line of any crop, in the most evident of some languages.
    ///
    /// - Parameters:
    ///   - crop: The line as it was detected.
    ///   - languages: The languages that are tried; of the brightest tone and of further crops only the best one of the first.
    ///   - frame: The frame.
    ///   - others: The confidence from which other crops are tried, up to a sure one.
    ///   - body: The closure; its argument is `nil` if there is no reading.
    /// - Returns: What the closure returns.
    func withBestReading<Value>(
        of crop: LineCrop,
        in languages: [String],
        of frame: UprightFrame,
        others: Float,
        _ body: (CropReading?) -> Value
    ) -> Value {
        let images = (0...Tuning.cropMargins.count).map { _ in self.images.take() }
        defer { images.forEach(self.images.recycle) }
        return body(self.best(of: crop, in: languages, of: frame, others: others, images: images))
    }

    /// Most confident reading of a line; `nil` if there is none.
    ///
    /// `images` are buffers for the surroundings of the line, and for the further crops, of which the reading keeps one.
    private func best(
        of crop: LineCrop,
        in languages: [String],
        of frame: UprightFrame,
        others: Float,
        images: [LineImage]
    ) -> CropReading? {
        var best = self.reading(of: crop, in: languages)
        let confidence = best?.confidence ?? 0
        guard confidence >= others, confidence < Tuning.sureCrop else { return best }
        let toned = self.reading(of: crop, in: best.map { [$0.language] } ?? languages, isToned: true)
        if let toned, toned.confidence > best?.confidence ?? 0 { best = toned }
        guard (best?.confidence ?? 0) < Tuning.sureCrop else { return best }
        let surroundings = crop.box.expanded(by: Tuning.inkMargin * Float(LineSize.height))
        let around = LineCrop(crop.map.quad(surroundings), in: frame, image: images[0])
        guard let ink = BoundingBox(around: self.segmenter.segment(around)) else { return best }
        for (margin, image) in zip(Tuning.cropMargins, images.dropFirst()) {
            let quad = around.map.quad(ink.expanded(by: margin * ink.height))
            // The ink of a dash is far longer than high.
            guard LineSize(quad).isWhole else { continue }
            let crop = LineCrop(quad, in: frame, image: image)
            let languages = best.map { [$0.language] } ?? languages
            let reading = self.reading(of: crop, in: languages, isToned: best?.isToned == true)
            if let reading, reading.confidence > best?.confidence ?? 0 { best = reading }
        }
        return best
    }

    /// Reading of a crop in that of some languages for which there is most evidence; `nil` also for the brightest tone of a crop
    /// that has none on a darker ground.
    private func reading(of crop: LineCrop, in languages: [String], isToned: Bool = false) -> CropReading? {
        let (width, height) = (crop.width, LineSize.height)
        self.pixels.reserve(width * height)
        for index in 0..<width * height {
            self.pixels.base[index] = UInt8(max(0, min(255, crop.image.base[index])))
        }
        let pixels = UnsafeMutableBufferPointer(start: self.pixels.base, count: width * height)
        if isToned {
            guard let tone = BrightestTone(of: UnsafeBufferPointer(pixels)) else { return nil }
            for index in pixels.indices { pixels[index] = tone.shade(of: pixels[index]) }
        }
        var best: CropReading?
        for language in languages where (best?.languageEvidence ?? 0) < Tuning.sureLanguage {
            let pixels = UnsafeBufferPointer(pixels)
            let reading = self.reader.read(pixels, width: width, height: height, language: language)
                .map { CropReading(reading: $0, language: language, crop: crop, isToned: isToned) }
            if let reading, reading.languageEvidence > best?.languageEvidence ?? 0 { best = reading }
        }
        return best
    }
}
