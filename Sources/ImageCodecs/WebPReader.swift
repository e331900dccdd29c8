internal import CWebP
internal import TextModel

/// WebP decoder, lossy and lossless; of an animation it reads the first frame.
enum WebPReader {
    /// Bytes in front of the first chunk of a RIFF file.
    private static let riffHeaderByteCount = 12
    /// Bytes in front of the data of a chunk: its name and its length.
    private static let chunkHeaderByteCount = 8

    static func read(_ file: [UInt8], path: String, limits: DecodingLimits) throws(PictureError) -> Picture {
        var features = WebPBitstreamFeatures()
        guard unsafe WebPGetFeatures(file, file.count, &features) == VP8_STATUS_OK else {
            throw PictureError(damaged: .webP, path: path, "its header cannot be read")
        }
        let (width, height) = (Int(features.width), Int(features.height))
        try limits.check(width: width, height: height, bytesPerPixel: 12, of: .webP, path: path)
        let samples =
            features.has_animation == 0
            ? Self.samples(of: file, width: width, height: height)
            : Self.firstFrame(of: file, width: width, height: height)
        guard let samples else { throw PictureError(damaged: .webP, path: path, "its pixels cannot be decoded") }
        var pixels = PixelBuffer(width: width, height: height, format: .bgra)
        if features.has_alpha != 0 {
            pixels.lay(samples, channels: 4)
        } else {
            unsafe pixels.withMutableBytes { unsafe $0.copyBytes(from: samples) }
        }
        return Picture(pixels: pixels, orientation: Self.orientation(of: file) ?? .up)
    }

    /// The pixels of a still picture in BGRA; `nil` if they cannot be decoded.
    private static func samples(of file: [UInt8], width: Int, height: Int) -> [UInt8]? {
        var samples = [UInt8](repeating: 0, count: width * height * 4)
        let isWhole =
            unsafe WebPDecodeBGRAInto(file, file.count, &samples, samples.count, Int32(width * 4)) != nil
        return isWhole ? samples : nil
    }

    /// The first frame of an animation in BGRA; `nil` if it cannot be decoded.
    private static func firstFrame(of file: [UInt8], width: Int, height: Int) -> [UInt8]? {
        unsafe file.withUnsafeBufferPointer { bytes in
            var options = WebPAnimDecoderOptions()
            guard unsafe WebPAnimDecoderOptionsInit(&options) != 0 else { return nil }
            options.color_mode = MODE_BGRA
            var data = unsafe WebPData(bytes: bytes.baseAddress, size: bytes.count)
            guard let decoder = unsafe WebPAnimDecoderNew(&data, &options) else { return nil }
            defer { unsafe WebPAnimDecoderDelete(decoder) }
            var frame: UnsafeMutablePointer<UInt8>?
            var time: Int32 = 0
            guard unsafe WebPAnimDecoderGetNext(decoder, &frame, &time) != 0, let frame = unsafe frame else {
                return nil
            }
            return unsafe Array(UnsafeBufferPointer(start: frame, count: width * height * 4))
        }
    }

    /// The orientation in the file's EXIF chunk; `nil` without one.
    private static func orientation(of file: [UInt8]) -> Orientation? {
        unsafe file.withUnsafeBytes { file in
            let file = unsafe PeerBytes(file)
            var offset = Self.riffHeaderByteCount
            while let length = file.number(UInt32.self, at: offset + 4, littleEndian: true).map(Int.init) {
                let start = offset + Self.chunkHeaderByteCount
                if file.has("EXIF", at: offset), let data = file[start..<start + length] {
                    return TIFFDirectory(exifChunk: data)?.orientation
                }
                // Chunks are padded to an even length.
                offset = start + length + length % 2
            }
            return nil
        }
    }
}
