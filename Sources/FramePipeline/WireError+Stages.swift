package import GlyphwireProtocol
package import ImageCodecs
package import TextRecognition

extension WireError {
    /// Creates the error line for a payload that cannot be decoded.
    package init(_ error: CodecError) {
        let code: Code =
            switch error.code {
            case .jpegCorrupt: .jpegCorrupt
            case .jpegUnsupported: .jpegUnsupported
            case .lz4Corrupt: .lz4Corrupt
            case .sizeMismatch: .sizeMismatch
            case .badDimensions: .badDimensions
            case .tooManyPixels: .tooManyPixels
            case .outOfMemory: .internalError
            }
        self.init(code, error.message)
    }

    /// The error of a picture file that cannot be read.
    package init(_ error: PictureError) {
        let code: Code =
            switch error.code {
            case .unsupported: .fileUnsupported
            case .damaged: .fileCorrupt
            case .tooLarge: .tooManyPixels
            case .noMemory: .overloaded
            default: .fileUnreadable
            }
        self.init(code, error.message)
    }

    /// Creates the error line for a frame that cannot be read or an unsupported option.
    package init(_ error: RecognitionError) {
        let code: Code =
            switch error.code {
            case .levelUnavailable: .levelUnavailable
            case .unsupportedLanguage: .unsupportedLanguage
            case .unreadableWord: .badOption
            case .inferenceFailed: .internalError
            }
        self.init(code, error.message)
    }
}
