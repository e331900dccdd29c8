internal import CTesseract

/// Functions of libtesseract, which is loaded where it is installed.
@safe
enum TesseractLibrary {
    /// The functions; `nil` if the library is not installed.
    static let functions: glyphwire_tesseract? = {
        var functions = glyphwire_tesseract()
        return unsafe glyphwire_tesseract_load(&functions) ? functions : nil
    }()
}
